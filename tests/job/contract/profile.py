"""api.md §11: the user's profile."""

from .support import EMPTY

PROFILE = {"email": "x@y", "n": 5, "l": [1, "a", None], "deep": {"b": True}}


def steps(_world):
    return [
        "profile",
        ("DELETE", "/v2/profile", "user", None, 200, EMPTY),
        ("DELETE", "/v2/profile", "user", None, 200, EMPTY),
        ("GET", "/v2/profile", "user", None, 404, EMPTY),
        ("PUT", "/v2/profile", "user", {"first": 1}, 200, EMPTY),
        ("PUT", "/v2/profile", "user", PROFILE, 200, EMPTY),
        ("GET", "/v2/profile", "user", None, 200, PROFILE),
        ("GET", "/v2/profile", "admin", None, 404, EMPTY),
        ("PUT", "/v2/profile", "user", "{", 400, "invalid request."),
        ("PUT", "/v2/profile", "user", "", 400, "invalid request."),
        ("PUT", "/v2/profile", "user", "null", 400, "invalid request."),
        ("PUT", "/v2/profile", "user", "[1]", 400, "invalid request."),
        ("GET", "/v2/profile", "user", None, 200, PROFILE),
        ("PUT", "/v2/profile", "user", "[]", 200, EMPTY),
        ("GET", "/v2/profile", "user", None, 200, {}),
        ("DELETE", "/v2/profile", "user", None, 200, EMPTY),
    ]
