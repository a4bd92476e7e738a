// Keeps a page up to date while it changes. The server draws the same page again and sends the parts marked data-live that have
// another fingerprint (fcgi/views/live_parts.hpp). What is open stays open, what has the focus keeps it, what is selected stays
// selected. Short polls: an open stream would hold one of the server's threads for every reader.
"use strict";

import "./cells.js";
import { is_pressed } from "./press.js";

const pause = { busy: 1000, hidden: 5000, failed: 4000, lost_after: 6000, between_news: 60000 };
let last_answer = Date.now();

function follows(root) {
    return root.querySelector("[data-follow=yes]") !== null;
}

function at_end(box) {
    return box.scrollHeight - box.scrollTop - box.clientHeight < 24;
}

const outputs_in_parts = "[data-live] pre[id]";

// Outputs follow their last line unless the reader has scrolled up.
function scroll_positions(part) {
    const positions = new Map();
    for (const box of part.querySelectorAll(outputs_in_parts)) {
        positions.set(box.id, at_end(box) ? null : box.scrollTop);
    }
    return positions;
}

function restore_scroll(part, positions) {
    for (const box of part.querySelectorAll(outputs_in_parts)) {
        const position = positions.get(box.id) ?? null;
        box.scrollTop = position === null ? box.scrollHeight : position;
    }
}

function is_selected(part) {
    const selection = document.getSelection();
    return !selection.isCollapsed && selection.containsNode(part, true);
}

// Where only outputs have grown, the rest is added to their texts and nothing else of the part is touched.
function grows_only(part, fresh) {
    const outputs = part.querySelectorAll("pre[id]");
    if (outputs.length === 0) return false;
    const old = part.cloneNode(true);
    const wanted = document.createElement(part.tagName);
    wanted.append(fresh.cloneNode(true));
    for (const box of [...old.querySelectorAll("pre[id]"), ...wanted.querySelectorAll("pre[id]")]) box.textContent = "";
    if (old.innerHTML !== wanted.innerHTML) return false;
    for (const box of outputs) {
        const text = fresh.getElementById(box.id).textContent;
        if (!text.startsWith(box.textContent)) return false;
        if (box.firstChild === null) box.append("");
        const follow = at_end(box);
        box.firstChild.appendData(text.slice(box.textContent.length));
        if (follow) box.scrollTop = box.scrollHeight;
    }
    return true;
}

function fragment_of(part, html) {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.createContextualFragment(html);
}

/// Those that can have the focus.
function controls_of(part) {
    return [...part.querySelectorAll("a[href], button, input, select, summary")].filter((one) => one.checkVisibility() && !one.disabled);
}

/// Those on which a press that was meant for another control does no harm.
function harmless_of(part) {
    return controls_of(part).filter((one) => one.matches("a, summary"));
}

/// What is in the place of an element that had the focus: by its id, or the same link or button. If there is none any more, the
/// link at its place among the links of the part, or else the page's content, so that the next press of Tab does not begin at the top of
/// the window.
function successor_of(element, place, part) {
    const is_same = (one) => one.textContent === element.textContent && one.getAttribute("href") === element.getAttribute("href") &&
        one.form?.getAttribute("action") === element.form?.getAttribute("action");
    const same = element.id ? document.getElementById(element.id) : controls_of(part).find(is_same);
    const links = harmless_of(part);
    return same ?? links[Math.min(place, links.length - 1)] ?? document.getElementById("main");
}

/// The choices of a filter follow, and what was chosen stays chosen, also if it is no choice any more. They wait while the control has the
/// focus: its list may be open.
function replace_choices(control, fresh) {
    if (control === document.activeElement) return false;
    const chosen = control.selectedOptions[0];
    control.replaceChildren(fresh);
    const same = [...control.options].find((one) => one.value === chosen?.value);
    if (same) same.selected = true;
    else if (chosen) control.append(chosen);
    return true;
}

/// Returns whether the part is now as the server has it.
function replace(part, html) {
    const fresh = fragment_of(part, html);
    if (grows_only(part, fresh)) return true;
    if (is_selected(part)) return false;
    if (part.matches("select")) return replace_choices(part, fresh);
    const positions = scroll_positions(part);
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const place = focused ? harmless_of(part).indexOf(focused) : -1;
    const open = [...part.querySelectorAll("details[id][open]")].map((one) => one.id);
    part.replaceChildren(fresh);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    restore_scroll(part, positions);
    if (focused) successor_of(focused, place, part)?.focus({ preventScroll: true });
    return true;
}

/// Puts the rows of a list in order, and says whether the list is now as the server has it. Rows that stay where they are are not
/// touched. A row that has the focus stays as the last one until it has not.
function arrange(list, wanted, added) {
    const grows = [...list.children].every((row, place) => row.id === wanted[place]);
    if (is_selected(list) && !grows) return false;
    const focused = list.contains(document.activeElement) ? document.activeElement.id : "";
    const row_in_use = [...list.children].find((row) => row.contains(document.activeElement))?.id;
    const stays_longer = row_in_use !== undefined && !wanted.includes(row_in_use);
    const order = stays_longer ? [...wanted, row_in_use] : wanted;
    let next = list.firstElementChild;
    for (const id of order) {
        const row = document.getElementById(id) ?? fragment_of(list, added[id]).firstElementChild;
        if (row === next) next = next.nextElementSibling;
        else list.insertBefore(row, next);
    }
    while (next !== null) {
        const gone = next;
        next = next.nextElementSibling;
        gone.remove();
    }
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    return !stays_longer;
}

function what_is_here() {
    const parts = [...document.querySelectorAll("[data-live]")];
    return parts.map((part) => `${part.id}=${part.dataset.live}`).join(", ");
}

/// Returns whether everything is now as the server has it. What is not is sent again next time.
function update(news) {
    if (is_pressed()) return false;
    let is_whole = true;
    const logs = [...document.querySelectorAll(".log")].filter(at_end);
    for (const [id, { fingerprint, html, order, added }] of Object.entries(news.parts)) {
        const part = document.getElementById(id);
        if (part === null) continue;
        const is_done = order === undefined ? replace(part, html) : arrange(part, order, added);
        if (is_done) part.dataset.live = fingerprint;
        is_whole &&= is_done;
    }
    for (const log of logs) log.scrollTop = log.scrollHeight;
    if (news.follows) tell_progress();
    const title = new DOMParser().parseFromString(`<title>${news.title}</title>`, "text/html").title;
    if (title === "") return is_whole;
    // Who does not see the page hears how it ends.
    if (!news.follows && title !== document.title) ending.textContent = title.replace(/ · [^·]*$/, "");
    document.title = title;
    return is_whole;
}

function news_here() {
    const news = document.querySelector("#news > span");
    return { text: news?.textContent ?? "", failed: Number(news?.dataset.failed ?? 0), at: Date.now() };
}

/// Who does not see the page hears how far the work is: once a minute, and at once when the first task fails.
function tell_progress() {
    const news = news_here();
    const is_due = news.at - told.at >= pause.between_news || news.failed > 0 && told.failed === 0;
    if (!is_due || news.text === told.text) return;
    told = news;
    ending.textContent = news.text;
}

// A log that shows its end does so without a script from below; from here on it is scrolled as usual.
for (const log of document.querySelectorAll(".log.from-end")) {
    log.classList.remove("from-end");
    log.scrollTop = log.scrollHeight;
    if (location.hash.startsWith("#L")) document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "center" });
}

const ending = document.createElement("p");
ending.className = "visually-hidden";
ending.setAttribute("role", "status");
let told = news_here();

// The sentence is spoken once; the seconds are for the eye alone.
const connection = document.createElement("div");
const silence = document.createElement("span");
silence.setAttribute("aria-hidden", "true");

function say_whether_lost() {
    const silent = Date.now() - last_answer;
    const is_lost = silent > pause.lost_after && !document.hidden;
    if (is_lost !== connection.classList.contains("note")) {
        connection.className = is_lost ? "note warn" : "";
        connection.replaceChildren(...is_lost ? ["Connection lost. This page is not up to date. ", silence] : []);
    }
    if (is_lost) silence.textContent = `Last update ${Math.round(silent / 1000)} s ago.`;
}

function say_view_has_ended() {
    clearInterval(watch);
    connection.className = "note warn";
    connection.replaceChildren("The view has ended. This page is not kept up to date.");
    ending.textContent = "";
}

async function look_again() {
    const unseen = document.hidden ? { "x-hidden": "yes" } : {};
    const answer = await fetch(location.href, { headers: { "accept": "text/html", "x-live-parts": what_is_here(), ...unseen } });
    // A page that needs another sign-in, or is not there any more.
    if (answer.redirected || answer.status === 404) return location.reload();
    // The view of a tenant was ended in another tab. A reload would ask for it again.
    if (answer.status === 410) return say_view_has_ended();
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    last_answer = Date.now();
    const is_whole = update(news);
    for (const marker of document.querySelectorAll("[data-follow]")) marker.dataset.follow = news.follows ? "yes" : "no";
    if (news.follows || !is_whole) return follow(document.hidden ? pause.hidden : pause.busy);
    clearInterval(watch);
    watch = 0;
    is_idle = true;
    say_whether_lost();
}

function schedule(delay) {
    setTimeout(() => look_again().catch(() => schedule(pause.failed)), delay);
}

function follow(delay) {
    if (watch === 0) watch = setInterval(say_whether_lost, 1000);
    schedule(delay);
}

let watch = 0;
let is_idle = !follows(document);
if (document.querySelector("[data-follow]") !== null) {
    restore_scroll(document, new Map());
    connection.id = "connection";
    connection.setAttribute("role", "status");
    document.getElementById("main").prepend(connection, ending);
    if (follows(document)) follow(pause.busy);
    // Nothing was under way. Whoever comes back to the page may have begun something elsewhere.
    document.addEventListener("visibilitychange", () => {
        if (document.hidden || !is_idle) return;
        is_idle = false;
        look_again().catch(() => { is_idle = true; });
    });
}
