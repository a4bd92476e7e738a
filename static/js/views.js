// Views of tenants. A page that says "You are viewing" notices when the view has ended elsewhere: in another tab, with the session or
// with the tenant. "Stop viewing" on a page of one's own leaves that page, and what was typed there, as it is.
"use strict";

const pause_between_checks = 10000;
/// Until the server has done what another tab has just asked for.
const pause_after_news = 700;
const news = new BroadcastChannel("cooperage-views");

/// A banner's sentence with its form, and an address of the view.
function views_here() {
    const in_view = document.querySelector(".viewing:not(.own)");
    if (in_view) {
        const name = in_view.querySelector("strong").textContent;
        return [{ name, said: in_view.querySelector("p"), form: in_view.querySelector("form"), search: document.querySelector("form.find").action }];
    }
    return [...document.querySelectorAll(".viewing.own form")].map((form) => {
        const said = form.previousElementSibling;
        const link = said.querySelector("a");
        return { name: link.textContent, said, form, search: new URL("search", link.href).href };
    });
}

let views = views_here();

function say_ended(view, sentence) {
    const had_focus = view.form.contains(document.activeElement);
    views = views.filter((one) => one !== view);
    view.form.remove();
    view.said.setAttribute("role", "status");
    view.said.textContent = sentence;
    if (!had_focus) return;
    view.said.tabIndex = -1;
    view.said.focus();
}

/// The request is none of a reader: it does not prolong the view.
async function check(view) {
    const answer = await fetch(`${view.search}?as=json&q=`, { headers: { "accept": "application/json" } });
    const is_over = answer.status === 410 || answer.status === 404 || answer.status === 401 || answer.redirected;
    if (is_over && views.includes(view)) say_ended(view, `You are no longer viewing ${view.name}: the view has ended.`);
}

async function check_all() {
    if (document.hidden) return;
    // Without an answer, nothing is known to have ended.
    await Promise.allSettled(views.map(check));
}

async function stop_here(view) {
    const answer = await fetch(view.form.action, { method: "POST", body: new URLSearchParams(new FormData(view.form)), redirect: "manual" });
    if (answer.type !== "opaqueredirect") throw new Error("The view was not ended.");
    say_ended(view, `You stopped viewing ${view.name}.`);
}

for (const view of views) {
    view.form.addEventListener("submit", (event) => {
        if (!view.form.closest(".own")) return news.postMessage("ended");
        event.preventDefault();
        // Then the page that the server leads to says why.
        stop_here(view).catch(() => view.form.submit()).finally(() => news.postMessage("ended"));
    });
}
news.addEventListener("message", () => setTimeout(check_all, pause_after_news));
document.addEventListener("visibilitychange", check_all);
setInterval(check_all, pause_between_checks);
