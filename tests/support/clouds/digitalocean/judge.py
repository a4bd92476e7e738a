"""Judges requests and answers by DigitalOcean's own OpenAPI document (3.0), as openapi-schema-validator reads it.

The document is not part of this repository. It is read from COOPERAGE_DIGITALOCEAN_SCHEMA, else from
shared/data/digitalocean/openapi.json beside a folder that this one lies in. Without it everything passes, and `path` is None.

Stricter than the document in one thing: it allows members and parameters that it does not name, and the judge does not.
"""

import json
import os
import re
from pathlib import Path

from openapi_schema_validator import OAS30ReadValidator, OAS30Validator, OAS30WriteValidator, oas30_format_checker

BESIDE = Path("shared/data/digitalocean/openapi.json")


def find_document():
    named = os.environ.get("COOPERAGE_DIGITALOCEAN_SCHEMA")
    candidates = [Path(named)] if named else [folder / BESIDE for folder in Path(__file__).resolve().parents]
    return next((path for path in candidates if path.is_file()), None)


class Judge:
    def __init__(self):
        self.path = find_document()
        self.operations = {}
        self.validators = {}
        if self.path:
            self.read(json.loads(self.path.read_text()))

    def read(self, document):
        for path, methods in whole(document["paths"], document).items():
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = {**operation, "method": method.upper(), "path": path}

    def scopes(self, operation):
        """What a token must allow; the old scopes "api:read" and "api:write" are left out."""
        wanted = self.operations[operation]["security"][0]["bearer_auth"]
        return {scope for scope in wanted if not scope.startswith("api:")}

    def problems_with_request(self, operation, values, query, headers, body):
        """Sentences; empty when the document allows the request."""
        if not self.path:
            return []
        described = self.operations[operation]
        problems = list(self.parameter_problems(described, values, query))
        content = described.get("requestBody", {}).get("content", {}).get("application/json")
        if not content:
            return problems + (["there is a body"] if body else [])
        if not headers.get("Content-Type", "").startswith("application/json"):
            problems.append("the body is not said to be application/json")
        try:
            value = json.loads(body)
        except ValueError:
            return problems + ["the body is no JSON"]
        problems += self.schema_problems((operation, "request"), OAS30WriteValidator, content["schema"], value)
        return problems + [f"unknown member {name}" for name in unknown_members(content["schema"], value)]

    def parameter_problems(self, described, values, query):
        known = {(parameter["in"], parameter["name"]): parameter for parameter in described.get("parameters", [])}
        given = {**{("path", name): value for name, value in values.items()}, **{("query", name): value for name, value in query.items()}}
        for key, parameter in known.items():
            if parameter.get("required") and key not in given and key[0] != "header":
                yield f"{key[0]} parameter {key[1]} is missing"
        for key, text in given.items():
            # libcloud asks for pages of 200 in every request, and the real service does not mind.
            if key not in known and key == ("query", "per_page"):
                continue
            if key not in known:
                yield f"unknown {key[0]} parameter {key[1]}"
                continue
            name = (described["operationId"], *key)
            yield from self.schema_problems(name, OAS30Validator, known[key]["schema"], typed(known[key]["schema"], text))

    def problems_with_answer(self, operation, status, body):
        if not self.path:
            return []
        responses = self.operations[operation]["responses"]
        described = responses.get(str(status)) or responses["default"]
        content = described.get("content", {}).get("application/json")
        if not content:
            return [f"{status} has no body"] if body else []
        schema = content["schema"]
        problems = self.schema_problems((operation, str(status)), OAS30ReadValidator, schema, body)
        return problems + [f"unknown member {name}" for name in unknown_members(schema, body)]

    def schema_problems(self, name, kind, schema, value):
        if name not in self.validators:
            self.validators[name] = kind(schema, format_checker=oas30_format_checker)
        return [f"{error.json_path}: {error.message[:300]}" for error in self.validators[name].iter_errors(value)]


def whole(node, document):
    """The same with every reference replaced by what it means. Discriminators still name files that are not there. YAML read the
    status "off" as a boolean.
    """
    if isinstance(node, list):
        return [whole(item, document) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = document
        for part in node["$ref"][2:].split("/"):
            target = target[part.replace("~1", "/").replace("~0", "~")]
        return whole(target, document)
    copy = {key: whole(value, document) for key, value in node.items() if key != "discriminator"}
    if node.get("type") == "string" and False in node.get("enum", []):
        copy["enum"] = ["off" if word is False else word for word in node["enum"]]
    return copy


def typed(schema, text):
    """A parameter's text as the type that the document wants; the text itself when it is not of that type."""
    kinds = {part.get("type") for part in (schema, *schema.get("anyOf", []), *schema.get("oneOf", []))}
    if "integer" in kinds and re.fullmatch(r"-?\d+", text):
        return int(text)
    if "boolean" in kinds and text in ("true", "false"):
        return text == "true"
    return text


def parts(schema):
    yield schema
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, []):
            yield from parts(part)


def unknown_members(schema, value, at=""):
    """Members of `value` that no part of the schema names."""
    if isinstance(value, list):
        items = [part["items"] for part in parts(schema) if "items" in part]
        for item in value if items else []:
            yield from unknown_members({"allOf": items}, item, at + "[]")
        return
    known = {}
    for part in parts(schema):
        for name, member in part.get("properties", {}).items():
            known.setdefault(name, []).append(member)
    for name, member in value.items() if isinstance(value, dict) and known else []:
        if name in known:
            yield from unknown_members({"allOf": known[name]}, member, f"{at}.{name}")
        elif name != "description":
            # The copy of the document was stripped of its prose, and of members of that name along with it.
            yield f"{at}.{name}"
