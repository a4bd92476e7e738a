#include "fcgi/pages/kept/sent_once.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/kept/kept_form.hpp"
#include "fcgi/pages/kept/next.hpp"
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

/// The form that was carried out: with a proof comes the one that lacked it.
Request carried_out(App& app, const auth::Visitor& visitor, const Request& request) {
    Request form = request;
    const std::string next = http::parse_form(request.body).trimmed("next");
    if (const auto kept = form_at(app, visitor, next)) {
        form.path = kept->path;
        form.body = kept->body;
    }
    return form;
}

Response sent_before(App& app, const auth::Visitor& visitor, const Request& request,
                     const store::SentForm& sent) {
    if (sent.location && !sent.location->empty()) return http::see_other(*sent.location);
    std::vector<std::pair<std::string, std::string>> ways;
    if (sent.location) ways = ways_to_what_was_made(carried_out(app, visitor, request));
    const std::string page = page_it_was_sent_from(request);
    if (!page.empty()) ways.emplace_back(page, translated("Back to the form"));
    if (sent.location) {
        return error_page(
            app, visitor, 409,
            {.heading = translated("You already sent this form"),
             .text = translated("Your request was carried out. Its result is shown only once. To "
                                "repeat it, reload the form and send it again."),
             .ways = ways});
    }
    return error_page(app, visitor, 409,
                      {.heading = translated("Your request is still in progress"),
                       .text = translated("You already sent it. Check whether it succeeded. If "
                                          "not, reload the form and send it again."),
                       .ways = ways});
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

std::vector<std::pair<std::string, std::string>> ways_to_what_was_made(const Request& request) {
    const auto is_below = [&](std::string_view path) { return request.path.starts_with(path); };
    if (is_below("/profile/keys")) return {{"/profile#keys-title", translated("Your API keys")}};
    if (is_below("/profile/factor")) {
        return {{"/profile/factor", translated("Second factor: create new recovery codes there")}};
    }
    constexpr std::string_view password = "/password";
    if (request.path.ends_with(password) && !is_below("/profile")) {
        return {{request.path.substr(0, request.path.size() - password.size()),
                 translated("The user: set a new initial password there")}};
    }
    const std::string name = http::parse_form(request.body).trimmed("name");
    const bool is_of_users = request.path == "/people" || (request.path.starts_with("/tenants/") &&
                                                           request.path.ends_with("/people"));
    if (!is_of_users || name.empty()) return {};
    return {{request.path + '/' + http::percent_encode(name),
             translated("User {0}: set a new initial password there", name)},
            {request.path, translated("Users")}};
}

std::optional<Response> if_sent_before(App& app, const auth::Visitor& visitor,
                                       const Request& request) {
    const std::string name = name_of_sending(request);
    if (name.empty() || !visitor.caller) return std::nullopt;
    const auto sent = app.database.read([&](store::Connection& connection) {
        return store::find_sent_form(connection, visitor.who().user.id, name);
    });
    if (!sent) return std::nullopt;
    return sent_before(app, visitor, request, *sent);
}

std::string name_of_sending(const Request& request) {
    const auto sent = http::parse_form(request.body);
    if (!is_key_of_drawing(sent.first("once").value_or(""))) return {};
    std::string text = request.path;
    for (const auto& [name, value] : sent.fields) {
        if (name == "csrf") continue;
        text += '\n' + http::percent_encode(name) + '=' + http::percent_encode(value);
    }
    for (const auto& file : request.files) {
        text += '\n' + provisioner::identity::hash_of_token(provisioner::base::Secret(file.bytes));
    }
    return provisioner::identity::hash_of_token(provisioner::base::Secret(std::move(text)));
}

std::string page_it_was_sent_from(const Request& request) {
    std::string path = request.header("referer");
    const auto host = path.find("://");
    if (host == std::string::npos) return "";
    path.erase(0, std::min(path.find('/', host + 3), path.size()));
    if (!path.starts_with(request.prefix + '/')) return "";
    path.erase(0, request.prefix.size());
    const std::string page = safe_next(path);
    return page == "/" ? "" : page;
}

Response once(App& app, const auth::Visitor& visitor, const Request& request,
              const std::function<Response()>& carry_out) {
    const std::string name = name_of_sending(request);
    if (name.empty() || !visitor.caller) return carry_out();
    const auto user = visitor.who().user.id;
    const auto sent = begin(app, user, name);
    if (!sent.is_first) return sent_before(app, visitor, request, sent);
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
    const bool has_failed = response.status >= 400 || response.is_redrawn_form;
    if (has_failed || location.size() > longest_location) {
        forget();
        return response;
    }
    note([&](store::Connection& connection) { store::end_form(connection, user, name, location); });
    return response;
}

}  // namespace fcgi::pages
