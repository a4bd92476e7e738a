"""Refusals in the envelope that Compute Engine uses."""

HTTP_WORDS = {400: "BAD REQUEST", 403: "FORBIDDEN", 404: "NOT FOUND", 409: "CONFLICT", 429: "TOO MANY REQUESTS", 503: "SERVICE UNAVAILABLE"}


class Refusal(Exception):
    """An answer other than 200, or the end of an operation that fails."""

    def __init__(self, status, reason, message, domain="global", code=None, details=None, headers=None):
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.message = message
        self.domain = domain
        self.code = code or reason.upper()
        self.details = details or []
        self.headers = headers or {}

    def body(self):
        error = {"code": self.status, "message": self.message, "errors": [{"message": self.message, "domain": self.domain, "reason": self.reason}]}
        if self.status == 401:
            error["status"] = "UNAUTHENTICATED"
        return {"error": error}

    def in_operation(self):
        error = {"code": self.code, "message": self.message}
        if self.details:
            error["errorDetails"] = self.details
        return {"errors": [error]}


def not_found(path):
    return Refusal(404, "notFound", f"The resource '{path}' was not found", code="RESOURCE_NOT_FOUND")


def already_exists(path):
    return Refusal(409, "alreadyExists", f"The resource '{path}' already exists", code="RESOURCE_ALREADY_EXISTS")


def invalid(field, value, why):
    return Refusal(400, "invalid", f"Invalid value for field '{field}': '{value}'. {why}", code="INVALID_USAGE")


def unknown_names(findings):
    return Refusal(400, "badRequest", "Invalid JSON payload received. " + "; ".join(findings))


def in_use(kind, path, user):
    return Refusal(400, "resourceInUseByAnotherResource", f"The {kind} resource '{path}' is already being used by '{user}'",
                   code="RESOURCE_IN_USE_BY_ANOTHER_RESOURCE")


def not_ready(path):
    return Refusal(400, "resourceNotReady", f"The resource '{path}' is not ready", code="RESOURCE_NOT_READY")


def forbidden(permission, path):
    return Refusal(403, "forbidden", f"Required '{permission}' permission for '{path}'")


def unauthenticated():
    return Refusal(401, "authError", "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid "
                   "authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.")


def rate_limited(status=403, headers=None):
    return Refusal(status, "rateLimitExceeded", "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute' of service "
                   "'compute.googleapis.com' for consumer 'project_number:123456789012'.", domain="usageLimits", headers=headers)


def exhausted(zone, machine_type, zones_available=""):
    """ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS, whose details may name zones that have room."""
    details = [{"errorInfo": {"reason": "resource_availability", "domain": "compute.googleapis.com",
                              "metadatas": {"vmType": machine_type, "zone": zone, "attachment": "", "zonesAvailable": zones_available}}}]
    return Refusal(503, "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS",
                   f"The zone 'projects/-/zones/{zone}' does not have enough resources available to fulfill the request. "
                   f"'(resource type:compute)'.", code="ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", details=details)


def quota(metric, limit, region):
    details = [{"quotaInfo": {"metricName": f"compute.googleapis.com/{metric.lower()}", "limitName": f"{metric}-per-project-region",
                              "dimensions": {"region": region}, "limit": float(limit)}}]
    return Refusal(403, "quotaExceeded", f"Quota '{metric}' exceeded.  Limit: {float(limit)} in region {region}.", domain="usageLimits",
                   code="QUOTA_EXCEEDED", details=details)
