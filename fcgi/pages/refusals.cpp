#include "fcgi/pages/refusals.hpp"

#include <algorithm>
#include <stdexcept>

#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::operations::Refusal;

namespace {

int status_of(Refusal::Kind kind) {
    switch (kind) {
        case Refusal::Kind::invalid:
        case Refusal::Kind::missing_fields:
        case Refusal::Kind::unsatisfiable:
            return 422;
        case Refusal::Kind::forbidden:
            return 403;
        case Refusal::Kind::not_found:
            return 404;
        case Refusal::Kind::conflict:
            return 409;
        case Refusal::Kind::too_often:
            return 429;
        case Refusal::Kind::too_busy:
            return 503;
    }
    throw std::logic_error("unknown kind of refusal");
}

}  // namespace

http::Response with_status_of(const Refusal& refusal, http::Response page) {
    page.status = status_of(refusal.kind);
    for (const auto& problem : refusal.problems) {
        page.refusal = joined_sentences(page.refusal, problem.message);
    }
    if (refusal.kind != Refusal::Kind::too_busy) return page;
    return http::with_header(std::move(page), "Retry-After", "3");
}

http::Response incomplete_form(App& app, const auth::Visitor& visitor) {
    using provisioner::messages::translated;
    return error_page(app, visitor, 422,
                      {.heading = translated("The form is incomplete"),
                       .text = translated("Nothing was changed. Open the page of the form again "
                                          "and send it from there.")});
}

std::optional<http::Response> if_incomplete(App& app, const auth::Visitor& visitor,
                                            const http::FormData& sent,
                                            std::initializer_list<std::string_view> names) {
    const bool is_whole =
        std::ranges::all_of(names, [&](std::string_view name) { return sent.has(name); });
    if (is_whole) return std::nullopt;
    return incomplete_form(app, visitor);
}

std::optional<bool> yes_or_no(const http::FormData& sent, std::string_view name) {
    const std::string word = sent.trimmed(name);
    if (word == "yes") return true;
    return word == "no" ? std::optional(false) : std::nullopt;
}

}  // namespace fcgi::pages
