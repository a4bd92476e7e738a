// Draws the description of the API with Swagger UI. Calls tried out use the session of who is logged in; what changes
// something needs the session's token as well.

/// What Swagger UI leaves out for those who do not see it: its own main stands in the page's, headings skip a level, and the choice of
/// the server has no name.
function name_parts(guide) {
    for (const inner of guide.querySelectorAll("main")) {
        inner.setAttribute("role", "region");
        inner.setAttribute("aria-label", "Calls");
    }
    const set_level = (selector, level) => {
        for (const heading of guide.querySelectorAll(selector)) heading.setAttribute("aria-level", level);
    };
    set_level("h3.opblock-tag, section.models > h4", "2");
    set_level(".opblock h4", "3");
    set_level(".opblock h5", "4");
    guide.querySelector("#servers")?.setAttribute("aria-label", "Server");
}

document.addEventListener("DOMContentLoaded", () => {
    const guide = document.getElementById("api");
    // Parts are drawn before all is there, and calls when they are opened.
    new MutationObserver(() => name_parts(guide)).observe(guide, { childList: true, subtree: true });
    SwaggerUIBundle({
        url: guide.dataset.document,
        domNode: guide,
        deepLinking: true,
        docExpansion: "none",
        filter: true,
        showExtensions: true,
        displayRequestDuration: true,
        validatorUrl: null,
        requestInterceptor: (request) => {
            const isOurs = new URL(request.url, location.href).origin === location.origin;
            if (isOurs && guide.dataset.csrf) request.headers["X-CSRF-Token"] = guide.dataset.csrf;
            return request;
        },
    });
});
