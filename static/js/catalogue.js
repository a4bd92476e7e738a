// The catalogue's pages with a script: choosing a type shows its fields at once, and commands can be copied. Everything
// works without it, too.
document.addEventListener("DOMContentLoaded", () => {
    for (const button of document.querySelectorAll("button[data-redraws]")) {
        const choice = document.getElementById(button.dataset.redraws);
        button.hidden = true;
        choice.addEventListener("change", () => {
            const form = button.form;
            form.action = form.action.split("#")[0] + "#" + choice.id;
            form.requestSubmit(button);
        });
    }
    const place = location.hash && document.getElementById(location.hash.slice(1));
    if (place && place.matches("select")) place.focus();
});
