#include "provisioner/operations/catalogue/unknown_members.hpp"

namespace provisioner::operations {

namespace {

using base::Json;

bool has_no_value(const Json& value) {
    if (value.is_string()) return value.get_ref<const std::string&>().empty();
    return value.is_null() || (value.is_structured() && value.empty());
}

void add_unknown(const Json& written, const Json& canonical, const std::string& path,
                 std::vector<std::string>& unknown) {
    const auto inner = [&](const std::string& name) {
        return path.empty() ? name : path + '.' + name;
    };
    if (written.is_array() && canonical.is_array()) {
        // Elements that were written twice are stored once: then their places differ.
        if (written.size() != canonical.size()) return;
        for (std::size_t i = 0; i < written.size(); ++i) {
            add_unknown(written[i], canonical[i], inner(std::to_string(i)), unknown);
        }
    }
    // A short form, such as an object where a name is stored, was read as a whole.
    if (!written.is_object() || !canonical.is_object()) return;
    for (const auto& [name, value] : written.items()) {
        const Json* stored = base::member(canonical, name);
        if (stored != nullptr) {
            add_unknown(value, *stored, inner(name), unknown);
        } else if (!has_no_value(value)) {
            unknown.push_back(inner(name));
        }
    }
}

}  // namespace

std::vector<std::string> unknown_members(const Json& written, const Json& canonical) {
    std::vector<std::string> unknown;
    add_unknown(written, canonical, "", unknown);
    std::erase(unknown, "version");
    return unknown;
}

}  // namespace provisioner::operations
