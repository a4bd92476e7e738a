// Whether a pointer is pressed. What is replaced between the press and the release of a button gets no click, so parts of a page that are
// drawn anew wait until it is released.
"use strict";

let pressed = false;

document.addEventListener("pointerdown", () => { pressed = true; }, true);
for (const end of ["pointerup", "pointercancel"]) {
    // The click follows the release.
    document.addEventListener(end, () => setTimeout(() => { pressed = false; }, 0), true);
}
// A pointer may be released outside of the window.
window.addEventListener("blur", () => { pressed = false; });

export function is_pressed() {
    return pressed;
}

/// Resolves when no pointer is pressed any more.
export async function released() {
    while (pressed) await new Promise((resolve) => setTimeout(resolve, 30));
}
