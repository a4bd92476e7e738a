#include "fcgi/auth/visitor.hpp"

#include <stdexcept>

#include "provisioner/identity/csrf_token.hpp"

namespace fcgi::auth {

const provisioner::model::Caller& Visitor::who() const {
    if (!caller) throw std::logic_error("this route was let in without anybody");
    return *caller;
}

provisioner::model::OpenSession Visitor::open_session() const {
    if (!login) throw std::logic_error("this route was let in without a session");
    return {.session = *login, .caller = who()};
}

std::string Visitor::csrf_token() const {
    return session.empty() ? std::string() : provisioner::identity::csrf_token(session);
}

}  // namespace fcgi::auth
