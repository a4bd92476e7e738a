// Puts the text of a chosen file into the text area that its input names, where it can be seen and changed; the file itself is not
// sent then, but its name is, as long as the text area is not emptied. Without this script the file is sent.
"use strict";

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
    const area = document.getElementById(input.dataset.into);
    const name = document.getElementById(input.dataset.nameInto);
    input.removeAttribute("name");
    input.addEventListener("change", async () => {
        if (input.files.length === 0) return;
        name.value = input.files[0].name;
        area.value = await input.files[0].text();
    });
    area.addEventListener("input", () => {
        if (area.value.trim() === "") name.value = "";
    });
}
