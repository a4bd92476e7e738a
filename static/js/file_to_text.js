// Puts the text of a chosen file into the text area that its input names. Without this script the text is pasted.
"use strict";

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
    input.closest("[hidden]")?.removeAttribute("hidden");
    input.addEventListener("change", async () => {
        if (input.files.length === 0) return;
        document.getElementById(input.dataset.into).value = await input.files[0].text();
    });
}
