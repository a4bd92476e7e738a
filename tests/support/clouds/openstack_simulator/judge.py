"""What OpenStack's own programs say about a request: Nova's JSON schemas and Neutron's tables of attributes, loaded from their
published wheels. Nothing of Nova or Neutron runs, so what their modules import besides is replaced by empty modules."""

import importlib
import re
import subprocess
import sys
import types
from pathlib import Path
from unittest import mock

from python_packages import alone

WHEELS = ("nova==26.3.0", "neutron==21.2.0", "keystone==22.0.2")


def fetch(folder):
    """The wheels in a folder, downloaded at the first use."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [wheel.replace("==", "-") for wheel in WHEELS]
    with alone(folder.name):
        if not all(list(folder.glob(name + "-*.whl")) for name in names):
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", folder, *WHEELS],
                           check=True)
    return [next(folder.glob(name + "-*.whl")) for name in names]


def package(name, wheel):
    """A package whose __init__ is not run; its modules are found in the wheel."""
    module = types.ModuleType(name)
    module.__path__ = [f"{wheel}/{name.replace('.', '/')}"]
    sys.modules[name] = module


def replaced(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, module)
    return module


class InvalidName(Exception):
    def __init__(self, reason=""):
        super().__init__(reason)

    def format_message(self):
        return str(self)


class ValidationError(Exception):
    def __init__(self, detail=""):
        super().__init__(detail)


def load_nova(wheel):
    for name in ("nova", "nova.api", "nova.api.validation", "nova.objects", "nova.api.openstack", "nova.api.openstack.compute", "nova.api.openstack.compute.schemas"):
        package(name, wheel)
    replaced("nova.i18n", _=str)
    replaced("nova.exception", InvalidName=InvalidName, ValidationError=ValidationError)
    # Of the objects only these constants are used: nova/objects/tag.py, nova/objects/instance.py.
    replaced("nova.objects.tag", MAX_TAG_LENGTH=60)
    replaced("nova.objects.instance", MAX_TAG_COUNT=50)
    validators = importlib.import_module("nova.api.validation.validators")
    schemas = {name: importlib.import_module("nova.api.openstack.compute.schemas." + name)
               for name in ("servers", "server_groups", "keypairs", "server_metadata", "server_tags", "console_output", "flavors")}
    return validators._SchemaValidator, schemas


def load_neutron(wheel):
    for name in ("neutron", "neutron.api", "neutron.api.v2", "neutron.conf", "neutron.quota", "neutron.extensions"):
        package(name, wheel)
    replaced("neutron._i18n", _=str)
    replaced("neutron.api.extensions", ExtensionDescriptor=object)
    replaced("neutron.conf.quota", security_group_quota_opts=[], register_quota_opts=mock.Mock())
    for name in ("neutron.api.v2.base", "neutron.quota.resource_registry", "neutron.extensions.standardattrdescription"):
        replaced(name)
    groups = importlib.import_module("neutron.extensions.securitygroup")
    from neutron_lib.api.definitions import l3, network, port, port_security
    described = {"description": {"allow_post": True, "allow_put": True, "validate": {"type:string": 255}, "default": "", "is_visible": True}}
    on_ports = {**groups.EXTENDED_ATTRIBUTES_2_0["ports"], **port_security.RESOURCE_ATTRIBUTE_MAP["ports"]}
    return {"port": {**port.RESOURCE_ATTRIBUTE_MAP["ports"], **on_ports, **described},
            "network": network.RESOURCE_ATTRIBUTE_MAP["networks"],
            "floatingip": {**l3.RESOURCE_ATTRIBUTE_MAP["floatingips"], **described},
            "security_group": {**groups.RESOURCE_ATTRIBUTE_MAP["security_groups"], **described},
            "security_group_rule": {**groups.RESOURCE_ATTRIBUTE_MAP["security_group_rules"], **described}}


def load_keystone(wheel):
    for name in ("keystone", "keystone.auth", "keystone.common", "keystone.common.validation"):
        package(name, wheel)
    replaced("keystone.i18n", _=str)
    replaced("keystone.exception", SchemaValidationError=ValidationError)
    import jsonschema
    sys.modules["keystone.common.validation"].lazy_validate = lambda schema, value: jsonschema.validate(value, schema)
    replaced("keystone.common.validation.validators")
    replaced("keystone.common.validation.parameter_types", boolean={"type": "boolean"})
    return importlib.import_module("keystone.auth.schema")


class Caller:
    """Whose request it is, as Neutron asks it."""
    project_id = tenant_id = "project"
    can_set_project_id = False


class Judge:
    def __init__(self, folder, nova_alone=False):
        wheels = {wheel.name.split("-")[0]: wheel for wheel in fetch(Path(folder))}
        self.validator, self.schemas = load_nova(wheels["nova"])
        if not nova_alone:
            self.attributes = load_neutron(wheels["neutron"])
            self.keystone = load_keystone(wheels["keystone"])

    def of_compute(self, module, prefix, value, version, is_body=True):
        """What Nova's schema of that microversion has against a body or a query; None when nothing. Schemas are named create,
        create_v219, create_v232 ...: the newest that is not newer than the request holds."""
        names = {(int(found[1]) if found[1] else 0): name for name in vars(self.schemas[module])
                 if (found := re.fullmatch(re.escape(prefix) + r"(?:_?v?(\d+))?", name)) and found[1] not in ("20",)}
        wanted = int(version.replace(".", ""))
        name = names[max(number for number in names if number <= wanted)]
        try:
            self.validator(getattr(self.schemas[module], name), is_body=is_body).validate(value)
        except ValidationError as error:
            return str(error)
        return None

    def of_network(self, resource, body, is_new=True):
        """What Neutron's table of attributes has against a body; None when nothing. Values are converted in place."""
        from neutron_lib.api import attributes
        from webob import exc
        try:
            if list(body) != [resource]:
                return f"the body must be {{{resource!r}: ...}}"
            info = attributes.AttributeInfo(self.attributes[resource])
            info.verify_attributes(body[resource])
            wanted = "allow_post" if is_new else "allow_put"
            for name in body[resource]:
                if not self.attributes[resource][name].get(wanted):
                    return f"Attribute '{name}' not allowed in {'POST' if is_new else 'PUT'}"
            if is_new:
                info.populate_project_id(Caller(), body[resource], True)
                info.fill_post_defaults(body[resource], check_allow_post=True)
            info.convert_values(body[resource])
        except (exc.HTTPError, ValueError) as error:
            return getattr(error, "explanation", "") or str(error)
        except Exception as error:  # noqa: BLE001: the exceptions of Neutron have no common base that is loaded
            return str(error)
        return None

    def of_login(self, body):
        """What Keystone has against the body of POST /auth/tokens; None when nothing."""
        try:
            self.keystone.validate_issue_token_auth(body.get("auth"))
        except Exception as error:  # noqa: BLE001: as above
            return str(error)
        return None
