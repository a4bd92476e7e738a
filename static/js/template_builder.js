// Keeps the preview of a template up to date while it is edited: the form is sent as the button "Preview" sends it, and the
// preview is taken out of the page that comes back. Without this script the button does the same.
"use strict";

import { released } from "./press.js";

const pause = { typing: 700, busy: 2000, leaving: 5000 };
const form = document.getElementById("template-form");
let timer = null;
/// The request under way, and a promise of its end. The server works out one preview of a user at a time, and does not notice when a
/// request is given up.
let asking = null;
let is_leaving = false;

function say(words) {
    document.getElementById("preview-state").textContent = words;
}

function later(milliseconds) {
    clearTimeout(timer);
    timer = setTimeout(ask, milliseconds);
}

/// While there are problems the last sizes stay in sight, marked as those of an earlier state.
function keep_last_sizes(old, node) {
    const last = old.querySelector(".runs");
    if (!last || node.querySelector(".runs") || !node.querySelector(".problem")) return;
    const words = "The sizes below are those of the last template that could be read.";
    node.querySelector("#preview-state").textContent = words;
    const kept = last.cloneNode(true);
    kept.classList.add("outdated");
    for (const button of kept.querySelectorAll("button")) button.remove();
    node.append(kept);
}

// The focus stays where it is when it stands in the preview.
function show(fresh) {
    const old = document.getElementById("preview");
    old.removeAttribute("aria-busy");
    const node = document.importNode(fresh, true);
    keep_last_sizes(old, node);
    for (const part of old.querySelectorAll("details[id]")) {
        const again = node.querySelector(`#${part.id}`);
        if (again) again.open = part.open;
    }
    if (node.isEqualNode(old)) return;
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    old.replaceWith(node);
    if (focused) document.getElementById(focused)?.focus();
}

/// What is said beside a control because of others.
function follow(page) {
    for (const part of document.querySelectorAll("[data-follows]")) {
        const fresh = page.getElementById(part.id);
        if (fresh && part.innerHTML !== fresh.innerHTML) part.replaceChildren(...document.importNode(fresh, true).childNodes);
    }
}

async function ask() {
    if (asking) return later(pause.typing);
    document.getElementById("preview").setAttribute("aria-busy", "true");
    asking = answer_of(new FormData(form));
    const after = await asking;
    asking = null;
    if (is_leaving) return;
    await released();
    after();
    document.getElementById("preview").removeAttribute("aria-busy");
}

/// What to do with the server's answer.
async function answer_of(data) {
    try {
        const [address] = document.getElementById("enter").formAction.split("#");
        const answer = await fetch(address, {
            method: "POST",
            body: new URLSearchParams(data),
            headers: { "x-live-preview": "yes" },
            redirect: "error",
        });
        if (answer.status === 429 || answer.status === 503) return () => later(pause.busy);
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.getElementById("preview");
        if (!fresh) return () => say("The preview is out of date.");
        return () => {
            show(fresh);
            follow(page);
        };
    } catch {
        return () => say("The preview is out of date: the server could not be reached.");
    }
}

// A button waits for the preview under way: the server would refuse a second one.
form.addEventListener("submit", async (event) => {
    clearTimeout(timer);
    if (asking === null) return;
    event.preventDefault();
    if (is_leaving) return;
    is_leaving = true;
    const button = event.submitter;
    await Promise.race([asking, new Promise((resolve) => setTimeout(resolve, pause.leaving))]);
    asking = null;
    is_leaving = false;
    form.requestSubmit(button);
});

// Enter in a field previews, as it does without this script, but without a new page. In the numbers of the preview the focus stays.
form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input")) return;
    event.preventDefault();
    if (event.target.type === "search") return;
    if (!event.target.closest("#preview")) document.getElementById("preview-title").focus();
    later(0);
});

/// What the address leads to is in sight and, if it can have the focus, has it.
function seek() {
    const sought = location.hash === "" ? null : document.getElementById(location.hash.slice(1));
    if (!sought) return;
    const part = sought.closest("details.part");
    if (part) part.open = true;
    sought.scrollIntoView();
    if (sought.matches("input, select, textarea, button, [tabindex]")) sought.focus();
}

// On small screens the parts of the form are folded, but for the first of a new one and what has problems.
if (matchMedia("(max-width: 44rem)").matches) {
    const is_new = form.elements.namedItem("was").value === "";
    for (const [number, part] of form.querySelectorAll("details.part").entries()) {
        part.open = (is_new && number === 0) || part.querySelector(".problem:not(:empty), .note") !== null;
    }
}
seek();
addEventListener("hashchange", seek);

/// The services of a rule, at once; the words for none come with the preview.
function show_services(rule) {
    const chips = [];
    for (const box of rule.querySelectorAll(".checks input:checked")) {
        const chip = document.createElement("span");
        chip.className = "chip";
        chip.textContent = box.nextElementSibling.firstChild.textContent.trim();
        chips.push(chip, " ");
    }
    if (chips.length > 0) rule.querySelector("summary [data-follows]").replaceChildren(...chips);
}

form.addEventListener("input", (event) => {
    const rule = event.target.matches(".rule .checks input") ? event.target.closest(".rule") : null;
    if (rule) show_services(rule);
    const matters = event.target.name !== "note" && event.target.name !== "description";
    if (matters) later(pause.typing);
});
// Of a template that has no services yet there is nothing to ask.
const has_services = form.querySelector("[name='defaults.services']:checked, [name='json']") !== null;
// Also where the server has drawn a preview: something may have been typed before this script ran.
if (has_services) later(0);
