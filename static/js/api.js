// Draws the description of the API with Swagger UI. Calls tried out use the session of who is logged in; what changes
// something needs the session's token as well.
document.addEventListener("DOMContentLoaded", () => {
    const guide = document.getElementById("api");
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
