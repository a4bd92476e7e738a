"""Service accounts, the token endpoint, and which permissions each call needs.

google.auth.jwt, Google's own library, verifies every assertion. The permissions are those of the reference of Compute Engine's IAM
permissions, as far as the calls of the simulator go.
"""

import secrets
import time

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import exceptions, jwt

from gce.errors import forbidden, unauthenticated

SCOPES = {"https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/compute"}
READING = "https://www.googleapis.com/auth/compute.readonly"
LONGEST = 3600
SKEW = 300
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
FRAME = ("Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. "
         "Check your iat and exp values in the JWT claim.")

# Method of the discovery document -> permissions. What depends on the body is in needed_for().
PERMISSIONS = {
    "compute.disks.delete": ["compute.disks.delete"],
    "compute.disks.get": ["compute.disks.get"],
    "compute.disks.insert": ["compute.disks.create"],
    "compute.disks.list": ["compute.disks.list"],
    "compute.disks.aggregatedList": ["compute.disks.list"],
    "compute.diskTypes.get": ["compute.diskTypes.get"],
    "compute.diskTypes.list": ["compute.diskTypes.list"],
    "compute.firewalls.delete": ["compute.firewalls.delete", "compute.networks.updatePolicy"],
    "compute.firewalls.get": ["compute.firewalls.get"],
    "compute.firewalls.insert": ["compute.firewalls.create", "compute.networks.updatePolicy"],
    "compute.firewalls.list": ["compute.firewalls.list"],
    "compute.firewalls.patch": ["compute.firewalls.get", "compute.firewalls.update", "compute.networks.updatePolicy"],
    "compute.firewalls.update": ["compute.firewalls.get", "compute.firewalls.update", "compute.networks.updatePolicy"],
    "compute.globalOperations.aggregatedList": ["compute.globalOperations.list"],
    "compute.globalOperations.get": ["compute.globalOperations.get"],
    "compute.globalOperations.list": ["compute.globalOperations.list"],
    "compute.globalOperations.wait": ["compute.globalOperations.get"],
    "compute.images.get": ["compute.images.get"],
    "compute.images.getFromFamily": ["compute.images.getFromFamily"],
    "compute.images.list": ["compute.images.list"],
    "compute.instances.aggregatedList": ["compute.instances.list"],
    "compute.instances.delete": ["compute.instances.delete"],
    "compute.instances.get": ["compute.instances.get"],
    "compute.instances.getGuestAttributes": ["compute.instances.getGuestAttributes"],
    "compute.instances.getSerialPortOutput": ["compute.instances.getSerialPortOutput"],
    "compute.instances.insert": ["compute.instances.create"],
    "compute.instances.list": ["compute.instances.list"],
    "compute.instances.setLabels": ["compute.instances.setLabels"],
    "compute.machineTypes.get": ["compute.machineTypes.get"],
    "compute.machineTypes.list": ["compute.machineTypes.list"],
    "compute.networks.get": ["compute.networks.get"],
    "compute.networks.list": ["compute.networks.list"],
    "compute.projects.get": ["compute.projects.get"],
    "compute.regions.get": ["compute.regions.get"],
    "compute.regions.list": ["compute.regions.list"],
    "compute.subnetworks.list": ["compute.subnetworks.list"],
    "compute.subnetworks.aggregatedList": ["compute.subnetworks.list"],
    "compute.zoneOperations.get": ["compute.zoneOperations.get"],
    "compute.zoneOperations.list": ["compute.zoneOperations.list"],
    "compute.zoneOperations.wait": ["compute.zoneOperations.get"],
    "compute.zones.get": ["compute.zones.get"],
    "compute.zones.list": ["compute.zones.list"],
}
PUBLIC_PROJECTS = {"debian-cloud", "ubuntu-os-cloud"}


def _for_disk(body):
    needed = []
    if body.get("labels"):
        needed.append("compute.disks.setLabels")
    return needed


def _for_instance(body):
    needed = []
    for disk in body.get("disks", []):
        if "source" in disk:
            needed.append("compute.disks.use")
        else:
            needed.append("compute.disks.create")
            needed += _for_disk(disk.get("initializeParams", {}))
    for interface in body.get("networkInterfaces", []):
        needed.append("compute.subnetworks.use")
        if interface.get("accessConfigs"):
            needed.append("compute.subnetworks.useExternalIp")
    for member, permission in (("metadata", "setMetadata"), ("labels", "setLabels"), ("tags", "setTags"), ("serviceAccounts", "setServiceAccount")):
        if body.get(member):
            needed.append(f"compute.instances.{permission}")
    return needed


def needed_for(method, project, body):
    """The permissions of a call. Images of Google's public projects may be read by everybody."""
    if method not in PERMISSIONS:
        raise NotImplementedError(f"the simulator has no {method}")
    if method.startswith("compute.images.") and project in PUBLIC_PROJECTS:
        return []
    needed = list(PERMISSIONS[method])
    if method == "compute.instances.insert":
        needed += _for_instance(body or {})
    if method == "compute.disks.insert":
        needed += _for_disk(body or {})
    return sorted(set(needed))


class Accounts:
    def __init__(self, lock):
        self.lock = lock
        self.accounts = {}
        self.tokens = {}
        self.used_permissions = set()
        self.token_seconds = 3599
        # Seconds by which the clock of Google is ahead of this machine's.
        self.ahead = 0

    def new(self, project, permissions, token_uri):
        """A service account with a key of its own, as the JSON file that people download. `permissions` None: all."""
        private = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = f"cooperage-{secrets.token_hex(3)}"
        account = {
            "type": "service_account",
            "project_id": project,
            "private_key_id": secrets.token_hex(20),
            "private_key": private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode(),
            "client_email": f"{name}@{project}.iam.gserviceaccount.com",
            "client_id": str(secrets.randbelow(10**21)),
            "auth_uri": "https://accounts.google.com/o/oauth2/auth",
            "token_uri": token_uri,
            "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
            "universe_domain": "googleapis.com",
        }
        public = private.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        with self.lock:
            self.accounts[account["client_email"]] = {
                "keys": {account["private_key_id"]: public}, "project": project,
                "permissions": None if permissions is None else set(permissions)}
        return account

    def token(self, form, audiences):
        """(status, answer) of the token endpoint."""
        if form.get("grant_type") != GRANT:
            return 400, {"error": "unsupported_grant_type", "error_description": f"Invalid grant_type: {form.get('grant_type')}"}
        assertion = form.get("assertion", "")
        try:
            claims = jwt.decode(assertion, verify=False)
        except (exceptions.GoogleAuthError, ValueError):
            return self._wrong("Invalid JWT: Failed audience check or malformed token.")
        with self.lock:
            account = self.accounts.get(claims.get("iss"))
        if account is None:
            return self._wrong("Invalid grant: account not found")
        if problem := self._problem(assertion, claims, account, audiences):
            return self._wrong(problem)
        scopes = set(claims.get("scope", "").split())
        if not scopes:
            return 400, {"error": "invalid_scope", "error_description": "Invalid OAuth scope or ID token audience provided."}
        token = "ya29.c." + secrets.token_urlsafe(40)
        with self.lock:
            self.tokens[token] = {"email": claims["iss"], "until": time.time() + self.token_seconds, "scopes": scopes}
        return 200, {"access_token": token, "expires_in": self.token_seconds, "token_type": "Bearer"}

    @staticmethod
    def _wrong(text):
        return 400, {"error": "invalid_grant", "error_description": text}

    def _problem(self, assertion, claims, account, audiences):
        """Why the assertion is not accepted; None when it is. The signature, iat, exp and aud are judged by google.auth.jwt."""
        now = time.time() + self.ahead
        times = claims.get("iat"), claims.get("exp")
        if not all(isinstance(moment, int) for moment in times):
            return FRAME
        if claims["exp"] - claims["iat"] > LONGEST or claims["iat"] > now + SKEW or claims["exp"] < now - SKEW or claims["iat"] < now - LONGEST - SKEW:
            return FRAME
        header = jwt.decode_header(assertion)
        # An assertion without a key id is tried with every key of the account, as Google does.
        keys = account["keys"] if header.get("kid") else list(account["keys"].values())
        try:
            jwt.decode(assertion, certs=keys, audience=audiences, clock_skew_in_seconds=SKEW + abs(self.ahead))
        except exceptions.GoogleAuthError as error:
            return "Invalid JWT Signature." if "signature" in str(error) or "key id" in str(error) else f"Invalid JWT: {error}"
        return None

    def check(self, header, method, verb, path, project, body):
        """Refuses a call without a valid token, or whose account lacks a permission; the account's address otherwise."""
        with self.lock:
            token = self.tokens.get(header.removeprefix("Bearer "))
            account = token and self.accounts.get(token["email"])
        if not header.startswith("Bearer ") or account is None or token["until"] < time.time():
            raise unauthenticated()
        if not token["scopes"] & SCOPES and not (verb == "GET" and READING in token["scopes"]):
            raise forbidden("a scope for Compute Engine", path)
        needed = needed_for(method, project, body)
        for permission in needed:
            allowed = account["permissions"] is None or permission in account["permissions"]
            if not allowed or (account["project"] != project and project not in PUBLIC_PROJECTS):
                raise forbidden(permission, path)
        with self.lock:
            self.used_permissions.update(needed)
        return token["email"]

    def revoke(self):
        """Makes every token invalid, as when an account's keys are withdrawn."""
        with self.lock:
            self.tokens.clear()
