// npm's oidc-provider with people of its own, who sign in without being asked. Below /-/ it is told who comes next, to change its keys, and which lie its next
// ID token has: those lies are signed by its own key, as a provider that is broken or taken over would sign them.
import crypto from "node:crypto";
import http from "node:http";
import path from "node:path";

const [packages, redirect, backchannel] = process.argv.slice(2);
const load = (name, file) => import(path.join(packages, "node_modules", name, file));
const { default: Provider } = await load("oidc-provider", "lib/index.js");
const jose = await load("jose", "dist/webapi/index.js");

const people = {
    "sub-ann": { preferred_username: "anna", groups: ["staff", "admins"] },
    "sub-like-ann": { preferred_username: "ann", groups: ["staff"] },
    "sub-bob": { preferred_username: "bob@example.com", groups: ["staff"] },
    "sub-eve": { preferred_username: "eve", groups: ["visitors"] },
};
const state = { person: "sub-ann", forge: "", in_token: false, hang: false, number: 0 };
let provider;
let keys;

async function make_key(alg) {
    const { privateKey } = await jose.generateKeyPair(alg, { extractable: true });
    return { ...(await jose.exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${++state.number}` };
}

async function make_provider(alg) {
    keys = [await make_key(alg)];
    provider = new Provider(`http://127.0.0.1:${port}`, {
        jwks: { keys },
        clients: [{
            client_id: "cooperage", client_secret: "a secret & more", redirect_uris: [redirect, redirect.replace(/\/callback\/.*/, "/callback")], response_types: ["code"], grant_types: ["authorization_code"],
            id_token_signed_response_alg: alg, post_logout_redirect_uris: [redirect.replace(/\/callback.*/, "")],
            ...(backchannel ? { backchannel_logout_uri: backchannel, backchannel_logout_session_required: true } : {}),
        }],
        claims: { openid: ["sub"], profile: ["preferred_username"], groups: ["groups"] },
        scopes: ["openid", "profile", "groups"],
        conformIdTokenClaims: !state.in_token,
        features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
        cookies: { keys: ["tests"] },
        findAccount: (ctx, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
        interactions: { url: (ctx, interaction) => `/-/interaction/${interaction.uid}` },
        async loadExistingGrant(ctx) {
            const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client.clientId, accountId: ctx.oidc.session.accountId });
            grant.addOIDCScope("openid profile groups");
            await grant.save();
            return grant;
        },
        // Its own way out refuses the addresses of this host.
        fetch: (url, { dispatcher, ...options }) => fetch(url, options),
    });
    provider.use(lie);
}

/// Changes the ID token of an answer.
async function lie(ctx, next) {
    await next();
    if (ctx.path !== "/token" || !state.forge || !ctx.body?.id_token) return;
    const claims = jose.decodeJwt(ctx.body.id_token);
    const header = jose.decodeProtectedHeader(ctx.body.id_token);
    const now = Math.floor(Date.now() / 1000);
    const [what, ...value] = state.forge.split(":");
    if (what === "amr") claims.amr = value.join(":").split(",");
    if (what === "acr") claims.acr = value.join(":");
    let key = await jose.importJWK(keys[0], keys[0].alg);
    switch (state.forge) {
        case "audience": claims.aud = "somebody-else"; break;
        case "issuer": claims.iss = "https://other.example"; break;
        case "expired": claims.exp = now - 3600; break;
        case "nonce": claims.nonce = "0".repeat(64); break;
        case "subject": claims.sub = ""; break;
        // It did not ask for the password again.
        case "old_login": claims.auth_time = now - 300; break;
        case "stranger": key = (await jose.generateKeyPair(header.alg)).privateKey; break;
        case "hmac": {
            // The public key as the secret of an HMAC.
            header.alg = "HS256";
            key = new TextEncoder().encode(crypto.createPublicKey({ key: keys[0], format: "jwk" }).export({ type: "spki", format: "pem" }));
            break;
        }
        case "none": {
            const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
            ctx.body = { ...ctx.body, id_token: `${part({ alg: "none", kid: header.kid })}.${part(claims)}.` };
            return;
        }
    }
    ctx.body = { ...ctx.body, id_token: await new jose.SignJWT(claims).setProtectedHeader(header).sign(key) };
}

async function finish(req, res) {
    const details = await provider.interactionDetails(req, res);
    const result = details.prompt.name === "login" ? { login: { accountId: state.person } } : { consent: {} };
    await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: true });
}

/// What the tests tell it: /-/set?person=sub-bob&forge=none&in_token=1&groups=a,b, /-/rotate?alg=ES256.
async function control(req, res) {
    const url = new URL(req.url, "http://peer");
    if (url.pathname.startsWith("/-/interaction/")) return finish(req, res);
    for (const [name, value] of url.searchParams) {
        if (name === "groups") people[state.person].groups = value.split(",");
        else if (name === "in_token" || name === "hang") state[name] = value === "1";
        else state[name] = value;
    }
    if (url.pathname === "/-/rotate") await make_provider(url.searchParams.get("alg") ?? "RS256");
    res.end("OK\n");
}

const server = http.createServer((req, res) => {
    if (req.url.startsWith("/-/")) return control(req, res).catch((error) => { res.statusCode = 500; res.end(String(error)); });
    if (!state.hang) return provider.callback()(req, res);
});
server.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address();
console.warn = console.info = () => {};
await make_provider("RS256");
process.stdout.write(`${port}\n`);
process.stdin.on("end", () => process.exit(0)).resume();
