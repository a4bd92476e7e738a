// Uploads a file of a plugin as it is, with its progress. The API takes it in without keeping it in memory, so it may be as large
// as resources.largest allows. Without this script texts can still be written into the form below.
document.addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("upload");
    if (!form) return;
    form.hidden = false;
    const file = document.getElementById("upload-file");
    const name = document.getElementById("upload-name");
    const progress = document.getElementById("upload-progress");
    const problem = document.getElementById("upload-problem");
    const button = form.querySelector("button");

    function fail(message) {
        problem.textContent = message;
        progress.hidden = true;
        button.disabled = false;
    }

    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const chosen = file.files[0];
        if (!chosen) return;
        const called = name.value.trim() || chosen.name;
        const request = new XMLHttpRequest();
        request.open("POST", form.action + encodeURIComponent(called));
        request.setRequestHeader("X-CSRF-Token", form.dataset.csrf);
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.upload.addEventListener("progress", (step) => {
            if (step.lengthComputable) progress.value = (100 * step.loaded) / step.total;
        });
        request.addEventListener("load", () => {
            if (request.status !== 200) return fail(request.responseText || `The server answered ${request.status}.`);
            location.assign(`${location.pathname}/${encodeURIComponent(called)}?done=saved`);
        });
        request.addEventListener("error", () => fail("The connection was lost. Please try again."));
        problem.textContent = "";
        progress.hidden = false;
        button.disabled = true;
        request.send(chosen);
    });
});
