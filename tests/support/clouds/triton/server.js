// A stateful CloudAPI with one account. usage: server.js LOGIN PUBLIC_KEY_FILE [KEY_NAME]; prints its port.
//
// Below /-/ is the side of the tests:
//   POST /-/fault     {"operation", "count", "kind": "error"|"delay"|"lost_reply"|"truncated"|"throttle"|"late"|"empty", "status", "code",
//                     "message", "millis"}. lost_reply carries the request out. late answers 500, and the machine appears afterwards; empty is a list without
//                     entries, as a replica that lags behind has it.
//   POST /-/settings  members of Account.settings
//   GET  /-/state     what exists: machines, keys, rules
//   GET  /-/calls     calls by operation, and what the judge refused
'use strict';

const fs = require('fs');
const http = require('http');
const { Account } = require('./account');
const { checkInputs, checkSignature, hasPassword, versionOf } = require('./judge');
const { operationOf } = require('./operations');
const { Refusal } = require('./refusal');

const [login, keyFile, keyName = 'cooperage'] = process.argv.slice(2);
const account = new Account(login);
account.addKey(keyName, fs.readFileSync(keyFile, 'utf8'));
const calls = { calls: {}, refused: [], signed_targets: 0, faults: 0 };
let faults = [];

function answer(response, status, body, headers = {}) {
    const text = body === undefined ? '' : JSON.stringify(body);
    const date = new Date(Date.now() + 1000 * account.settings.clock).toUTCString();
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), server: 'cloudapi/9.19.0',
        date, ...headers });
    response.end(text);
}

function takeFault(operation) {
    const fault = faults.find((one) => one.operation === operation || one.operation === '*');
    if (!fault) return {};
    fault.count -= 1;
    faults = faults.filter((one) => one.count > 0);
    calls.faults += 1;
    return fault;
}

function inputsOf(url, body) {
    const inputs = Object.fromEntries(url.searchParams);
    if (!body) return inputs;
    let given;
    try {
        given = JSON.parse(body);
    } catch (error) {
        throw new Refusal(400, 'InvalidContent', 'the body is not JSON');
    }
    return { ...inputs, ...given };
}

/** A refusal by the judge, which tests ask for, is kept; a refusal by the cloud is an answer like any other. */
function judged(request, act) {
    try {
        return act();
    } catch (error) {
        if (error instanceof Refusal) calls.refused.push({ request: `${request.method} ${request.url}`, why: error.message });
        throw error;
    }
}

async function perform(request, response, body) {
    const url = new URL(request.url, 'http://cloudapi');
    const [, who, ...rest] = url.pathname.split('/');
    const version = judged(request, () => versionOf(request, account));
    if (!hasPassword(request, version, account)) {
        calls.signed_targets += judged(request, () => checkSignature(request, account)) ? 1 : 0;
    }
    if (who !== 'my' && who !== account.login) throw new Refusal(404, 'ResourceNotFound', `Account ${who} does not exist`);
    const operation = operationOf(request.method, rest.map((word) => `/${word}`).join(''));
    calls.calls[operation.name] = (calls.calls[operation.name] || 0) + 1;
    const inputs = judged(request, () => inputsOf(url, body));
    judged(request, () => checkInputs(operation.name, inputs));
    const { allowed, forbidden } = account.settings;
    if (forbidden.includes(operation.name) || (allowed.length > 0 && !allowed.includes(operation.name))) {
        throw new Refusal(403, 'NotAuthorized', `You do not have permission to access ${url.pathname}`);
    }
    const fault = takeFault(operation.name);
    if (fault.kind === 'error') throw new Refusal(fault.status || 500, fault.code || 'InternalError', fault.message || 'it broke');
    if (fault.kind === 'throttle') throw new Refusal(420, 'RequestThrottled', 'You have exceeded your request rate of 2 r/s.');
    if (fault.kind === 'delay') await new Promise((done) => { setTimeout(done, fault.millis); });
    const delay = fault.kind === 'late' ? fault.millis : 0;
    const [status, result, headers = {}] = operation.act({ account, inputs, version, delay, words: operation.words });
    if (fault.kind === 'late') throw new Refusal(500, 'InternalError', 'An internal error occurred');
    if (fault.kind === 'empty') return answer(response, 200, [], { 'api-version': version });
    if (fault.kind === 'lost_reply') return request.socket.destroy();
    if (fault.kind === 'truncated') return truncate(request, response, result);
    return answer(response, status, result, { ...headers, 'api-version': version });
}

function truncate(request, response, result) {
    const text = JSON.stringify(result || {});
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
}

function state() {
    const machines = account.present().map((machine) => ({ ...account.shown(machine, '9.0.0'), number: machine.number }));
    return { machines, made: account.made, rules: [...account.rules.values()], keys: account.keys.map((key) => key.name) };
}

function control(request, response, body) {
    const what = `${request.method} ${request.url}`;
    if (what === 'POST /-/fault') faults.push({ count: 1, operation: '*', ...JSON.parse(body) });
    if (what === 'POST /-/settings') Object.assign(account.settings, JSON.parse(body));
    if (what === 'POST /-/keys') account.addKey(...Object.values(JSON.parse(body)));
    const answers = { 'GET /-/state': state, 'GET /-/calls': () => calls };
    answer(response, 200, (answers[what] || (() => ({})))());
}

function serve(request, response) {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
        const body = Buffer.concat(pieces).toString();
        if (request.url.startsWith('/-/')) return control(request, response, body);
        return perform(request, response, body).catch((error) => {
            if (!(error instanceof Refusal)) process.stderr.write(`${error.stack}\n`);
            answer(response, error.status || 500, { code: error.code || 'InternalError', message: error.message });
        });
    });
}

const server = http.createServer(serve);
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
