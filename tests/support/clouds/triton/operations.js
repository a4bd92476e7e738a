// The calls of CloudAPI: method, path, name and what each does. An operation returns [status, body, headers].
'use strict';

const { checkRule } = require('./judge');
const { Refusal } = require('./refusal');

const FIRST_VERSION_WITH_DESCRIPTIONS = /^7\.0/;

function shownKey(key) {
    return { name: key.name, fingerprint: key.fingerprint, key: key.key };
}

function shownNetwork({ id, name, public: isPublic }) {
    return { id, name, public: isPublic, description: `${name} network` };
}

function found(list, id, what) {
    const one = list.find((entry) => entry.id === id);
    if (!one) throw new Refusal(404, 'ResourceNotFound', `${id} not found`);
    return one;
}

function number(text, name, most) {
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text) || Number(text) > most) throw new Refusal(409, 'InvalidArgument', `${name} is not valid`);
    return Number(text);
}

const STATES = [undefined, 'provisioning', 'running', 'stopping', 'stopped', 'active', 'unknown', 'destroyed'];

function listMachines({ account, inputs, version }) {
    if (!STATES.includes(inputs.state)) throw new Refusal(409, 'InvalidArgument', `${inputs.state} is not a valid state`);
    const tags = Object.entries(inputs).filter(([name]) => name.startsWith('tag.'));
    const chosen = account.listed().filter((machine) => (!inputs.name || machine.name === inputs.name)
        && (!inputs.state || inputs.state === 'active' || account.state(machine) === inputs.state)
        && tags.every(([name, value]) => String(machine.tags[name.slice(4)]) === value));
    const limit = Math.min(number(inputs.limit, 'limit', 1000) || 1000, account.settings.page);
    const offset = number(inputs.offset, 'offset', 1e9) || 0;
    const page = chosen.slice(offset, offset + limit);
    return [200, page.map((machine) => account.shown(machine, version)),
        { 'x-query-limit': String(limit), 'x-resource-count': String(page.length) }];
}

function createMachine({ account, inputs, version, delay }) {
    const machine = account.createMachine(inputs, delay);
    return [201, account.shown(machine, version), { location: `/${account.login}/machines/${machine.id}` }];
}

function getMachine({ account, version, words: [id] }) {
    const machine = account.machine(id);
    return [account.state(machine) === 'deleted' ? 410 : 200, account.shown(machine, version)];
}

function deleteMachine({ account, version, words: [id] }) {
    const machine = account.machine(id);
    return account.destroyMachine(machine) ? [204] : [410, account.shown(machine, version)];
}

function actOnMachine({ account, inputs, words: [id] }) {
    const machine = account.machine(id);
    if (!['enable_firewall', 'disable_firewall'].includes(inputs.action)) throw new Refusal(409, 'InvalidArgument', 'unknown action');
    machine.firewall = inputs.action === 'enable_firewall';
    return [202];
}

function addTags({ account, inputs, words: [id] }) {
    return [200, Object.assign(account.machine(id).tags, inputs)];
}

function createRule({ account, inputs, version }) {
    if (!inputs.rule) throw new Refusal(409, 'MissingParameter', 'rule must be specified');
    checkRule(inputs.rule, account.id);
    const rule = account.addRule(inputs);
    return [201, FIRST_VERSION_WITH_DESCRIPTIONS.test(version) ? { id: rule.id, rule: rule.rule, enabled: rule.enabled } : rule];
}

function updateRule({ account, inputs, words: [id] }) {
    if (inputs.rule) checkRule(inputs.rule, account.id);
    return [200, Object.assign(account.rule(id), inputs)];
}

function deleteRule({ account, words: [id] }) {
    account.rules.delete(account.rule(id).id);
    return [204];
}

function createKey({ account, inputs }) {
    if (!inputs.key) throw new Refusal(409, 'MissingParameter', 'key must be specified');
    return [201, shownKey(account.addKey(inputs.name, inputs.key))];
}

function deleteKey({ account, words: [id] }) {
    const key = account.key(id);
    if (!key) throw new Refusal(404, 'ResourceNotFound', 'key not found');
    account.keys.splice(account.keys.indexOf(key), 1);
    return [204];
}

function getAccount({ account }) {
    return [200, { id: account.id, login: account.login, email: 'joe@example.com', triton_cns_enabled: false }];
}

const OPERATIONS = [
    ['GET', /^$/, 'GetAccount', getAccount],
    ['GET', /^\/keys$/, 'ListKeys', ({ account }) => [200, account.keys.map(shownKey)]],
    ['POST', /^\/keys$/, 'CreateKey', createKey],
    ['DELETE', /^\/keys\/([^/]+)$/, 'DeleteKey', deleteKey],
    ['GET', /^\/images$/, 'ListImages', ({ account }) => [200, account.images]],
    ['GET', /^\/images\/([^/]+)$/, 'GetImage', ({ account, words: [id] }) => [200, found(account.images, id)]],
    ['GET', /^\/packages$/, 'ListPackages', ({ account }) => [200, account.packages]],
    ['GET', /^\/packages\/([^/]+)$/, 'GetPackage', ({ account, words: [id] }) => [200, found(account.packages, id)]],
    ['GET', /^\/networks$/, 'ListNetworks', ({ account }) => [200, account.networks.map(shownNetwork)]],
    ['GET', /^\/networks\/([^/]+)$/, 'GetNetwork', ({ account, words: [id] }) => [200, shownNetwork(found(account.networks, id))]],
    ['GET', /^\/machines$/, 'ListMachines', listMachines],
    ['POST', /^\/machines$/, 'CreateMachine', createMachine],
    ['GET', /^\/machines\/([^/]+)$/, 'GetMachine', getMachine],
    ['POST', /^\/machines\/([^/]+)$/, 'ActOnMachine', actOnMachine],
    ['DELETE', /^\/machines\/([^/]+)$/, 'DeleteMachine', deleteMachine],
    ['GET', /^\/machines\/([^/]+)\/tags$/, 'ListMachineTags', ({ account, words: [id] }) => [200, account.machine(id).tags]],
    ['POST', /^\/machines\/([^/]+)\/tags$/, 'AddMachineTags', addTags],
    ['GET', /^\/machines\/([^/]+)\/metadata$/, 'ListMachineMetadata', ({ account, words: [id] }) => [200, account.machine(id).metadata]],
    ['GET', /^\/fwrules$/, 'ListFirewallRules', ({ account }) => [200, [...account.rules.values()]]],
    ['POST', /^\/fwrules$/, 'CreateFirewallRule', createRule],
    ['GET', /^\/fwrules\/([^/]+)$/, 'GetFirewallRule', ({ account, words: [id] }) => [200, account.rule(id)]],
    ['POST', /^\/fwrules\/([^/]+)$/, 'UpdateFirewallRule', updateRule],
    ['DELETE', /^\/fwrules\/([^/]+)$/, 'DeleteFirewallRule', deleteRule],
];

/** The operation of a method and a path below the account, with the words of the path. */
function operationOf(method, path) {
    for (const [wanted, pattern, name, act] of OPERATIONS) {
        const match = pattern.exec(path);
        if (match && (wanted === method || (wanted === 'GET' && method === 'HEAD'))) {
            return { name, act, words: match.slice(1).map(decodeURIComponent) };
        }
    }
    throw new Refusal(404, 'ResourceNotFound', `${path} does not exist`);
}

module.exports = { operationOf };
