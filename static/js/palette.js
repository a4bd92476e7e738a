// Finds things by keyboard. "/" goes to the search box; Ctrl+K or Cmd+K opens the command palette: a combobox with a list (ARIA
// Authoring Practices) over the links of the navigation and what GET /search?as=json finds. Also closes open groups of the navigation.
"use strict";

const box = document.getElementById("site-search");
const pages = [...document.querySelectorAll(".nav a, .brand, .who a")].map((link) => ({
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

const input = made("input", {
    "id": "palette-text", "type": "text", "role": "combobox", "aria-expanded": "true", "aria-controls": "palette-list",
    "aria-autocomplete": "list", "aria-label": "Search, go to a page or do something", "placeholder": "A name, a page or what you want to do", "autocomplete": "off", "spellcheck": "false", "maxlength": "255",
});
const list = made("div", { "id": "palette-list", "class": "palette-list", "role": "listbox", "aria-label": "Results" });
const summary = made("span", { "role": "status" });
const slash = made("input", { "type": "checkbox", "id": "palette-slash" });
const dialog = made("dialog", { "class": "palette", "aria-label": "Command palette" },
    made("div", { "class": "palette-ask" }, input), list,
    made("div", { "class": "palette-foot" }, summary,
        made("label", { "for": "palette-slash" }, slash, made("kbd", {}, "/"), " goes to the search box")));
let options = [];
let selected = -1;
let asked = null;
let timer = 0;

function select(index) {
    selected = index;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    if (index < 0) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", options[index].id);
    options[index].scrollIntoView({ block: "nearest" });
}

function option_of(hit, number) {
    const option = made("div", { "role": "option", "id": `palette-option-${number}`, "aria-selected": "false" }, made("span", {}, hit.label));
    if (hit.detail) option.append(made("small", {}, hit.detail));
    option.hit = hit;
    return option;
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

function draw(found_groups) {
    const groups = told_once(found_groups);
    list.replaceChildren();
    options = [];
    for (const [at, group] of groups.entries()) {
        const title = made("div", { "role": "presentation", "id": `palette-group-${at}` }, group.label);
        const items = group.hits.map((hit) => {
            const option = option_of(hit, options.length);
            options.push(option);
            return option;
        });
        list.append(made("div", { "role": "group", "aria-labelledby": title.id }, title, ...items));
    }
    const found = options.filter((option) => !option.hit.is_way_on).length;
    const more = groups.some((group) => group.is_cut) ? "more than " : "";
    summary.textContent = `${more}${found} ${found === 1 ? "result" : "results"}`;
    select(options.length > 0 ? 0 : -1);
}

function matching_pages(text) {
    const wanted = text.toLowerCase();
    const groups = [{ label: "Go to", hits: pages }, { label: "On this page", hits: doings() }].map(({ label, hits }) => (
        { label, hits: hits.filter((hit) => hit.label.toLowerCase().includes(wanted)) }));
    return groups.filter(({ hits }) => hits.length > 0);
}

async function look_for(text) {
    asked?.abort();
    asked = new AbortController();
    const asked_for = `q=${encodeURIComponent(text)}${open_cluster ? `&cluster=${open_cluster}` : ""}`;
    const address = `${box.form.action}?as=json&${asked_for}`;
    const answer = await fetch(address, { headers: { "accept": "application/json" }, signal: asked.signal });
    if (!answer.ok || answer.redirected) throw new Error("the search was not answered");
    const { groups } = await answer.json();
    const all = { label: `All results for “${text}”`, href: `${box.form.action}?${asked_for}`, is_way_on: true };
    const way_on = groups.length > 0 ? [{ label: "More", hits: [all] }] : [];
    if (input.value.trim() === text) draw([...matching_pages(text), ...groups, ...way_on]);
}

function typed() {
    const text = input.value.trim();
    clearTimeout(timer);
    asked?.abort();
    draw(matching_pages(text));
    if (text === "") return;
    timer = setTimeout(() => look_for(text).catch((error) => {
        if (error.name !== "AbortError") summary.textContent = "The search was not answered.";
    }), 150);
}

function go(option) {
    if (!option) return;
    const { button, href } = option.hit;
    if (button === undefined) return location.assign(href);
    dialog.close();
    button.click();
}

/// What is chosen; the page of results where nothing was found, or not yet.
function go_on() {
    const text = input.value.trim();
    if (options[selected]) go(options[selected]);
    else if (text !== "") location.assign(`${box.form.action}?q=${encodeURIComponent(text)}`);
}

function move(step) {
    if (options.length > 0) select((selected + step + options.length) % options.length);
}

function open_palette() {
    if (!dialog.isConnected) document.body.append(dialog);
    slash.checked = slash_is_on();
    input.value = "";
    typed();
    dialog.showModal();
    input.focus();
}

const keys = { ArrowDown: () => move(1), ArrowUp: () => move(-1), Enter: go_on };
input.addEventListener("input", typed);
input.addEventListener("keydown", (event) => {
    if (event.isComposing || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
});
list.addEventListener("click", (event) => go(event.target.closest("[role=option]")));
slash.addEventListener("change", () => set_slash(slash.checked));
// A click beside the dialog is one on its backdrop.
dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
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

box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.blur();
});
// Where there is a pointer that hovers, there is a keyboard, too.
const shortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘K" : "Ctrl+K";
if (matchMedia("(hover: hover) and (pointer: fine) and (min-width: 44rem)").matches) box.placeholder = `Search or press ${shortcut}`;
