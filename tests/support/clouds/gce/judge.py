"""Google's discovery document of Compute Engine v1 as judge of every request and every answer.

The document is the one that google-api-python-client brings along. A field that it does not know, a value outside an enumeration, a
number that should be a text: all of that is a finding.
"""

import json
import re
from pathlib import Path

import googleapiclient

DOCUMENT = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents" / "compute.v1.json"


def load():
    return json.loads(DOCUMENT.read_text())


class Method:
    """One call of the API: its id, its place and what the document says of it."""

    def __init__(self, described):
        self.id = described["id"]
        self.verb = described["httpMethod"]
        self.parameters = described.get("parameters", {})
        self.request = described.get("request", {}).get("$ref")
        self.response = described.get("response", {}).get("$ref")
        self.literals = sum(1 for part in described["path"].split("/") if not part.startswith("{"))
        parts = [f"(?P<{part[1:-1].lstrip('+')}>[^/]+)" if part.startswith("{") else re.escape(part) for part in described["path"].split("/")]
        self.path = re.compile("/".join(parts))


class Judge:
    def __init__(self):
        self.document = load()
        self.schemas = self.document["schemas"]
        # A literal part of a path wins over a parameter: ".../instances/bulkInsert" is no instance.
        self.methods = sorted(self._methods(self.document), key=lambda method: -method.literals)

    def _methods(self, resource):
        for described in resource.get("methods", {}).values():
            yield Method(described)
        for inner in resource.get("resources", {}).values():
            yield from self._methods(inner)

    def method(self, verb, path):
        """The method and the values in its path; (None, {}) where there is none."""
        for method in self.methods:
            found = method.path.fullmatch(path) if method.verb == verb else None
            if found:
                return method, found.groupdict()
        return None, {}

    def request(self, method, places, query, body):
        """What is wrong with a request, as sentences."""
        found = []
        for name, value in places.items():
            pattern = method.parameters[name].get("pattern")
            if pattern and not re.fullmatch(pattern, value):
                found.append(f"path {name}={value} does not match {pattern}")
        for name, value in query.items():
            parameter = method.parameters.get(name) or self.document["parameters"].get(name)
            if parameter is None:
                found.append(f"unknown parameter {name}")
            elif parameter.get("type") == "integer" and not re.fullmatch(r"\d+", value):
                found.append(f"parameter {name}={value} is no number")
        if method.request:
            self._object(body, self.schemas[method.request], "body", found, strict=False)
        elif body is not None:
            found.append("a body where none is asked for")
        return found

    def answer(self, method, body):
        """What is wrong with an answer of status 200."""
        found = []
        if method.response:
            self._object(body, self.schemas[method.response], "answer", found, strict=True)
        return found

    def _value(self, value, schema, place, found, strict):
        if "$ref" in schema:
            return self._object(value, self.schemas[schema["$ref"]], place, found, strict)
        kind = schema.get("type")
        if kind == "object":
            return self._object(value, schema, place, found, strict)
        if kind == "array":
            if not isinstance(value, list):
                return found.append(f"{place}: not a list")
            for index, entry in enumerate(value):
                self._value(entry, schema["items"], f"{place}[{index}]", found, strict)
        elif kind == "string":
            self._string(value, schema, place, found, strict)
        elif kind == "boolean" and not isinstance(value, bool):
            found.append(f"{place}: not a boolean")
        elif kind == "integer" and (isinstance(value, bool) or not isinstance(value, int)):
            found.append(f"{place}: not an integer")
        elif kind == "number" and (isinstance(value, bool) or not isinstance(value, (int, float))):
            found.append(f"{place}: not a number")
        return None

    def _string(self, value, schema, place, found, strict):
        is_number = schema.get("format") in ("int64", "uint64")
        # Requests may have numbers of 64 bits either way; answers always have them as texts.
        if is_number and not strict and isinstance(value, int) and not isinstance(value, bool):
            return
        if not isinstance(value, str):
            found.append(f"{place}: not a string")
        elif is_number and not re.fullmatch(r"-?\d+", value):
            found.append(f"{place}: {value!r} is no number")
        elif "enum" in schema and value not in schema["enum"]:
            found.append(f"{place}: {value} is not one of {', '.join(schema['enum'][:8])}")
        elif "pattern" in schema and not re.fullmatch(schema["pattern"], value):
            found.append(f"{place}: {value!r} does not match {schema['pattern']}")

    def _object(self, value, schema, place, found, strict):
        if not isinstance(value, dict):
            found.append(f"{place}: not an object")
            return
        for name, inner in value.items():
            if inner is None and not strict:
                # In requests null stands for a field that is not there; libcloud sends some.
                continue
            if name in schema.get("properties", {}):
                self._value(inner, schema["properties"][name], f"{place}.{name}", found, strict)
            elif "additionalProperties" in schema:
                self._value(inner, schema["additionalProperties"], f"{place}.{name}", found, strict)
            else:
                found.append(f"{place}.{name}: unknown field")
