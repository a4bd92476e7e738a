// Decides whether a request may pass: signature and clock by npm http-signature, versions by npm semver, members of bodies and queries by
// the tables of CloudAPI's documentation, firewall rules by npm fwrule.
'use strict';

const fwrule = require('fwrule');
const semver = require('semver');
const signature = require('http-signature');
const sshpk = require('sshpk');
const { Refusal } = require('./refusal');

const API_VERSIONS = ['9.0.0', '8.0.0', '7.3.0', '7.2.0', '7.1.0', '7.0.0'];
const SKEW_SECONDS = 300;

/** What the documentation lists as inputs of each call. Names that end in a dot are prefixes. */
const INPUTS = {
    CreateMachine: ['name', 'package', 'image', 'networks', 'affinity', 'locality', 'metadata.', 'tag.', 'brand', 'firewall_enabled',
        'deletion_protection', 'allow_shared_images', 'volumes', 'disks', 'encrypted', 'delegate_dataset'],
    ListMachines: ['type', 'brand', 'name', 'image', 'state', 'memory', 'tombstone', 'limit', 'offset', 'tag.', 'tags', 'docker',
        'credentials'],
    ListImages: ['name', 'os', 'version', 'public', 'state', 'owner', 'type'],
    ListPackages: ['name', 'memory', 'disk', 'swap', 'lwps', 'version', 'vcpus', 'group', 'brand', 'flexible_disk'],
    CreateFirewallRule: ['rule', 'enabled', 'description', 'log'],
    CreateKey: ['name', 'key'],
    GetMachine: ['credentials'],
};

function isKnown(inputs, name) {
    return inputs.some((input) => (input.endsWith('.') ? name.startsWith(input) && name !== input : input === name));
}

/** The newest version of the API that the range asks for. */
function versionOf(request, account) {
    const range = request.headers['accept-version'] || request.headers['api-version'];
    if (!range) throw new Refusal(449, 'InvalidVersion', 'no Accept-Version header was sent');
    const known = account.settings.password ? [...API_VERSIONS, '6.5.0'] : API_VERSIONS;
    const version = semver.maxSatisfying(known, range);
    if (!version) throw new Refusal(449, 'InvalidVersion', `${range} is not supported by ${request.method} ${request.url}`);
    return version;
}

/** Calls `act` with a clock that is ahead: http-signature knows no other way. */
function withClock(seconds, act) {
    const Usual = Date;
    class Shifted extends Usual {
        constructor(...parts) {
            super(...(parts.length > 0 ? parts : [Usual.now() + 1000 * seconds]));
        }
    }
    global.Date = Shifted;
    try {
        return act();
    } finally {
        global.Date = Usual;
    }
}

/** Whether the request has the password that API version 6.5 took. */
function hasPassword(request, version, account) {
    const expected = `Basic ${Buffer.from(`${account.login}:${account.settings.password}`).toString('base64')}`;
    return version === '6.5.0' && request.headers.authorization === expected;
}

/** Throws unless the request is signed by a key of the account, for its target and its date or for its date alone. */
function checkSignature(request, account) {
    let parsed;
    try {
        parsed = withClock(account.settings.clock,
            () => signature.parseRequest(request, { clockSkew: SKEW_SECONDS, headers: ['date'] }));
    } catch (error) {
        if (!/^Signature /.test(request.headers.authorization || '')) {
            throw new Refusal(401, 'InvalidCredentials', 'You must make authenticated requests to use CloudAPI');
        }
        const status = error.name === 'MissingHeaderError' ? [401, 'InvalidCredentials'] : [400, 'InvalidHeader'];
        throw new Refusal(...status, `Authorization header invalid: ${error.message}`);
    }
    const [, login, kind, id] = parsed.keyId.split('/');
    const key = kind === 'keys' && login === account.login && account.key(decodeURIComponent(id || ''));
    if (!key || !signature.verifySignature(parsed, key.parsed.toString('pem'))) {
        throw new Refusal(401, 'InvalidCredentials', 'Invalid authorization credentials supplied');
    }
    return parsed.params.headers.includes('(request-target)');
}

/** Throws for inputs that no documentation knows. */
function checkInputs(operation, inputs) {
    const known = INPUTS[operation];
    for (const name of Object.keys(inputs)) {
        if (known && !isKnown(known, name)) throw new Refusal(409, 'InvalidArgument', `${operation} has no input ${name}`);
        const plain = ['string', 'number', 'boolean'].includes(typeof inputs[name]);
        if (/^(tag|metadata)\./.test(name) && !plain) throw new Refusal(409, 'InvalidArgument', `Invalid ${name}`);
    }
}

/** Throws unless npm fwrule can read the rule. */
function checkRule(text, owner) {
    try {
        fwrule.create({ rule: text, owner_uuid: owner, version: 1, enabled: true });
    } catch (error) {
        throw new Refusal(409, 'InvalidParameters', `Invalid rule: ${error.message}`);
    }
}

function parseKey(text) {
    return sshpk.parseKey(text, 'ssh');
}

module.exports = { checkInputs, checkRule, checkSignature, hasPassword, parseKey, versionOf };
