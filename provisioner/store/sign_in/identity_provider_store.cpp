#include "provisioner/store/sign_in/identity_provider_store.hpp"

#include <map>

#include "provisioner/store/database/columns.hpp"

namespace provisioner::store {

namespace {

constexpr auto select_identity_providers = R"sql(
    SELECT id, name, document, secret, changed_at
    FROM identity_provider
    ORDER BY name
    LIMIT 1000
)sql";

constexpr auto select_provider_by_name = R"sql(
    SELECT id, name, document, secret, changed_at FROM identity_provider WHERE name = ?
)sql";

constexpr auto select_provider_by_id = R"sql(
    SELECT id, name, document, secret, changed_at FROM identity_provider WHERE id = ?
)sql";

constexpr auto lock_shared_by_id = R"sql(
    SELECT id, name, document, secret, changed_at FROM identity_provider WHERE id = ? LOCK IN SHARE MODE
)sql";

constexpr auto lock_all = R"sql(
    SELECT id, name, document, secret, changed_at FROM identity_provider ORDER BY id LIMIT 1000 FOR UPDATE
)sql";

constexpr auto lock_one_by_name = R"sql(
    SELECT id, name, document, secret, changed_at FROM identity_provider WHERE name = ? FOR UPDATE
)sql";

constexpr auto insert_provider_row = R"sql(
    INSERT INTO identity_provider (name, document, secret, changed_at) VALUES (?, ?, '', ?)
)sql";

constexpr auto update_provider_row = R"sql(
    UPDATE identity_provider SET document = ?, secret = ?, changed_at = ? WHERE id = ?
)sql";

constexpr auto update_last_test = R"sql(
    UPDATE identity_provider
    SET document = JSON_SET(document, '$.lastTest', JSON_EXTRACT(?, '$'))
    WHERE id = ? AND changed_at = ?
)sql";

/// The member of the document that is no setting.
constexpr auto last_test_member = "lastTest";

base::Json json_of_test(const model::IdentityTest& test) {
    base::Json json = {{"at", base::to_sql(test.at)}, {"problems", test.problems}};
    for (const auto& [name, told] :
         {std::pair{"warnings", &test.warnings}, std::pair{"notes", &test.notes}}) {
        for (const base::Problem& one : *told) {
            json[name].push_back({{"field", one.field}, {"message", one.message}});
        }
    }
    if (test.is_to_switch_on) json["switchesOn"] = true;
    return json;
}

/// Warnings of older tests are texts without a field.
base::Problems told_in(const base::Json& test, const char* name) {
    base::Problems told;
    const base::Json list = test.value(name, base::Json::array());
    for (const base::Json& one : list) {
        if (one.is_string()) {
            told.push_back({"", one.get<std::string>()});
        } else {
            told.push_back(
                {one.at("field").get<std::string>(), one.at("message").get<std::string>()});
        }
    }
    return told;
}

std::optional<model::IdentityTest> last_test_in(const base::Json& document) {
    const auto found = document.find(last_test_member);
    if (found == document.end()) return std::nullopt;
    return model::IdentityTest{.at = base::from_sql(found->at("at").get<std::string>()),
                               .problems = found->at("problems").get<std::vector<std::string>>(),
                               .warnings = told_in(*found, "warnings"),
                               .notes = told_in(*found, "notes"),
                               .is_to_switch_on = found->value("switchesOn", false)};
}

std::string place_of_secret(model::IdentityProviderId id) {
    return "identity provider " + std::to_string(id.value);
}

model::IdentityProvider read_identity_provider(Rows& row) {
    const base::Json document = json_column(row, "document");
    auto read = model::identity_provider_from(document);
    if (!read) throw std::logic_error("an identity provider is damaged: " + to_text(read.error()));
    read->id = model::IdentityProviderId{row.get<long long>("id")};
    read->name = row.get<std::string>("name");
    read->changed_at = time_column(row, "changed_at");
    read->last_test = last_test_in(document);
    return *std::move(read);
}

std::optional<model::IdentityProvider> read_with_secret(Connection& connection, Rows row) {
    if (!row.next()) return std::nullopt;
    auto provider = read_identity_provider(row);
    const auto sealed = row.get<std::string>("secret");
    if (!sealed.empty()) {
        provider.secret = connection.vault().open(sealed, place_of_secret(provider.id));
    }
    return provider;
}

int change_sealed(Connection& connection, const std::string& select, const std::string& update,
                  const std::function<std::optional<std::string>(const std::string&)>& change) {
    std::map<long long, std::string> secrets;
    {
        Rows row = connection.sql(select);
        while (row.next()) secrets[row.get<long long>("id")] = row.get<std::string>("secret");
    }
    int changed = 0;
    for (const auto& [id, secret] : secrets) {
        const auto now = change(secret);
        if (!now) continue;
        connection.sql(update) << *now << id << exec;
        ++changed;
    }
    return changed;
}

}  // namespace

std::vector<model::IdentityProvider> list_identity_providers(Connection& connection) {
    std::vector<model::IdentityProvider> providers;
    Rows row = connection.sql(select_identity_providers);
    while (row.next()) providers.push_back(read_identity_provider(row));
    return providers;
}

std::optional<model::IdentityProvider> find_identity_provider(Connection& connection,
                                                              const std::string& name) {
    auto found = read_with_secret(connection, connection.sql(select_provider_by_name) << name);
    // The server ignores blanks at the end.
    if (found && found->name != name) return std::nullopt;
    return found;
}

std::optional<model::IdentityProvider> find_identity_provider(Connection& connection,
                                                              model::IdentityProviderId id) {
    return read_with_secret(connection, connection.sql(select_provider_by_id) << id.value);
}

std::optional<model::IdentityProvider> hold_identity_provider(Connection& connection,
                                                              model::IdentityProviderId id) {
    return read_with_secret(connection, connection.sql(lock_shared_by_id) << id.value);
}

std::optional<model::IdentityProvider> lock_identity_provider(Connection& connection,
                                                              const std::string& name) {
    auto found = read_with_secret(connection, connection.sql(lock_one_by_name) << name);
    if (found && found->name != name) return std::nullopt;
    return found;
}

std::vector<model::IdentityProvider> lock_identity_providers(Connection& connection) {
    std::vector<model::IdentityProvider> providers;
    Rows row = connection.sql(lock_all);
    while (row.next()) providers.push_back(read_identity_provider(row));
    return providers;
}

void save_rules(Connection& connection, const model::IdentityProvider& provider) {
    // Rules are no part of what a test asks for.
    base::Json settings = model::to_json(provider);
    if (provider.last_test) settings[last_test_member] = json_of_test(*provider.last_test);
    const std::string document = base::to_text(settings);
    connection.sql("UPDATE identity_provider SET document = ? WHERE id = ?")
        << document << provider.id.value << exec;
}

model::IdentityProviderId save_identity_provider(Connection& connection,
                                                 const model::IdentityProvider& provider,
                                                 base::Timestamp now) {
    auto id = provider.id;
    const std::string document = base::to_text(model::to_json(provider));
    const std::string moment = base::to_sql(now);
    if (id.value == 0) {
        Statement insert = connection.sql(insert_provider_row)
                           << provider.name << document << moment;
        insert.exec();
        id = model::IdentityProviderId{insert.last_insert_id()};
    }
    const std::string secret = provider.secret.empty()
                                   ? std::string()
                                   : connection.vault().seal(provider.secret, place_of_secret(id));
    connection.sql(update_provider_row) << document << secret << moment << id.value << exec;
    return id;
}

void record_identity_test(Connection& connection, const model::IdentityProvider& provider,
                          const model::IdentityTest& test) {
    const std::string found = base::to_text(json_of_test(test));
    const std::string saved = base::to_sql(provider.changed_at);
    connection.sql(update_last_test) << found << provider.id.value << saved << exec;
}

void delete_identity_provider(Connection& connection, model::IdentityProviderId id) {
    connection.sql("DELETE FROM identity_provider WHERE id = ?") << id.value << exec;
}

int change_identity_secrets(
    Connection& connection,
    const std::function<std::optional<std::string>(const std::string&)>& change) {
    return change_sealed(connection,
                         "SELECT id, secret FROM identity_provider WHERE secret <> '' "
                         "ORDER BY id LIMIT 1000 FOR UPDATE",
                         "UPDATE identity_provider SET secret = ? WHERE id = ?", change) +
           change_sealed(connection,
                         "SELECT session_id AS id, id_token AS secret FROM external_session "
                         "WHERE id_token <> '' ORDER BY session_id LIMIT 1000000 FOR UPDATE",
                         "UPDATE external_session SET id_token = ? WHERE session_id = ?", change);
}

}  // namespace provisioner::store
