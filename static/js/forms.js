// What makes forms and times better where scripts run. Everything works without it.
"use strict";

/// Each form is sent once: a second press of its button does nothing until the answer is there. The server keeps what is made from
/// being made twice all the same (the field "once").
document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    if (form.dataset.sent === "yes") return event.preventDefault();
    form.dataset.sent = "yes";
    form.setAttribute("aria-busy", "true");
    // What leads to no new page, a download for example, may be sent again.
    setTimeout(() => allow_again(form), 5000);
});

/// A control that is wrong and in a closed part of the form could not be shown.
document.addEventListener("invalid", (event) => {
    for (let part = event.target.closest("details"); part !== null; part = part.parentElement.closest("details")) part.open = true;
}, true);

/// Whether somebody has changed the control since the page came.
function is_changed(control) {
    if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
    if (!control.options) return control.value !== control.defaultValue;
    const first = [...control.options].findIndex((option) => option.defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
}

// What was typed into a part of a form that was opened is seen again after Back, where the browser has kept it.
window.addEventListener("pageshow", () => {
    for (const part of document.querySelectorAll('form[method="post"] details.more:not([open])')) {
        if ([...part.querySelectorAll("input, select, textarea")].some(is_changed)) part.open = true;
    }
});

function allow_again(form) {
    delete form.dataset.sent;
    form.removeAttribute("aria-busy");
}

// A page that comes back from the browser's memory has forms that may be sent again.
window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll("form[data-sent]")) allow_again(form);
});

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const utc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

/// Times are written in UTC. The reader's own time comes before it: in the tooltip of a relative time, in the text of an absolute one.
function localize(time) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) return;
    if (utc.test(time.title)) time.title = `${local.format(moment)} (${time.title})`;
    if (!utc.test(time.textContent)) return;
    const written = time.textContent;
    // Where times are typed in UTC beside, they are shown so, too.
    if (time.hasAttribute("data-utc")) {
        time.title = `${local.format(moment)}, ${time.title}`;
        return;
    }
    time.textContent = local.format(moment);
    time.title = time.title === "" ? written : `${written}, ${time.title}`;
}

function localize_all(root) {
    for (const time of root.querySelectorAll("time[datetime]")) localize(time);
}

localize_all(document);
// Parts of a page that are drawn anew have new times.
new MutationObserver((changes) => {
    for (const change of changes) {
        for (const node of change.addedNodes) if (node.nodeType === Node.ELEMENT_NODE) localize_all(node.parentElement ?? node);
    }
}).observe(document.getElementById("main"), { childList: true, subtree: true });

// The current one of a row of tabs is in sight, in the middle if there is room on both sides.
for (const current of document.querySelectorAll(".tabs [aria-current]")) {
    const row = current.closest(".tabs");
    // At first, and when the screen is turned.
    new ResizeObserver(() => {
        const place = current.getBoundingClientRect();
        const middle = row.getBoundingClientRect().left + row.clientWidth / 2;
        row.scrollLeft += place.left + place.width / 2 - middle;
    }).observe(row);
}

// A list of boxes is ticked as a whole.
for (const all of document.querySelectorAll("input[data-ticks]")) {
    const boxes = document.querySelectorAll(`input[name="${all.dataset.ticks}"]`);
    all.closest("label").hidden = false;
    // Of a list that is narrowed those that are shown.
    const shown = () => [...boxes].filter((box) => !box.closest("[data-item][hidden]"));
    all.addEventListener("change", () => {
        for (const box of shown()) box.checked = all.checked;
        document.dispatchEvent(new Event("ticked"));
    });
    const follow = () => {
        const ticked = shown().filter((box) => box.checked).length;
        all.checked = ticked > 0 && ticked === shown().length;
        all.indeterminate = ticked > 0 && !all.checked;
    };
    for (const box of boxes) box.addEventListener("change", follow);
    document.addEventListener("narrowed", follow);
    follow();
}

/// A text of the page with numbers in it.
function filled(pattern, ...numbers) {
    return pattern.replace(/\{(\d)\}/g, (_, place) => numbers[place].toLocaleString("en"));
}

// Beside the button of a form stands how many are selected, also of those that a filter hides.
for (const said of document.querySelectorAll("[data-selected]")) {
    const boxes = [...said.closest("form").querySelectorAll(`input[name="${said.dataset.selected}"]`)];
    const count = () => {
        const ticked = boxes.filter((box) => box.checked);
        const unseen = ticked.filter((box) => box.closest("[data-item][hidden]")).length;
        said.textContent = filled(unseen === 0 ? said.dataset.says : said.dataset.saysUnseen, ticked.length, unseen);
    };
    // It is not read out at every key.
    const pause = 500;
    let later = 0;
    document.addEventListener("narrowed", () => {
        clearTimeout(later);
        later = setTimeout(count, pause);
    });
    document.addEventListener("ticked", count);
    for (const box of boxes) box.addEventListener("change", count);
    // A browser may have kept what was ticked before a reload.
    addEventListener("pageshow", count);
}

// Beside the button of a form stands how many machines it removes: those that are ticked, also on other pages of the list, or go in any case, else the
// number.
for (const said of document.querySelectorAll("[data-counts]")) {
    const form = said.closest("form");
    const number = document.getElementById(said.dataset.number);
    const before = form.elements.chosenBefore;
    const tally = form.querySelector("#chosen-count");
    // What was typed before machines were ticked; the server has drawn how many are chosen.
    let typed = before ? "1" : null;
    const chosen_now = () => new FormData(form).getAll(said.dataset.counts).length;
    const count = () => {
        const chosen = chosen_now();
        // The number follows what is ticked, and is again what was typed when nothing is.
        if (number && chosen > 0) typed ??= number.value;
        if (number && chosen > 0) number.value = chosen;
        if (chosen === 0 && typed !== null) [number.value, typed] = [typed, null];
        const all = chosen > 0 ? chosen : number?.checkValidity() ? number.valueAsNumber : 0;
        said.textContent = all === 0 ? "" : filled(said.dataset.says, all);
        if (before && chosen === 0) before.disabled = true;
        if (tally) tally.textContent = chosen === 0 ? "" : filled(tally.dataset.says, chosen);
    };
    // A number that is typed clears the choice, also on other pages of the list.
    const clear = () => {
        if (chosen_now() === 0) return;
        typed = null;
        form.querySelector("#chosen")?.remove();
        for (const choice of form.querySelectorAll(`input[name="${said.dataset.counts}"]`)) {
            if (choice.type === "hidden") choice.remove();
            else choice.checked = false;
        }
    };
    number?.addEventListener("input", clear);
    form.addEventListener("input", count);
    // A browser may have kept what was ticked before a reload.
    addEventListener("pageshow", count);
}

// A long list of choices is narrowed to those with what is typed. What is ticked and out of sight stays ticked.
for (const box of document.querySelectorAll("input[data-filters]")) {
    const list = document.getElementById(box.dataset.filters);
    const items = [...list.querySelectorAll("[data-item]")];
    const groups = list.querySelectorAll("[data-group]");
    const said = box.parentElement.querySelector("[role=status]");
    const narrow = () => {
        const typed = box.value.trim().toLowerCase();
        const fits = (item) => item.dataset.item.toLowerCase().includes(typed);
        for (const item of items) item.hidden = !fits(item);
        // A group without any is away with its heading.
        for (const group of groups) {
            group.hidden = [...group.children].every((item) => item.hidden);
            group.previousElementSibling.hidden = group.hidden;
        }
        // In a table an item has a cell in each row.
        const number_of = (some) => new Set(some.map((item) => item.dataset.item)).size;
        said.textContent = typed === "" ? "" : filled(said.dataset.says, number_of(items.filter(fits)), number_of(items));
        document.dispatchEvent(new Event("narrowed"));
    };
    box.parentElement.hidden = false;
    // It is no field of the form.
    box.addEventListener("input", (event) => { event.stopPropagation(); narrow(); });
    box.addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
}

// The form of a new cluster says at once what the chosen services lack, and which sizes they leave: the server draws it anew.
for (const services of document.querySelectorAll("#new-cluster #services")) {
    const form = services.form;
    const page = form.querySelector('button[formaction]').formAction;
    const names = { clusterTemplate: "template", ofDraft: "of" };
    const taken = ["clusterTemplate", "ofDraft", "services", "numMachines", "provider", "hardwaretype", "imagetype"];
    let latest = 0;
    let typed = null;
    const redraw = async () => {
        const asked = new URLSearchParams({ services: "" });
        for (const [name, value] of new FormData(form)) {
            if (taken.includes(name)) asked.append(names[name] ?? name, name === "ofDraft" ? "draft" : value);
        }
        const number = ++latest;
        const answer = await fetch(`${page}?${asked}`).catch(() => null);
        if (!answer?.ok || number !== latest) return;
        const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = drawn.getElementById("services");
        if (!fresh || number !== latest) return;
        document.getElementById("services-said").replaceChildren(...fresh.querySelector("#services-said").childNodes);
        services.className = fresh.className;
        services.setAttribute("aria-describedby", fresh.getAttribute("aria-describedby"));
        const [before, now] = [document, drawn].map((where) => where.getElementById("inputClusterNumMachines"));
        if (before.matches("input")) typed = before.value;
        // Where one size is possible there is no field; behind it stands again what was typed.
        else if (now.matches("input")) now.value = typed ?? (now.min || now.value);
        before.closest(".field").replaceWith(now.closest(".field"));
    };
    services.addEventListener("change", redraw);
    // What is lacking is ticked where it stands.
    services.addEventListener("click", (event) => {
        const button = event.target.closest("button[name=services]");
        const box = button && [...services.querySelectorAll("input")].find((one) => one.value === button.value);
        if (!box) return;
        event.preventDefault();
        box.checked = true;
        box.focus();
        redraw();
    });
}

// An address that ends with a name shows it while the name is typed, and an example before.
for (const shown of document.querySelectorAll("[data-shows]")) {
    const name = document.getElementById(shown.dataset.shows);
    if (!name) continue;
    const example = name.value.trim() === "" ? shown.textContent : "";
    name.addEventListener("input", () => {
        const typed = name.value.trim();
        const is_name = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(typed);
        shown.textContent = is_name ? typed : example || "example";
        shown.parentElement.parentElement.querySelector(".quiet")?.toggleAttribute("hidden", is_name);
    });
}

// What is shown once, or typed elsewhere, is copied by a button.
for (const button of document.querySelectorAll("button[data-copies]")) {
    const source = document.getElementById(button.dataset.copies);
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(source.innerText.trim());
        button.textContent = button.dataset.says;
    });
}

// A text that is shown once can be saved and printed.
for (const button of document.querySelectorAll("button[data-saves]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
        const text = `${document.getElementById(button.dataset.saves).innerText.trim()}\n`;
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
        link.download = button.dataset.file;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
}
for (const button of document.querySelectorAll("button[data-prints]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
}

// What was typed into a long form is not lost without a question. A form that the server drew anew is not saved either.
for (const long_form of document.querySelectorAll("form:has(.save-bar), form[data-keeps-typed]")) {
    let is_unsaved = long_form.hasAttribute("data-unsaved");
    long_form.addEventListener("input", () => { is_unsaved = true; });
    long_form.addEventListener("submit", () => { is_unsaved = false; });
    addEventListener("beforeunload", (event) => { if (is_unsaved) event.preventDefault(); });
}
