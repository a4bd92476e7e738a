#include "provisioner/daemon/machines/provider_tests.hpp"

#include <thread>

#include "provisioner/base/utf8.hpp"
#include "provisioner/daemon/machines/one_call.hpp"
#include "provisioner/daemon/redaction/redact.hpp"
#include "provisioner/daemon/timing.hpp"
#include "provisioner/identity/sealing.hpp"
#include "provisioner/operations/catalogue/provider_tests.hpp"
#include "provisioner/store/machines/provider_test_store.hpp"
#include "provisioner/store/plugins/plugin_store.hpp"

namespace provisioner::daemon {

namespace {

constexpr int tests_at_once = 4;

// What is kept of an answer: enough for forms, and little enough for the database whatever a cloud
// says. A value that is longer is left out, for a part of it would be another one.
constexpr std::size_t most_choices = 1'000;
constexpr std::size_t most_notes = 100;
constexpr std::size_t longest_kept = 1'000;

std::string kept_text(const std::string& text) {
    const std::string clean = base::to_utf8(text);
    return std::string(base::utf8_prefix(clean, longest_kept));
}

base::Json to_json(const providers::Offer& offer) {
    base::Json choices = base::Json::object();
    base::Json notes = base::Json::array();
    for (const auto& [field, of_field] : offer.choices) {
        base::Json& list = choices[field] = base::Json::array();
        for (const providers::Choice& choice : of_field) {
            if (list.size() == most_choices) break;
            if (choice.value.size() > longest_kept) continue;
            list.push_back({{"value", choice.value}, {"label", kept_text(choice.label)}});
        }
        if (list.size() == of_field.size()) continue;
        notes.push_back("Of " + std::to_string(of_field.size()) + " choices of " + field + " " +
                        std::to_string(list.size()) + " are kept.");
    }
    for (const std::string& note : offer.notes) {
        if (notes.size() == most_notes) break;
        notes.push_back(kept_text(note));
    }
    return {{"choices", std::move(choices)}, {"notes", std::move(notes)}};
}

/// One row with its account; carried out by one thread.
struct Test {
    model::ProviderTest row;
    model::Account account;
    providers::Provider* provider = nullptr;
};

/// Sets passed, message and offer. False when the daemon ends meanwhile.
bool carry_out(Test& test, const std::function<bool()>& stopping) {
    try {
        if (!model::is_filled(test.provider->type().admin, test.account.fields)) {
            test.row.message = "fields that are required are empty";
            return true;
        }
        const auto until = std::chrono::steady_clock::now() + timing::provider_test_patience;
        const auto tested = result_of(test.provider->test(test.account), until, stopping);
        if (const auto* refused = std::get_if<providers::Refused>(&tested)) {
            test.row.message = redacted(refused->message, test.account.secrets);
            return true;
        }
        test.row.passed = true;
        test.row.offer = to_json(std::get<providers::Offer>(tested));
    } catch (const std::exception& error) {
        test.row.message = redacted(error.what(), test.account.secrets);
    }
    return !stopping();
}

/// Opens the account of a test; a message instead where that cannot be done. Failures of the
/// database are for the caller's transaction.
Test prepared(store::Connection& connection, model::ProviderTest row,
              const providers::Registry& providers, const std::string& installation,
              const TaskContext::AddFiles& add_files) {
    Test test;
    test.row = std::move(row);
    test.row.passed = false;
    test.row.message.clear();
    test.row.offer = base::Json::object();
    try {
        auto account = operations::account_to_test(connection, test.row);
        if (!account) {
            test.row.message = "the provider was deleted";
            return test;
        }
        test.account = *std::move(account);
        test.account.installation = installation;
        test.provider = providers.find(test.account.provider_type);
        if (test.provider == nullptr) {
            test.row.message = "this daemon has no provider of type " + test.account.provider_type;
        } else if (add_files) {
            add_files(connection, test.account);
        }
    } catch (const identity::VaultError& error) {
        test.provider = nullptr;
        test.row.message = error.what();
    }
    return test;
}

void save(store::Database& database, const model::ProviderTest& row) {
    database.write(
        [&](store::Connection& connection) { store::save_provider_test(connection, row); });
}

/// Stores the answer, or that it cannot be stored: a test must end.
void store_answer(store::Database& database, model::ProviderTest& row) {
    try {
        return save(database, row);
    } catch (const std::exception&) {
        row.offer = base::Json::object();
        row.message = "the provider's answer cannot be stored";
    }
    try {
        save(database, row);
    } catch (const std::exception&) {
        // The database is away. Another daemon takes the test once `hold` is over.
    }
}

}  // namespace

void test_providers(store::Database& database, const providers::Registry& providers,
                    const std::string& installation, const TaskContext::AddFiles& add_files,
                    const std::function<bool()>& stopping) {
    std::vector<Test> tests;
    database.write([&](store::Connection& connection) {
        tests.clear();
        auto rows = store::take_provider_tests(connection, tests_at_once,
                                               timing::provider_test_patience * 2);
        for (auto& row : rows) {
            tests.push_back(
                prepared(connection, std::move(row), providers, installation, add_files));
        }
    });
    std::vector<std::jthread> threads;
    for (Test& test : tests) {
        threads.emplace_back([&database, &stopping, &test] {
            if (test.provider != nullptr && !carry_out(test, stopping)) return;
            store_answer(database, test.row);
        });
    }
}

}  // namespace provisioner::daemon
