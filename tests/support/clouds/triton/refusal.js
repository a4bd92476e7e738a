'use strict';

/** An answer with an error of CloudAPI. */
class Refusal extends Error {
    constructor(status, code, message) {
        super(message);
        this.status = status;
        this.code = code;
    }
}

module.exports = { Refusal };
