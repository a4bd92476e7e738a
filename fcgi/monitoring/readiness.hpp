#pragma once

#include <optional>
#include <string>

#include "provisioner/base/json.hpp"

namespace fcgi::monitoring {

/// What keeps this process from serving. The texts go to anybody who asks: no numbers, no names of
/// hosts. Empty: it is all right.
struct Readiness {
    std::string database{};
    std::string schema{};
    std::string views{};

    bool is_ready() const { return database.empty() && schema.empty() && views.empty(); }

    bool operator==(const Readiness&) const = default;
};

/// What is wrong with the schema `applied`, for a program built for `wanted`; empty: nothing.
std::string schema_problem(std::optional<int> applied, int wanted);

/// {"ready":false,"checks":{"database":"ok","schema":"older than this program","views":"ok"}}
provisioner::base::Json to_json(const Readiness& readiness);

}  // namespace fcgi::monitoring
