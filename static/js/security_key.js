// Asks a security key by the browser (Web Authentication) and sends what it says in hidden fields of an ordinary form.
// The server has put its question into data attributes; without this script that part of the page stays hidden.
"use strict";

function bytes_of(text) {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function text_of(buffer) {
    const binary = String.fromCharCode(...new Uint8Array(buffer));
    return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function known_keys(place) {
    const ids = place.dataset.credentials.split(" ").filter(Boolean);
    return ids.map((id) => ({ type: "public-key", id: bytes_of(id) }));
}

const why = {
    NotAllowedError: "That was cancelled, or took too long. Try again.",
    InvalidStateError: "This key is known already.",
    SecurityError: "Keys work only by the site's name, over HTTPS.",
    NotSupportedError: "This browser or this key cannot do that.",
};

function say(place, error) {
    const problem = place.querySelector("[role=alert]");
    problem.textContent = why[error.name] ?? `The browser says: ${error.message}`;
}

function fill(form, fields) {
    for (const [name, value] of Object.entries(fields)) form.elements[name].value = value;
}

async function make_key(form) {
    const { challenge, host, account, handle } = form.dataset;
    const made = await navigator.credentials.create({
        publicKey: {
            challenge: bytes_of(challenge),
            rp: { id: host, name: "Cooperage" },
            user: { id: new TextEncoder().encode(handle), name: account, displayName: account },
            pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: "public-key", alg })),
            excludeCredentials: known_keys(form),
            authenticatorSelection: { residentKey: "discouraged", userVerification: "discouraged" },
            attestation: "none",
            timeout: 120_000,
        },
    });
    fill(form, {
        client_data: text_of(made.response.clientDataJSON),
        attestation: text_of(made.response.attestationObject),
    });
}

async function use_key(place, form) {
    const signed = await navigator.credentials.get({
        publicKey: {
            challenge: bytes_of(place.dataset.challenge),
            rpId: place.dataset.host,
            allowCredentials: known_keys(place),
            userVerification: "discouraged",
            timeout: 120_000,
        },
    });
    fill(form, {
        credential: text_of(signed.rawId),
        client_data: text_of(signed.response.clientDataJSON),
        authenticator_data: text_of(signed.response.authenticatorData),
        signature: text_of(signed.response.signature),
    });
}

function offer_new_key(form) {
    form.hidden = false;
    document.getElementById("no-security-keys").hidden = true;
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        try {
            await make_key(form);
            // Not requestSubmit(), which would come here again.
            form.submit();
        } catch (error) {
            say(form, error);
        }
    });
}

function offer_use(place) {
    const form = place.closest("form");
    place.hidden = false;
    place.querySelector("button").addEventListener("click", async () => {
        try {
            await use_key(place, form);
            // Not requestSubmit(): the code, which is required otherwise, is not needed.
            form.submit();
        } catch (error) {
            say(place, error);
        }
    });
}

// Browsers offer keys only where the site is known by a name and reached over HTTPS, or on this machine.
const has_name = !/^[\d.]+$|^\[/.test(location.hostname);
if (has_name && window.isSecureContext && window.PublicKeyCredential) {
    for (const place of document.querySelectorAll(".security-key")) {
        if (place.tagName === "FORM") offer_new_key(place);
        else offer_use(place);
    }
} else if (document.getElementById("no-host-name")) {
    document.getElementById("no-security-keys").hidden = true;
    document.getElementById("no-host-name").hidden = false;
}
