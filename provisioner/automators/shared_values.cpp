#include "provisioner/automators/shared_values.hpp"

#include "provisioner/identity/sha256.hpp"

namespace provisioner::automators {

using base::Json;

namespace {

/// A reference is binary JSON that holds the value's name. JSON parsed from text is never binary.
std::string name_in(const Json& reference) {
    const auto& bytes = reference.get_binary();
    return {bytes.begin(), bytes.end()};
}

}  // namespace

SharedText with_checksum(std::string text) {
    identity::Sha256 sum;
    sum.add(text);
    return {.text = std::move(text), .sha256 = sum.finish()};
}

bool is_reference(const Json& json) {
    return json.is_binary();
}

Json SharedValues::refer_to(const std::string& name, std::function<Json()> make) {
    makers_.emplace(name, std::move(make));
    return Json::binary({name.begin(), name.end()});
}

Json SharedValues::changed(const Json& json, const std::string& how,
                           const std::function<Json(const Json&)>& change) {
    if (!is_reference(json)) return change(json);
    const std::string name = name_in(json);
    return refer_to(name + "\n" + how,
                    [make = makers_.at(name), change] { return change(make()); });
}

std::shared_ptr<const SharedText> SharedValues::text_of(
    const Json& reference, const std::string& form,
    const std::function<std::string(const Json&)>& write) const {
    const std::string name = name_in(reference);
    return memo_->get<SharedText>("text " + form + "\n" + name,
                                  [&] { return with_checksum(write(makers_.at(name)())); });
}

}  // namespace provisioner::automators
