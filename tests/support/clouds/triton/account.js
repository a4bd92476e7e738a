// One account of a Triton data centre: keys, packages, images, networks, machines and firewall rules. Machines change with the clock.
'use strict';

const { randomUUID } = require('crypto');
const { parseKey } = require('./judge');
const { Refusal } = require('./refusal');

const PACKAGES = [
    { id: '14aea8fc-d0f8-11e5-bfe4-a7458dbc6c99', name: 'g4-highcpu-1G', memory: 1024, disk: 25600, swap: 4096, vcpus: 0, lwps: 4000,
        version: '1.0.3', group: 'High CPU', default: false },
    { id: '14ac1dd8-d0f8-11e5-9e1a-3b1f2c1e1a11', name: 'k4-general-kvm-3.75G', memory: 3840, disk: 51200, swap: 15360, vcpus: 1, lwps: 4000,
        version: '1.0.0', group: 'General', default: false },
];

const IMAGES = [
    { id: '1d05f2f4-4b1c-4c47-9d0f-5f2a0a6f4a01', name: 'debian-12', version: '20240612', os: 'linux', type: 'zvol', state: 'active',
        public: true, owner: '00000000-0000-0000-0000-000000000000', published_at: '2024-06-12T18:06:13Z',
        requirements: { brand: 'bhyve', ssh_key: true }, image_size: 10240 },
    { id: '2b683a82-a066-11e3-97ab-2faa44701c5a', name: 'base', version: '13.4.0', os: 'smartos', type: 'zone-dataset', state: 'active',
        public: true, owner: '00000000-0000-0000-0000-000000000000', published_at: '2014-02-28T10:43:13Z', requirements: {} },
];

const NETWORKS = [
    { id: '42325ea0-eb62-44c1-8eb6-0af3e2f83abc', name: 'external', public: true, prefix: '127.1.0.' },
    { id: 'c8cde927-6277-49ca-82a3-741e8b23b02f', name: 'internal', public: false, prefix: '10.88.88.' },
];

class Account {
    constructor(login) {
        this.login = login;
        this.id = randomUUID();
        this.keys = [];
        this.packages = PACKAGES;
        this.images = IMAGES;
        this.networks = NETWORKS;
        this.machines = new Map();
        this.rules = new Map();
        /** Milliseconds; `capacity` counts machines that are not deleted. A `password` lets API version 6.5 in, which knew passwords.
            `clock` is how many seconds the clock of the cloud is ahead. Operations in `forbidden`, and those not in an `allowed` that
            has any, are refused. */
        this.settings = { boot: 200, addresses: 100, allocation: 0, destroy: 200, capacity: 1000, quota: 1000, fails: 0, page: 1000, ssh: '',
            password: '', clock: 0, forbidden: [], allowed: [] };
        this.made = 0;
    }

    key(id) {
        return this.keys.find((key) => key.name === id || key.fingerprint === id);
    }

    addKey(name, text) {
        let parsed;
        try {
            parsed = parseKey(text);
        } catch (error) {
            throw new Refusal(409, 'InvalidArgument', 'Invalid Key');
        }
        const fingerprint = parsed.fingerprint('md5').toString('hex');
        if (this.key(name) || this.key(fingerprint)) throw new Refusal(409, 'InvalidArgument', `key ${name} already exists`);
        const key = { name, fingerprint, key: text.trim(), parsed };
        this.keys.push(key);
        return key;
    }

    /** The machine with its state as of now; deleted ones, too. */
    machine(id) {
        const machine = this.machines.get(id);
        if (!machine || machine.appears > Date.now()) throw new Refusal(404, 'ResourceNotFound', 'VM not found');
        return machine;
    }

    /** Machines that are there, in the order in which they were made. */
    present() {
        return [...this.machines.values()].filter((machine) => machine.appears <= Date.now() && this.state(machine) !== 'deleted');
    }

    /** Those that a listing shows: not the ones that failed, whose names are free again. */
    listed() {
        return this.present().filter((machine) => this.state(machine) !== 'failed');
    }

    state(machine) {
        const now = Date.now();
        if (machine.destroyed) return now < machine.destroyed ? 'stopping' : 'deleted';
        if (now < machine.booted) return 'provisioning';
        return machine.fails ? 'failed' : 'running';
    }

    createMachine(wanted, delay) {
        const image = this.images.find((known) => known.id === wanted.image);
        if (!wanted.image) throw new Refusal(409, 'MissingParameter', 'image must be specified');
        if (!image) throw new Refusal(404, 'ResourceNotFound', `${wanted.image} not found`);
        if (!wanted.package) throw new Refusal(409, 'MissingParameter', 'package must be specified');
        const size = this.packages.find((known) => known.id === wanted.package || known.name === wanted.package);
        if (!size) throw new Refusal(409, 'InvalidArgument', `${wanted.package} is not a valid package`);
        if (this.keys.length === 0) throw new Refusal(409, 'KeyRequired', 'At least one SSH key is required to provision');
        const networks = this.networksOf(wanted.networks);
        const there = this.listed();
        const id = randomUUID();
        const name = (wanted.name || '{{shortId}}').replace(/{{shortId}}/g, id.slice(0, 8));
        if (!/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,188}$/.test(name) || there.some((machine) => machine.name === name)) {
            throw new Refusal(409, 'ValidationFailed', 'Invalid VM parameters: Invalid machine name');
        }
        if (there.length >= this.settings.quota) {
            throw new Refusal(403, 'QuotaExceeded', 'Quota exceeded; to have your limits raised please contact Support');
        }
        if (there.length >= this.settings.capacity) {
            throw new Refusal(503, 'InsufficientCapacity', 'Insufficient capacity in datacenter to provision machine');
        }
        return this.add({ id, name, image, size, networks, wanted, delay });
    }

    add({ id, name, image, size, networks, wanted, delay }) {
        this.made += 1;
        const { settings } = this;
        const now = Date.now() + delay;
        const fails = settings.fails > 0;
        settings.fails -= fails ? 1 : 0;
        const machine = {
            id, name, image, size, networks, fails, appears: now, allocated: now + settings.allocation, booted: now + settings.boot,
            addressed: now + settings.boot + settings.addresses, destroyed: 0, number: this.made,
            tags: withPrefix(wanted, 'tag.'), metadata: withPrefix(wanted, 'metadata.'), firewall: wanted.firewall_enabled === true,
            brand: wanted.brand || image.requirements.brand || 'joyent', protected: wanted.deletion_protection === true,
        };
        machine.metadata.root_authorized_keys = this.keys.map((key) => key.key + '\n').join('');
        this.machines.set(id, machine);
        return machine;
    }

    networksOf(wanted) {
        const ids = wanted === undefined ? this.networks.map((network) => network.id) : wanted;
        if (!Array.isArray(ids)) throw new Refusal(409, 'InvalidArgument', 'Invalid Networks');
        return ids.map((entry) => {
            const id = typeof entry === 'string' ? entry : entry.ipv4_uuid;
            const network = this.networks.find((known) => known.id === id);
            if (!network) throw new Refusal(409, 'InvalidArgument', 'Invalid Networks');
            return network;
        });
    }

    /** False when the machine was gone already. */
    destroyMachine(machine) {
        const state = this.state(machine);
        if (state === 'deleted') return false;
        if (state === 'stopping') return true;
        if (machine.protected) {
            throw new Refusal(409, 'CannotDestroyMachineError', 'Instance has "deletion_protection" enabled, preventing deletion');
        }
        if (Date.now() < machine.allocated) {
            throw new Refusal(409, 'Conflict', 'Unable to delete a VM that has not been allocated to a server yet');
        }
        machine.destroyed = Date.now() + this.settings.destroy;
        return true;
    }

    /** As GetMachine shows it: no address before the machine has one. */
    shown(machine, version) {
        const addressed = !machine.fails && Date.now() >= machine.addressed;
        const nics = addressed ? machine.networks.map((network, place) => this.nic(machine, network, place)) : [];
        const shown = {
            id: machine.id, name: machine.name, type: ['kvm', 'bhyve'].includes(machine.brand) ? 'virtualmachine' : 'smartmachine',
            brand: machine.brand, state: this.state(machine), image: machine.image.id, ips: nics.map((nic) => nic.ip),
            memory: machine.size.memory, disk: machine.size.disk, deletion_protection: machine.protected, metadata: machine.metadata,
            tags: machine.tags, created: new Date(machine.appears).toISOString(), updated: new Date().toISOString(),
            firewall_enabled: machine.firewall, compute_node: addressed ? '44454c4c-4400-1057-8050-b5c04f383432' : null,
            package: machine.size.name,
        };
        if (!/^7\.0/.test(version)) shown.networks = nics.map((nic) => nic.network);
        if (nics.length > 0) {
            shown.primaryIp = nics[0].ip;
            shown.nics = nics;
        }
        return shown;
    }

    nic(machine, network, place) {
        const last = 2 + (machine.number % 250);
        const ip = network.public && this.settings.ssh ? this.settings.ssh : network.prefix + last;
        return { mac: `90:b8:d0:00:0${place}:${last.toString(16).padStart(2, '0')}`, primary: place === 0, ip, netmask: '255.255.255.0',
            gateway: network.prefix + '1', state: 'running', network: network.id };
    }

    addRule(wanted) {
        const rule = { id: randomUUID(), rule: wanted.rule, enabled: wanted.enabled === true, description: wanted.description, global: false };
        this.rules.set(rule.id, rule);
        return rule;
    }

    rule(id) {
        const rule = this.rules.get(id);
        if (!rule) throw new Refusal(404, 'ResourceNotFound', 'Rule not found');
        return rule;
    }
}

/** Inputs of that prefix without it. */
function withPrefix(inputs, prefix) {
    return Object.fromEntries(Object.entries(inputs).filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => [name.slice(prefix.length), value]));
}

module.exports = { Account };
