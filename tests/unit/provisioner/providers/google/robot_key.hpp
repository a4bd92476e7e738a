#pragma once

#include <string>

namespace tests {

/// A service account's private key (RSA, 1024 bits, PKCS #8), made for these tests.
inline const std::string robot_pem =
    "-----BEGIN PRIVATE KEY-----\n"
    "MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBAMd5Vemb7aTvT+i9\n"
    "I3jER9WuS1ipKARLhTweVPCGtWT9QdbCq8XkdzIWvyCs/Ioj8EX4H/6YE2Nh4pZz\n"
    "Fdb/n6yB3hezeL55Ubutzy4khizU98Y0pqaDkZ0UbyQ9+pAurEosaIM160NpYRWT\n"
    "QnEmXnwnUT74Fct95zL7IuBAJ0hjAgMBAAECgYBYNLtc1eq8KGa5kAmDeagaQTxo\n"
    "NETRwWNlNjRxN+A2jBb1FJhIpcJfj9dsZ5I0s7en+RSMzEqmg75isPlTXS4JngHg\n"
    "S9QQVPY5cLeu3DYkhtL44j0FiF32jiTNDYpkdJtfURq+IiURLQO6vVSFbe0WtS/0\n"
    "f+SWPUw2lLUktE9z4QJBAPH0Yf8wE6brLYoBE6kIYDFx8HijBKHI44Uga6ZW7eQW\n"
    "LGt5o9tdl3OVSWD0RN4nXl/l2/5xgUWy08f5YyFYaWUCQQDTDakBBxWqPN/X01Yy\n"
    "8LyWmD8ypr1KGLtufLvko3CMhcHF7rPZTlugPiSYN5rkudBXLEOQXrt8agvfWb5V\n"
    "27InAkEA02SsNhQgJ2c0W23DapzJxomBCzWKt3tX5ZlE1IkAwZXp62DUm7VyvGaD\n"
    "PPVOMjZ9SxX+Fpm+01GBnSczyA+BzQJAb66y2BBfro44BYWX/6zUnvxBtRP25tbf\n"
    "mD/5TawPSs0dFRiTo1KLuegohUQnexG45ehOeH8ox1V2ouJijhyL0QJAMqhAMGZm\n"
    "xXRyTnjO5iJOB4I9B+pdNZHluqxbvUrtJjF8ZbFFKBd5pTy+8vhBWyh6syjag3sE\n"
    "uYa3C31Q0pBJpg==\n"
    "-----END PRIVATE KEY-----\n";

/// What google.auth (PyPI google-auth 2.62) signs with that key: key id "0123abcd", 1800000000
/// seconds after 1970, for Compute Engine.
inline const std::string robot_assertion =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjAxMjNhYmNkIn0.eyJpc3MiOiJyb2JvdEBhY21l"
    "LTEuaWFtLmdzZXJ2aWNlYWNjb3VudC5jb20iLCJzY29wZSI6Imh0dHBzOi8vd3d3Lmdvb2dsZWFwaXMuY29t"
    "L2F1dGgvY29tcHV0ZSIsImF1ZCI6Imh0dHBzOi8vb2F1dGgyLmdvb2dsZWFwaXMuY29tL3Rva2VuIiwiaWF0"
    "IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDM2MDB9.onuDEcvOWKmkJXAlHxlAm5eNXqtW2l0y9DUbZNWCBoT"
    "Gkxd33pF7KrdtCkp5FttLwNPUMBmVBpKD4EF90xcNkFJDApkw5bb81CZOLUnajm3H4RA6WbUMuhNO4vFDFVL"
    "PBfCq72vU3z0eN0_ZmO9JPLhOAqf7ZfoRun42Ujz1TU0";

}  // namespace tests
