// Puts the text of a chosen file into the text area that its input names, where it can be seen and changed; the file itself is not
// sent then. Without this script it is.
"use strict";

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
    input.removeAttribute("name");
    input.addEventListener("change", async () => {
        if (input.files.length === 0) return;
        document.getElementById(input.dataset.into).value = await input.files[0].text();
    });
}
