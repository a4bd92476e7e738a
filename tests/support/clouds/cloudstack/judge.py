"""Checks calls and answers of CloudStack: listApis.json of Apache's cloudstack-go has every parameter and every member of an answer, and
libcloud's signer computes the signature again."""

import datetime
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from go_modules import file_of_module  # noqa: E402

from libcloud.common.cloudstack import CloudStackConnection  # noqa: E402

APIS = file_of_module("github.com/apache/cloudstack-go/v2", "v2.16.1", "generate/listApis.json",
                      "41f7c0160d98a893f80ad7b2e10c07305408a9ef023013f6728af64dfab9a52f")
COMMON = {"command", "apikey", "response", "signature", "signatureversion", "expires"}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MAP = re.compile(r"([a-z0-9]+)\[\d+\]\.[A-Za-z0-9:._-]+")
TYPES = {
    "uuid": lambda text: UUID.fullmatch(text),
    "boolean": lambda text: text in ("true", "false", "True", "False"),
    "integer": lambda text: re.fullmatch(r"-?\d+", text),
    "long": lambda text: re.fullmatch(r"-?\d+", text),
}


class CloudError(Exception):
    """An error of CloudStack: its number, which is the HTTP status too, and its text."""

    def __init__(self, code, text):
        super().__init__(text)
        self.code = code
        self.text = text


class Judge:
    def __init__(self, api_key, secret):
        self.api_key = api_key
        self.signer = CloudStackConnection(api_key, secret, host="x")
        self.clock_ahead = 0
        self.apis = {api["name"]: api for api in json.loads(APIS.read_text())["api"]}

    def check_call(self, params):
        """Raises CloudError for a wrong signature, an unknown call, an unknown, missing or mistyped parameter. Returns the call's description."""
        self.check_signature(params)
        api = self.apis.get(params.get("command"))
        if api is None:
            raise CloudError(432, f"The given command '{params.get('command')}' either does not exist")
        self.check_parameters(api, params)
        return api

    def check_signature(self, params):
        given = {name.lower(): value for name, value in params.items()}
        unsigned = {name: value for name, value in params.items() if name.lower() != "signature"}
        expected = self.signer._make_signature(unsigned).decode()
        wrong = given.get("apikey") != self.api_key or given.get("signature") != expected
        if wrong or self.is_expired(given):
            raise CloudError(401, "unable to verify user credentials and/or request signature")

    def is_expired(self, given):
        if given.get("signatureversion") != "3":
            return False
        try:
            expires = datetime.datetime.strptime(given.get("expires", ""), "%Y-%m-%dT%H:%M:%S%z")
        except ValueError:
            return True
        return expires < datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.clock_ahead)

    @staticmethod
    def check_parameters(api, params):
        known = {parameter["name"]: parameter for parameter in api["params"]}
        given = {}
        for name, value in params.items():
            in_map = MAP.fullmatch(name)
            plain = in_map[1] if in_map else name.lower()
            if plain in COMMON:
                continue
            if plain not in known or bool(in_map) != (known[plain]["type"] == "map"):
                raise CloudError(431, f"Unknown parameters : {name}")
            given[plain] = value
            check = TYPES.get(known[plain]["type"])
            if check and not check(value):
                raise CloudError(431, f"Unable to execute API command {api['name'].lower()} due to invalid value. Invalid parameter {plain} "
                                      f"value={value} due to incorrect long value format, or entity does not exist")
        for name, parameter in known.items():
            if parameter["required"] and not given.get(name):
                raise CloudError(431, f"Unable to execute API command {api['name'].lower()} due to missing parameter {name}")

    def check_answer(self, command, entity):
        """Raises AssertionError for a member that the call's description does not have."""
        known = {member.get("name"): member for member in self.apis[command]["response"]}
        for name, value in entity.items():
            if name not in known:
                raise AssertionError(f"{command} does not answer {name}")
            inner = {member.get("name") for member in known[name].get("response", [])}
            for item in value if isinstance(value, list) and inner else []:
                if not set(item) <= inner:
                    raise AssertionError(f"{command} does not answer {set(item) - inner} in {name}")
