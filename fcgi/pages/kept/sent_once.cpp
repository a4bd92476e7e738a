#include "fcgi/pages/kept/sent_once.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "provisioner/identity/tokens.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/forms/form_store.hpp"

namespace fcgi::pages {

using http::Request;
using http::Response;
using provisioner::messages::translated;
namespace store = provisioner::store;

namespace {

constexpr std::size_t length_of_key = 32;
constexpr std::size_t longest_location = 2048;
constexpr int most_looks = 15;
constexpr std::chrono::milliseconds between_looks{200};

bool is_key_of_drawing(const std::string& text) {
    return text.size() == length_of_key && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

Response sent_before(App& app, const auth::Visitor& visitor, const store::SentForm& sent) {
    if (sent.location && !sent.location->empty()) return http::see_other(*sent.location);
    if (sent.location) {
        return error_page(
            app, visitor, 409,
            {.heading = translated("This form was sent before"),
             .text = translated("It was already carried out, and its result is shown only once. To "
                                "do it again, reload the page of the form first.")});
    }
    return error_page(
        app, visitor, 409,
        {.heading = translated("This form is being carried out"),
         .text = translated("It was already sent and is still being carried out. Check whether it "
                            "has succeeded before you send it again from a reloaded page.")});
}

/// Waits a moment for a sending that is under way. If that was refused, this one is the first: its
/// answer is the form with what was typed.
store::SentForm begin(App& app, provisioner::model::UserId user, const std::string& name) {
    for (int looks = 1;; ++looks) {
        const auto sent = app.database.write([&](store::Connection& connection) {
            return store::begin_form(connection, user, name, app.clock.now());
        });
        if (sent.is_first || sent.location || looks == most_looks) return sent;
        std::this_thread::sleep_for(between_looks);
    }
}

}  // namespace

std::string name_of_sending(const Request& request) {
    const std::string key = http::parse_form(request.body).first("once").value_or("");
    if (!is_key_of_drawing(key)) return {};
    return provisioner::identity::hash_of_token(
        provisioner::base::Secret(request.path + '\n' + key));
}

Response once(App& app, const auth::Visitor& visitor, const Request& request,
              const std::function<Response()>& carry_out) {
    const std::string name = name_of_sending(request);
    if (name.empty() || !visitor.caller) return carry_out();
    const auto user = visitor.who().user.id;
    const auto sent = begin(app, user, name);
    if (!sent.is_first) return sent_before(app, visitor, sent);
    // The answer is there, whatever becomes of the note.
    const auto note = [&](const auto& change) {
        try {
            app.database.write(change);
        } catch (const std::exception& error) {
            app.log.warn("form.not_noted", {{"request", request.id}, {"error", error.what()}});
        }
    };
    const auto forget = [&] {
        note([&](store::Connection& connection) { store::forget_form(connection, user, name); });
    };
    Response response;
    try {
        response = carry_out();
    } catch (const store::DatabaseUnavailable& error) {
        // It may have been carried out: it stays noted.
        if (!error.is_in_doubt()) forget();
        throw;
    } catch (...) {
        forget();
        throw;
    }
    const std::string& location = response.header("Location");
    if (response.status >= 400 || location.size() > longest_location) {
        forget();
        return response;
    }
    note([&](store::Connection& connection) { store::end_form(connection, user, name, location); });
    return response;
}

}  // namespace fcgi::pages
