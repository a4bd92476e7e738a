// The cells of a large cluster (fcgi/pages/clusters/tabs/cells.hpp): the machine below the pointer is named, and a click leads to it.
// The links below each picture lead to the same machines by their state.
"use strict";

const tag_of_cells = ".cells svg[data-numbers] path";

function numbers_of(picture) {
    return picture.dataset.numbers.split(",").flatMap((range) => {
        const [first, last = first] = range.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

function machine_at(picture, event) {
    const box = picture.getBoundingClientRect();
    // Cells are as wide as the line is high.
    const { width, height } = picture.viewBox.baseVal;
    return numbers_of(picture)[Math.floor((event.clientX - box.left) * width / box.width / height)];
}

document.addEventListener("pointermove", (event) => {
    const cell = event.target.closest?.(tag_of_cells) ?? null;
    if (cell === null) return;
    cell.style.cursor = "pointer";
    let title = cell.querySelector("title");
    if (title === null) {
        title = document.createElementNS("http://www.w3.org/2000/svg", "title");
        cell.append(title);
    }
    title.textContent = `Machine ${machine_at(cell.ownerSVGElement, event)}: ${cell.dataset.words}`;
});

document.addEventListener("click", (event) => {
    const cell = event.target.closest?.(tag_of_cells) ?? null;
    if (cell === null || event.button !== 0) return;
    // The links below lead to the list of machines.
    const list = cell.closest(".cells").querySelector("a").pathname;
    const href = `${list}/${machine_at(cell.ownerSVGElement, event)}`;
    if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(href, "_blank", "noopener");
    else location.assign(href);
});
