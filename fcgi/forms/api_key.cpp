#include "fcgi/forms/api_key.hpp"

#include "fcgi/forms/signed_number.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"
#include "provisioner/model/names.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
using provisioner::operations::KeySpec;

namespace base = provisioner::base;
namespace model = provisioner::model;

Checked<KeySpec> api_key(const Json& json) {
    Problems problems;
    ObjectReader reader(&json, "", problems);
    KeySpec wanted;
    wanted.name = reader.text("name").value_or("");
    if (const auto wrong = model::problem_with_name(wanted.name)) reader.problem("name", *wrong);
    const auto scope = base::from_word<model::KeyScope>(reader.text("scope").value_or("all"));
    if (!scope) reader.problem("scope", "must be all or read");
    wanted.scope = scope.value_or(model::KeyScope::read);
    if (const Json* moment = reader.value("expireTime")) {
        wanted.expires_at = signed_number(*moment);
        if (!wanted.expires_at) reader.problem("expireTime", "must be milliseconds since 1970");
        if (wanted.expires_at == 0) wanted.expires_at.reset();
    }
    return model::unless_problems(std::move(wanted), std::move(problems));
}

}  // namespace fcgi::forms
