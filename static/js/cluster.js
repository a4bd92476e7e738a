// Keeps a page of clusters up to date while work is under way. The server draws the same page again and this script puts
// the parts marked data-live in place of the old ones: what is open stays open, what has the focus keeps it.
"use strict";

const pause = { busy: 1000, hidden: 5000, failed: 4000 };

function follows(root) {
    const marker = root.querySelector("[data-follow]");
    return marker !== null && marker.dataset.follow === "yes";
}

function at_end(box) {
    return box.scrollHeight - box.scrollTop - box.clientHeight < 24;
}

// Outputs follow their last line unless the reader has scrolled up.
function scroll_positions(part) {
    const positions = new Map();
    for (const box of part.querySelectorAll("pre[id]")) {
        positions.set(box.id, at_end(box) ? null : box.scrollTop);
    }
    return positions;
}

function restore_scroll(part, positions) {
    for (const box of part.querySelectorAll("pre[id]")) {
        const position = positions.get(box.id) ?? null;
        box.scrollTop = position === null ? box.scrollHeight : position;
    }
}

function replace(part, fresh) {
    if (part.innerHTML === fresh.innerHTML) return;
    const positions = scroll_positions(part);
    const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
    part.replaceChildren(...fresh.childNodes);
    restore_scroll(part, positions);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function update(page) {
    for (const part of document.querySelectorAll("[data-live]")) {
        const fresh = page.getElementById(part.id);
        if (fresh) replace(part, fresh);
    }
}

async function look_again() {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.redirected) return location.reload();
    if (!answer.ok) return schedule(pause.failed);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    update(page);
    if (follows(page)) schedule(document.hidden ? pause.hidden : pause.busy);
}

function schedule(delay) {
    setTimeout(() => look_again().catch(() => schedule(pause.failed)), delay);
}

if (follows(document)) {
    restore_scroll(document, new Map());
    schedule(pause.busy);
}
