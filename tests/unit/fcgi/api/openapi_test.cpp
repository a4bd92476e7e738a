#include "fcgi/api/openapi.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <map>
#include <regex>
#include <set>

#include "fcgi/http/errors.hpp"
#include "fcgi/routes.hpp"
#include "provisioner/model/action.hpp"
#include "provisioner/model/catalogue/cluster_template_fields.hpp"
#include "provisioner/model/clusters/cluster.hpp"
#include "provisioner/model/jobs/callback.hpp"
#include "provisioner/model/plugins/plugin_type.hpp"
#include "provisioner/model/tenants/api_key.hpp"
#include "provisioner/model/tenants/tenant.hpp"
#include "provisioner/operations/plugins/resources.hpp"

using namespace fcgi;
using provisioner::base::Json;
namespace base = provisioner::base;
namespace model = provisioner::model;

BOOST_AUTO_TEST_SUITE(openapi)

namespace {

using Names = std::set<std::string>;

const Json& document() {
    static const Json whole = api::openapi_document();
    return whole;
}

/// What a reference leads to, or the thing itself; null when it leads nowhere.
const Json& resolved(const Json& thing) {
    static const Json nothing;
    if (!thing.contains("$ref")) return thing;
    const std::string path = thing["$ref"].get<std::string>().substr(1);
    const Json::json_pointer pointer(path);
    return document().contains(pointer) ? document()[pointer] : nothing;
}

struct Call {
    std::string method;
    std::string path;
    Json operation;
    /// Of the path and of the call.
    std::vector<Json> parameters;
};

std::string in_capitals(std::string word) {
    std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
        return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    });
    return word;
}

std::vector<Call> described_calls() {
    std::vector<Call> calls;
    const Json& paths = document()["paths"];
    for (const auto& [path, item] : paths.items()) {
        for (const auto& [method, operation] : item.items()) {
            if (method == "parameters") continue;
            Call call{in_capitals(method), path, operation, {}};
            for (const Json* list :
                 {base::member(item, "parameters"), base::member(operation, "parameters")}) {
                if (list == nullptr) continue;
                for (const Json& parameter : *list) call.parameters.push_back(resolved(parameter));
            }
            calls.push_back(std::move(call));
        }
    }
    return calls;
}

std::map<std::string, Route> routes_of_the_api() {
    std::map<std::string, Route> found;
    for (const Route& route : routes()) {
        http::Request request;
        request.path = route.pattern;
        if (http::is_for_api(request)) found[route.method + " " + route.pattern] = route;
    }
    return found;
}

std::string word_of(auth::Need need) {
    switch (need) {
        case auth::Need::nobody:
            return "nobody";
        case auth::Need::account:
            return "account";
        case auth::Need::user:
            return "user";
        case auth::Need::cluster_user:
            return "cluster_user";
        case auth::Need::admin:
            return "admin";
        case auth::Need::superadmin:
            return "superadmin";
    }
    return "?";
}

Names placeholders_of(const std::string& path) {
    static const std::regex placeholder(R"(\{(\w+)\})");
    Names names;
    for (std::sregex_iterator at(path.begin(), path.end(), placeholder);
         at != std::sregex_iterator(); ++at) {
        names.insert((*at)[1]);
    }
    return names;
}

void collect_references(const Json& json, Names& references) {
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
        if (json.is_object() && key == "$ref" && value.is_string()) references.insert(value);
        collect_references(value, references);
    }
}

template <class Enum>
Names words_of() {
    Names names;
    for (const auto& [value, word] : base::words<Enum>) names.insert(std::string(word));
    return names;
}

Names enum_of(const Json& schema) {
    return schema["enum"].get<Names>();
}

const Json& schema(const std::string& name) {
    return document()["components"]["schemas"][name];
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_call_of_the_api_is_described_and_nothing_else) {
    const auto table = routes_of_the_api();
    Names described;
    for (const Call& call : described_calls()) described.insert(call.method + " " + call.path);

    BOOST_TEST(table.size() > 100U);
    for (const auto& [name, route] : table) {
        BOOST_TEST(described.contains(name), name + " is not described");
    }
    for (const std::string& name : described) {
        BOOST_TEST(table.contains(name), name + " is described but does not exist");
    }
}

BOOST_AUTO_TEST_CASE(who_may_is_described_as_the_table_has_it) {
    const auto table = routes_of_the_api();

    for (const Call& call : described_calls()) {
        const std::string name = call.method + " " + call.path;
        const Route& route = table.at(name);
        BOOST_TEST(call.operation["x-needs"] == word_of(route.need), name);
        BOOST_TEST(call.operation.value("x-only-reads", false) == route.only_reads, name);
        BOOST_TEST(call.operation.contains("security") == (route.need == auth::Need::nobody), name);
        BOOST_TEST(
            call.operation["responses"].contains("401") == (route.need != auth::Need::nobody),
            name);
    }
}

BOOST_AUTO_TEST_CASE(every_placeholder_of_a_path_is_a_parameter_and_no_other_is) {
    for (const Call& call : described_calls()) {
        Names in_path;
        for (const Json& parameter : call.parameters) {
            BOOST_TEST(parameter.contains("schema"), call.path);
            if (parameter["in"] != "path") continue;
            BOOST_TEST(in_path.insert(parameter["name"]).second, call.path);
            BOOST_TEST(parameter["required"] == true, call.path);
        }
        BOOST_TEST((in_path == placeholders_of(call.path)), call.method + " " + call.path);
    }
}

BOOST_AUTO_TEST_CASE(
    every_call_has_a_name_of_its_own_a_summary_a_tag_and_an_answer_when_it_is_well) {
    Names tags;
    const Json& described = document()["tags"];
    for (const Json& tag : described) tags.insert(tag["name"]);
    Names ids;

    for (const Call& call : described_calls()) {
        const std::string name = call.method + " " + call.path;
        BOOST_TEST(ids.insert(call.operation["operationId"]).second, name);
        BOOST_TEST(!call.operation["summary"].get<std::string>().empty(), name);
        for (const Json& tag : call.operation["tags"]) BOOST_TEST(tags.contains(tag), name);
        const Json& responses = call.operation["responses"];
        const auto good = std::ranges::count_if(
            responses.items(), [](const auto& entry) { return entry.key().starts_with("2"); });
        BOOST_TEST(good == 1, name);
        for (const auto& [status, response] : responses.items()) {
            BOOST_TEST(!resolved(response).value("description", "").empty(), name + ' ' + status);
        }
    }
}

BOOST_AUTO_TEST_CASE(every_list_of_things_can_be_had_in_parts) {
    int lists = 0;

    for (const Call& call : described_calls()) {
        const Json::json_pointer schema_of_answer(
            "/responses/200/content/application~1json/schema");
        if (!call.operation.contains(schema_of_answer)) continue;
        const Json& answer = resolved(call.operation[schema_of_answer]);
        const bool lists_things = answer.value("type", "") == "array" &&
                                  resolved(answer["items"]).value("type", "") == "object";
        const auto limits = std::ranges::count_if(
            call.parameters, [](const Json& parameter) { return parameter["name"] == "limit"; });
        // The versions of one file are few.
        const std::string id = call.operation["operationId"];
        const bool divided = lists_things && id.find("ResourceVersions") == std::string::npos;
        BOOST_TEST(limits == (divided ? 1 : 0), call.path);
        lists += divided ? 1 : 0;
    }
    BOOST_TEST(lists == 26);
}

BOOST_AUTO_TEST_CASE(every_reference_leads_somewhere_and_every_component_is_used) {
    Names references;
    collect_references(document(), references);

    for (const std::string& reference : references) {
        BOOST_TEST(!resolved({{"$ref", reference}}).is_null(), reference);
    }
    const Json& all = document()["components"];
    for (const auto& [kind, components] : all.items()) {
        if (kind == "securitySchemes") continue;
        for (const auto& [name, component] : components.items()) {
            const std::string path = "#/components/" + kind + "/" + name;
            BOOST_TEST(references.contains(path), path + " is not used");
        }
    }
}

BOOST_AUTO_TEST_CASE(no_placeholder_of_the_texts_is_left) {
    BOOST_TEST(!std::regex_search(document().dump(), std::regex("@[A-Za-z]+@")));
}

BOOST_AUTO_TEST_CASE(words_are_those_of_the_code) {
    BOOST_TEST((enum_of(schema("ClusterStatus")) == words_of<model::ClusterStatus>()));
    BOOST_TEST((enum_of(schema("Operation")) == words_of<model::Operation>()));
    BOOST_TEST((enum_of(schema("ActionName")) == words_of<model::Action>()));
    BOOST_TEST((enum_of(schema("JobStatus")) == words_of<model::JobStatus>()));
    BOOST_TEST((enum_of(schema("TaskState")) == words_of<model::TaskState>()));
    BOOST_TEST((enum_of(schema("Role")) == words_of<model::Role>()));
    BOOST_TEST((enum_of(schema("KeyScope")) == words_of<model::KeyScope>()));
    BOOST_TEST(
        (enum_of(schema("ResourceStatus")) == words_of<provisioner::operations::ResourceStatus>()));
    const Json& callback = schema("Callback")["properties"];
    BOOST_TEST((enum_of(callback["event"]) == words_of<model::CallbackEvent>()));
    BOOST_TEST((enum_of(callback["status"]) == words_of<model::CallbackState>()));
}

/// Compares the members that an object's schema has with `names`, as names_in() gives them.
void check_members(const Json& names, const Json& object, const std::string& path) {
    const Json& properties = object["properties"];
    for (const auto& [name, below] : names.items()) {
        BOOST_REQUIRE_MESSAGE(properties.contains(name), path + " lacks " + name);
        const Json& member = resolved(properties[name]);
        if (below.contains("*")) {
            check_members(below["*"], resolved(member["additionalProperties"]), path + "." + name);
        } else if (!below.is_null()) {
            check_members(below, member, path + "." + name);
        }
    }
    for (const auto& [name, schema] : properties.items()) {
        BOOST_TEST(names.contains(name), path + " has " + name + ", which no field is read into");
    }
}

BOOST_AUTO_TEST_CASE(schemas_of_templates_have_the_members_that_templates_are_read_from) {
    const auto check = [](const char* name, const Json& own, bool with_version) {
        Json names = model::names_in(model::fields_of<model::ClusterTemplate>);
        names.update(own);
        for (const char* header : {"name", "label", "description", "icon"}) names[header] = nullptr;
        if (with_version) names["version"] = nullptr;
        check_members(names, schema(name), name);
    };
    const Json of_template = model::names_in(model::fields_of_cluster_template);
    const Json of_partial = model::names_in(model::fields_of_partial_template);

    check("ClusterTemplate", of_template, true);
    check("ClusterTemplateSpec", of_template, false);
    check("PartialTemplate", of_partial, true);
    check("PartialTemplateSpec", of_partial, false);
}

BOOST_AUTO_TEST_CASE(the_schema_of_a_plugins_field_has_the_members_that_are_written_and_no_other) {
    model::PluginField field;
    // All members by name, so that a new one is not forgotten here.
    auto& [name_of_field, label, kind, tip, default_value, default_applies, overridable, sensitive,
           leads, grants, options, number] = field;
    name_of_field = "region";
    label = kind = tip = "text";
    default_value = "here";
    default_applies = overridable = sensitive = leads = grants = true;
    options = {"here", "there"};
    number = model::NumberRange{.least = 1, .most = 10, .is_whole = false};
    model::PluginType type;
    type.admin.fields = {field};
    const Json written = model::to_json(type)["parameters"]["admin"]["fields"]["region"];

    Json names = Json::object();
    for (const auto& [name, value] : written.items()) names[name] = nullptr;
    names["number"] = {{"min", nullptr}, {"max", nullptr}, {"decimals", nullptr}};
    BOOST_TEST(written["number"].size() == names["number"].size());
    check_members(names, schema("PluginField"), "PluginField");
}

BOOST_AUTO_TEST_CASE(what_is_so_for_every_call_is_said_of_every_call) {
    for (const Call& call : described_calls()) {
        const std::string name = call.method + " " + call.path;
        const Json& responses = call.operation["responses"];
        const bool is_get = call.method == "GET";
        BOOST_TEST(responses.contains("304") == is_get, name);
        BOOST_TEST(responses.contains("413") == call.operation.contains("requestBody"), name);
        BOOST_TEST(responses.contains("503"), name);
        if (call.operation["x-needs"] == "nobody") continue;
        BOOST_TEST(responses.contains("429"), name);
        const bool reads = is_get || call.operation.contains("x-only-reads");
        if (!reads) BOOST_TEST(responses.contains("403"), name);
    }
}

BOOST_AUTO_TEST_CASE(the_server_is_the_prefix_where_there_is_one) {
    BOOST_TEST(document()["servers"][0]["url"] == "/");
    BOOST_TEST(api::openapi_document("/cooperage")["servers"][0]["url"] == "/cooperage");
}

BOOST_AUTO_TEST_SUITE_END()
