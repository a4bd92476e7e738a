#include "fcgi/pages/machines/login_keys.hpp"

#include <algorithm>

#include "fcgi/http/form_data.hpp"
#include "fcgi/pages/frame.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/base/ids.hpp"
#include "provisioner/messages/translated.hpp"
#include "provisioner/store/machines/login_key_store.hpp"
#include "provisioner/store/machines/node_login_store.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Timestamp;
using provisioner::messages::translated;
using provisioner::messages::translated_count;
namespace model = provisioner::model;
namespace operations = provisioner::operations;
namespace store = provisioner::store;

namespace {

std::string source_words(operations::LoginKeySource source) {
    switch (source) {
        case operations::LoginKeySource::provider_key:
            return translated("A key of its own in the vault");
        case operations::LoginKeySource::tenant_key:
            return translated("The tenant's key in the vault");
        case operations::LoginKeySource::file:
            return translated("The file that the provider names");
        case operations::LoginKeySource::installation:
            return translated("The installation's key, or one derived from it");
        case operations::LoginKeySource::none:
            return translated("Its machines get no key from Cooperage");
    }
    throw std::logic_error("a source without words");
}

std::string key_title(const model::LoginKeyRow& key) {
    return key.provider.empty() ? translated("All providers") : key.provider;
}

/// "3 nodes".
std::string counted_nodes(int count) {
    return translated_count(count, "{0} machine", "{0} machines");
}

std::string key_progress_words(const operations::LoginKeyView& key) {
    if (key.row.state == model::LoginKeyState::replaced)
        return translated("Kept until no machine needs it");
    if (key.row.state == model::LoginKeyState::retired) return translated("No machine has it");
    const model::LoginProgress& progress = key.progress;
    std::string words = translated("No machine yet");
    if (progress.nodes > 0 && progress.done == progress.nodes) {
        words = translated("On {0}", counted_nodes(progress.nodes));
    } else if (progress.nodes > 0) {
        words = translated("On {0} of {1}", progress.done, counted_nodes(progress.nodes));
    }
    if (progress.failed > 0) words += translated(", {0} failed", progress.failed);
    if (progress.given_up > 0) words += translated(", {0} given up", progress.given_up);
    if (progress.without_machine > 0) {
        words += translated(", {0} without a machine", progress.without_machine);
    }
    return words;
}

const char* badge_of(const operations::LoginKeyView& key) {
    if (key.row.state != model::LoginKeyState::current) return "pending";
    if (key.progress.failed > 0) return "failed";
    return key.progress.done == key.progress.nodes ? "active" : "pending";
}

Json login_key_item(const operations::LoginKeyView& key, Timestamp now) {
    Json json;
    json["what"] = key_title(key.row);
    json["href"] = "/login-keys/" + std::to_string(key.row.id.value);
    json["public_key"] = key.row.public_key;
    json["state"] = badge_of(key);
    json["state_words"] = provisioner::base::to_word(key.row.state);
    json["progress"] = key_progress_words(key);
    json["made_by"] = key.row.made_by;
    json["made"] = moment(key.row.made_at, now);
    return json;
}

std::string step_words(const model::NodeLogin& node) {
    switch (node.step) {
        case model::LoginStep::waiting:
            return translated("Waiting");
        case model::LoginStep::added:
            return translated("New key installed");
        case model::LoginStep::tried:
            return translated("New key tested");
        case model::LoginStep::done:
            return translated("Old keys removed");
    }
    throw std::logic_error("a step without words");
}

std::string standing_words(const model::NodeLogin& node) {
    switch (node.standing) {
        case model::LoginStanding::has_key:
        case model::LoginStanding::on_its_way:
            return step_words(node);
        case model::LoginStanding::leaving:
            return translated("Being removed");
        case model::LoginStanding::without_address:
            return translated("No address yet");
        case model::LoginStanding::without_machine:
            return translated("No machine: not counted");
        case model::LoginStanding::given_up:
            return translated("Older keys given up by {0}", node.given_up_by);
    }
    throw std::logic_error("a standing without words");
}

Json key_node_json(const model::NodeLogin& node, Timestamp now) {
    using Standing = model::LoginStanding;
    const bool is_done = node.standing == Standing::has_key;
    Json json;
    json["id"] = node.uuid;
    json["hostname"] = node.hostname;
    json["cluster"] = "/clusters/" + model::wire_id(node.cluster);
    json["state"] = is_done ? "active" : node.tries > 0 ? "failed" : "pending";
    json["step"] = standing_words(node);
    json["message"] = is_done ? "" : node.message;
    json["retry"] = node.retry_at && !is_done ? moment(*node.retry_at, now) : Json();
    json["can_give_up"] = !is_done && node.standing != Standing::given_up &&
                          node.standing != Standing::without_machine;
    return json;
}

http::Response not_done(App& app, const auth::Visitor& visitor, const std::string& heading,
                        const operations::Refusal& refusal) {
    std::string text;
    for (const auto& problem : refusal.problems) {
        text += (text.empty() ? "" : " ") + problem.message;
    }
    const int status = refusal.kind == operations::Refusal::Kind::invalid ? 422 : 409;
    return error_page(
        app, visitor, status,
        {.heading = heading, .text = text, .ways = {{"/login-keys", translated("Login keys")}}});
}

}  // namespace

Json to_json(const LoginKeysPage& page) {
    Json json;
    json["done"] = page.done;
    json["providers"] = Json::array();
    for (const operations::ProviderLogin& one : page.view.providers) {
        Json item;
        item["provider"] = one.provider;
        item["type"] = one.provider_type;
        item["source"] = source_words(one.source);
        item["key"] = one.key ? Json("/login-keys/" + std::to_string(one.key->id.value)) : Json();
        item["can_rotate"] = page.may_change && one.source != operations::LoginKeySource::none;
        json["providers"].push_back(std::move(item));
    }
    json["may_change"] = page.may_change;
    json["has_providers"] = !page.view.providers.empty();
    json["keys"] = Json::array();
    for (const auto& key : page.view.keys) json["keys"].push_back(login_key_item(key, page.now));
    json["has_keys"] = !page.view.keys.empty();
    return json;
}

Json to_json(const LoginKeyPage& page) {
    Json json = login_key_item(page.key, page.now);
    json["nodes"] = Json::array();
    for (const auto& node : page.nodes) {
        json["nodes"].push_back(key_node_json(node, page.now));
        if (!page.may_change) json["nodes"].back()["can_give_up"] = false;
    }
    json["has_nodes"] = !page.nodes.empty();
    json["can_give_up"] =
        page.key.row.state == model::LoginKeyState::current &&
        std::any_of(json["nodes"].begin(), json["nodes"].end(),
                    [](const Json& node) { return node["can_give_up"].get<bool>(); });
    json["give_up"] = json["href"].get<std::string>() + "/give-up";
    json["done"] = page.done;
    const model::LoginProgress& progress = page.key.progress;
    const auto hidden =
        progress.nodes + progress.given_up + progress.without_machine - std::ssize(page.nodes);
    json["more"] = hidden > 0 ? Json(hidden) : Json();
    return json;
}

http::Response list_login_keys(const http::Request& request, const auth::Visitor& visitor,
                               App& app) {
    LoginKeysPage page{.now = app.clock.now()};
    page.may_change = visitor.who().is_admin();
    page.view = app.database.read([&](store::Connection& connection) {
        return operations::login_keys_of(connection, visitor.who().tenant.id);
    });
    if (request.query_value("done")) {
        page.done = translated("New key created. Running machines get it one after the other.");
    }
    return drawn(app, visitor, 200, "machines/login_keys",
                 {.title = translated("Login keys"), .section = "login_keys"}, to_json(page));
}

http::Response rotate_login_key(const http::Request& request, const auth::Visitor& visitor,
                                App& app) {
    const auto provider = http::parse_form(request.body).trimmed("provider");
    const auto made =
        operations::rotate_login_key(app.database, visitor.who(), provider, app.clock.now());
    if (made) return http::see_other("/login-keys?done=yes");
    if (made.error().kind == operations::Refusal::Kind::not_found) {
        return nothing_there(translated("provider"));
    }
    return not_done(app, visitor, translated("Couldn't create a new key"), made.error());
}

http::Response give_up_older_keys(const http::Request& request, const auth::Visitor& visitor,
                                  App& app) {
    const auto id = provisioner::base::parse_number(request.path_value("id"));
    if (!id) return nothing_there(translated("login key"));
    const auto given_up =
        operations::give_up_older_keys(app.database, visitor.who(), model::LoginKeyId{*id},
                                       http::parse_form(request.body).all("node"));
    if (given_up) return http::see_other("/login-keys/" + std::to_string(*id) + "?done=yes");
    if (given_up.error().kind == operations::Refusal::Kind::not_found) {
        return nothing_there(translated("login key"));
    }
    return not_done(app, visitor, translated("Couldn't give up the key"), given_up.error());
}

http::Response show_login_key(const http::Request& request, const auth::Visitor& visitor,
                              App& app) {
    const auto id = provisioner::base::parse_number(request.path_value("id"));
    LoginKeyPage page{.now = app.clock.now()};
    page.may_change = visitor.who().is_admin();
    const bool is_there = id && app.database.read([&](store::Connection& connection) {
        const auto row =
            store::find_login_key(connection, visitor.who().tenant.id, model::LoginKeyId{*id});
        if (!row) return false;
        page.key = {.row = *row, .progress = store::login_progress(connection, row->id)};
        page.nodes = store::nodes_for_key(connection, row->id, LoginKeyPage::most_nodes);
        return true;
    });
    if (!is_there) return nothing_there(translated("login key"));
    if (request.query_value("done")) {
        page.done = translated(
            "No older key is kept for this machine. Provisioners keep trying to reach it.");
    }
    return drawn(app, visitor, 200, "machines/login_key",
                 {.title = translated("Login key: {0}", key_title(page.key.row)),
                  .section = "login_keys",
                  .script = "live.js",
                  .refresh = reload_every(std::chrono::seconds{10}, request)},
                 to_json(page));
}

}  // namespace fcgi::pages
