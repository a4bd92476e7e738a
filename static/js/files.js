// Sends a file that is larger than a form may be to the API, with its progress: there it may be as large as resources.largest allows.
// Smaller ones go with the form.
document.addEventListener("DOMContentLoaded", () => {
    const form = document.getElementById("upload");
    if (!form) return;
    const file = document.getElementById("upload-file");
    const name = document.getElementById("upload-name");
    const progress = document.getElementById("upload-progress");

    function fail(control, message) {
        const id = `${control.id}-problem`;
        let problem = document.getElementById(id);
        if (!problem) {
            problem = document.createElement("p");
            problem.id = id;
            problem.className = "problem";
            control.before(problem);
        }
        problem.textContent = message;
        control.setAttribute("aria-invalid", "true");
        control.setAttribute("aria-describedby", id);
        control.closest(".field").classList.add("wrong");
        control.focus();
        progress.hidden = true;
        for (const button of form.querySelectorAll("button")) button.disabled = false;
    }

    /// Puts the version that was uploaded to use, as the button on the page of the file does.
    function use(page, version) {
        const press = document.createElement("form");
        press.method = "post";
        press.action = page;
        const known = form.elements.known_version?.value ?? "";
        const seen = form.elements.seen?.value ?? "";
        for (const [field, value] of [["csrf", form.elements.csrf.value], ["version", version], ["known_version", known], ["seen", seen], ["do", "use"]]) {
            const input = document.createElement("input");
            input.type = "hidden";
            input.name = field;
            input.value = value;
            press.append(input);
        }
        document.body.append(press);
        press.submit();
    }

    form.addEventListener("submit", (event) => {
        const chosen = file.files[0];
        if (!chosen || chosen.size <= Number(form.dataset.largestForm)) return;
        event.preventDefault();
        const called = name.value.trim() || chosen.name;
        const page = `${new URL(form.action).pathname}/${encodeURIComponent(called)}`;
        // A file of another name may be a slip: machines do not get it before somebody has looked.
        const is_other = Boolean(form.elements.next) && called !== chosen.name;
        const wants_use = event.submitter?.value === "use" && !is_other;
        const request = new XMLHttpRequest();
        request.open("POST", form.dataset.uploadTo + encodeURIComponent(called));
        request.setRequestHeader("X-CSRF-Token", form.elements.csrf.value);
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.upload.addEventListener("progress", (step) => {
            if (step.lengthComputable) progress.value = (100 * step.loaded) / step.total;
        });
        request.addEventListener("load", () => {
            if (request.status === 400) return fail(name, "Enter a name of letters, digits, dots, hyphens and underscores only.");
            if (request.status !== 200) return fail(file, request.responseText || `The server answered ${request.status}.`);
            const { version } = JSON.parse(request.responseText);
            if (wants_use) return use(page, version);
            // The page says whether somebody else has saved a version in between.
            const known = form.elements.known_version ? `&known=${form.elements.known_version.value}&saved=${version}` : "";
            location.assign(`${page}?done=${is_other ? "other" : "saved"}${known}`);
        });
        request.addEventListener("error", () => fail(file, "The connection was lost. Please try again."));
        progress.hidden = false;
        for (const button of form.querySelectorAll("button")) button.disabled = true;
        request.send(chosen);
    });
});
