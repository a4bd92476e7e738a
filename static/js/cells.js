// The cells of a large cluster (fcgi/pages/clusters/tabs/cells.hpp): the machine below the pointer is named, and a click leads to it.
// The links below each picture are the same for everybody else.
"use strict";

function numbers_of(picture) {
    return picture.dataset.numbers.split(",").flatMap((range) => {
        const [first, last = first] = range.split("-").map(Number);
        return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
}

// The number of the machine, or undefined beside all cells.
function machine_at(picture, event) {
    const box = picture.getBoundingClientRect();
    const step = Number(picture.dataset.step);
    const { width } = picture.viewBox.baseVal;
    const scale = width / box.width;
    const column = Math.floor((event.clientX - box.left) * scale / step);
    const row = Math.floor((event.clientY - box.top) * scale / step);
    return numbers_of(picture)[row * Math.ceil(width / step) + column];
}

// The word of the legend for the cell's look.
function word_of(cell) {
    const look = cell.getAttribute("class") ?? "";
    const sample = document.querySelector(`#legend path[class="${CSS.escape(look)}"]`);
    return sample?.closest("li").textContent.trim() ?? "";
}

function picture_of(event) {
    return event.target.closest?.(".cells svg[data-numbers]") ?? null;
}

document.addEventListener("pointermove", (event) => {
    const picture = picture_of(event);
    if (picture === null) return;
    const machine = machine_at(picture, event);
    picture.style.cursor = machine === undefined ? "" : "pointer";
    let title = picture.querySelector(":scope > title");
    if (title === null) {
        title = document.createElementNS("http://www.w3.org/2000/svg", "title");
        picture.prepend(title);
    }
    const word = word_of(event.target);
    title.textContent = machine === undefined ? "" : `Machine ${machine}${word === "" ? "" : `: ${word}`}`;
});

document.addEventListener("click", (event) => {
    const picture = picture_of(event);
    const machine = picture === null ? undefined : machine_at(picture, event);
    if (machine === undefined) return;
    // The links below lead to the list of machines.
    const list = picture.closest(".cells").querySelector("a").pathname;
    location.assign(`${list}/${machine}`);
});
