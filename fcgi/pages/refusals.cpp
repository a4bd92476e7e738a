#include "fcgi/pages/refusals.hpp"

#include <stdexcept>

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
    if (refusal.kind != Refusal::Kind::too_busy) return page;
    return http::with_header(std::move(page), "Retry-After", "3");
}

}  // namespace fcgi::pages
