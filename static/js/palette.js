// Finds things by keyboard. "/" goes to the search box; Ctrl+K or Cmd+K opens the command palette: a combobox with a list (ARIA
// Authoring Practices) over the links of the navigation and what GET /search?as=json finds. The search box of the header has the same list below it. Also closes open groups of the navigation.
"use strict";

const box = document.getElementById("site-search");
// In a view of a tenant, what the server finds outside of it says so.
const pages = [...document.querySelectorAll(".nav a:not(.own a), .brand, .who a")].map((link) => ({
    label: link.matches(".brand") ? "Home" : link.matches(".who a") ? "Profile" : link.textContent.trim(),
    detail: "Page",
    href: link.href,
}));
// The buttons of the page that is open. They are looked for when the palette opens: pages change while they are open.
function doings() {
    return [...document.querySelectorAll("main .head .actions :is(a.button, form button), .viewing form button")].map((button) => ({
        label: button.textContent.trim(), button,
    }));
}
// The cluster whose page is open: what may be done with it is found first.
const open_cluster = location.pathname.match(/\/clusters\/(\d+)(?:\/|$)/)?.[1];
const slash_setting = "cooperage.slash";

function slash_is_on() {
    try {
        return localStorage.getItem(slash_setting) !== "off";
    } catch {
        return true;
    }
}

function set_slash(on) {
    try {
        localStorage.setItem(slash_setting, on ? "on" : "off");
    } catch {
        // Without storage the shortcut stays on.
    }
}

function made(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/// The groups without what has stood before: the same button, or a link to the same place by the same name.
function told_once(groups) {
    const buttons = new Set(groups.flatMap(({ hits }) => hits).filter(({ button }) => button?.href).map(({ button }) => button.href));
    const links = new Set();
    const is_new = ({ label, href, button }) => {
        if (button) return true;
        const address = new URL(href, location.href).href;
        const key = `${label} ${address}`;
        const is_known = buttons.has(address) || links.has(key);
        links.add(key);
        return !is_known;
    };
    return groups.map((group) => ({ ...group, hits: group.hits.filter(is_new) })).filter(({ hits }) => hits.length > 0);
}

function matching_pages(text) {
    const wanted = text.toLowerCase();
    const groups = [{ label: "Go to", hits: pages }, { label: "On this page", hits: doings() }].map(({ label, hits }) => (
        { label, hits: hits.filter((hit) => hit.label.toLowerCase().includes(wanted)) }));
    return groups.filter(({ hits }) => hits.length > 0);
}

/// The query of the page of results.
function query_of(text) {
    return `q=${encodeURIComponent(text)}${open_cluster ? `&cluster=${open_cluster}` : ""}`;
}

const not_answered = "The search was not answered.";

async function found_by_server(text, signal) {
    const answer = await fetch(`${box.form.action}?as=json&${query_of(text)}`, { headers: { "accept": "application/json" }, signal });
    if (answer.status === 410) throw new Error("You are no longer viewing this tenant.");
    if (!answer.ok || answer.redirected) throw new Error(not_answered);
    const { groups } = await answer.json();
    const all = { label: `All results for “${text}”`, href: `${box.form.action}?${query_of(text)}`, is_way_on: true };
    return groups.length > 0 ? [...groups, { label: "More", hits: [all] }] : groups;
}

/// What an input offers while it is typed into: its list, and a sentence on it. `leave` is called before a button is pressed. If
/// `begins` is set, the first option is selected at once, and without text all pages are offered; else Enter leads to the page of
/// results until one is selected.
class Suggestions {
    #options = [];
    #selected = -1;
    #asked = null;
    #timer = 0;

    constructor(input, name, { begins, leave }) {
        Object.assign(this, { input, name, begins, leave });
        // Tab would stop at a list that scrolls.
        this.list = made("div", { "id": `${name}-list`, "class": "palette-list", "role": "listbox", "aria-label": "Results", "tabindex": "-1" });
        this.nothing = made("p", { "class": "palette-nothing", "hidden": "", "aria-hidden": "true" }, "Nothing found.");
        this.summary = made("span", { "role": "status" });
        for (const [attribute, value] of Object.entries({
            "role": "combobox", "aria-expanded": "false", "aria-controls": this.list.id, "aria-autocomplete": "list", "autocomplete": "off", "spellcheck": "false",
        })) input.setAttribute(attribute, value);
        const keys = { ArrowDown: () => this.#move(1), ArrowUp: () => this.#move(-1), Enter: () => this.#go_on() };
        input.addEventListener("input", () => this.typed());
        input.addEventListener("keydown", (event) => {
            if (event.isComposing || !(event.key in keys)) return;
            event.preventDefault();
            keys[event.key]();
        });
        // The input keeps the focus.
        this.list.addEventListener("mousedown", (event) => event.preventDefault());
        this.list.addEventListener("click", (event) => this.#go(event.target.closest("[role=option]")));
    }

    typed() {
        const text = this.input.value.trim();
        this.stop();
        this.#draw(text === "" && !this.begins ? [] : matching_pages(text));
        if (text !== "") this.#timer = setTimeout(() => this.#look_for(text), 150);
    }

    /// Nothing that was asked for is drawn any more.
    stop() {
        clearTimeout(this.#timer);
        this.#asked?.abort();
    }

    clear() {
        this.stop();
        this.#draw([]);
    }

    async #look_for(text) {
        this.#asked = new AbortController();
        try {
            const groups = await found_by_server(text, this.#asked.signal);
            if (this.input.value.trim() !== text) return;
            this.#draw([...matching_pages(text), ...groups]);
            this.nothing.hidden = this.#options.length > 0;
        } catch (error) {
            if (error.name !== "AbortError") this.summary.textContent = error.name === "Error" ? error.message : not_answered;
        }
    }

    #draw(found_groups) {
        const groups = told_once(found_groups);
        this.list.replaceChildren();
        this.nothing.hidden = true;
        this.#options = [];
        for (const [at, group] of groups.entries()) {
            const title = made("div", { "role": "presentation", "id": `${this.name}-group-${at}` }, group.label);
            const items = group.hits.map((hit) => {
                const option = this.#option_of(hit);
                this.#options.push(option);
                return option;
            });
            this.list.append(made("div", { "role": "group", "aria-labelledby": title.id }, title, ...items));
        }
        const found = this.#options.filter((option) => !option.hit.is_way_on).length;
        const more = groups.some((group) => group.is_cut) ? "more than " : "";
        this.summary.textContent = this.input.value.trim() === "" && !this.begins ? "" : `${more}${found} ${found === 1 ? "result" : "results"}`;
        this.input.setAttribute("aria-expanded", String(this.#options.length > 0));
        this.#select(this.begins && this.#options.length > 0 ? 0 : -1);
    }

    #option_of(hit) {
        const option = made("div", { "role": "option", "id": `${this.name}-option-${this.#options.length}`, "aria-selected": "false" }, made("span", {}, hit.label));
        if (hit.detail) option.append(made("small", {}, hit.detail));
        option.hit = hit;
        return option;
    }

    #select(index) {
        this.#selected = index;
        this.#options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
        if (index < 0) return this.input.removeAttribute("aria-activedescendant");
        this.input.setAttribute("aria-activedescendant", this.#options[index].id);
        this.#options[index].scrollIntoView({ block: "nearest" });
    }

    #move(step) {
        const count = this.#options.length;
        if (count === 0) return;
        this.#select(this.#selected < 0 && step < 0 ? count - 1 : (this.#selected + step + count) % count);
    }

    #go(option) {
        if (!option) return;
        const { button, href } = option.hit;
        if (button === undefined) return location.assign(href);
        this.leave();
        button.click();
    }

    /// What is selected; the page of results where nothing is.
    #go_on() {
        const text = this.input.value.trim();
        if (this.#options[this.#selected]) this.#go(this.#options[this.#selected]);
        else if (text !== "") location.assign(`${box.form.action}?q=${encodeURIComponent(text)}`);
    }
}

const input = made("input", {
    "id": "palette-text", "type": "text", "aria-label": "Search, go to a page or do something", "placeholder": "A name, a page or what you want to do", "maxlength": "255",
});
const found = new Suggestions(input, "palette", { begins: true, leave: () => dialog.close() });
const slash = made("input", { "type": "checkbox", "id": "palette-slash" });
const dialog = made("dialog", { "class": "palette", "aria-label": "Command palette" },
    made("div", { "class": "palette-ask" }, input), found.list,
    made("div", { "class": "palette-foot" }, found.summary,
        made("label", { "for": "palette-slash" }, slash, made("kbd", {}, "/"), " goes to the search box")));

function open_palette() {
    if (!dialog.isConnected) document.body.append(dialog);
    slash.checked = slash_is_on();
    input.value = "";
    found.typed();
    dialog.showModal();
    input.focus();
}

slash.addEventListener("change", () => set_slash(slash.checked));
// A click beside the dialog is one on its backdrop.
dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
});

// The search box of the header offers the same below it.
const below_box = new Suggestions(box, "site-search", { begins: false, leave: () => close_box() });
below_box.summary.classList.add("visually-hidden");
box.form.append(made("div", { "class": "suggestions" }, below_box.list, below_box.nothing), below_box.summary);

function close_box() {
    below_box.clear();
    box.blur();
}

box.addEventListener("focus", () => below_box.typed());
box.addEventListener("blur", () => below_box.clear());
box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    // The first Escape closes the list, the next one leaves the box.
    event.preventDefault();
    if (box.getAttribute("aria-expanded") === "true") below_box.clear();
    else box.blur();
});

function is_typing(target) {
    return target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
}

document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (dialog.open) dialog.close();
        else open_palette();
        return;
    }
    const is_plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "/" && is_plain && !dialog.open && !is_typing(event.target) && slash_is_on()) {
        event.preventDefault();
        box.focus();
        box.select();
    }
});

const navigation = document.querySelector(".nav");

function close_groups(except) {
    for (const group of navigation.querySelectorAll("details[open]")) if (group !== except) group.open = false;
}

navigation.addEventListener("keydown", (event) => {
    const group = event.key === "Escape" && event.target.closest("details[open]");
    if (!group) return;
    group.open = false;
    group.querySelector("summary").focus();
});
document.addEventListener("click", (event) => close_groups(event.target.closest?.(".nav details")));
navigation.addEventListener("focusout", (event) => {
    const group = event.target.closest("details[open]");
    if (group && event.relatedTarget && !group.contains(event.relatedTarget)) group.open = false;
});

// Where there is a pointer that hovers, there is a keyboard, too.
const shortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl+K";
if (matchMedia("(hover: hover) and (pointer: fine) and (min-width: 44rem)").matches) box.placeholder = `Search or press ${shortcut}`;
