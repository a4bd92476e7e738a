#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fcgi/pages/labels.hpp"
#include "provisioner/base/json.hpp"
#include "provisioner/model/catalogue/entity.hpp"
#include "provisioner/model/catalogue/service.hpp"

namespace fcgi::pages {

/// A hardware type or an image type that the viewer may use.
struct TypeChoice {
    std::string name{};
    /// What a list of choices calls it.
    std::string words{};
    /// Names of the providers that it has a flavor, or an image, for.
    std::vector<std::string> providers{};

    /// Whether machines of it can be made there. Of no provider it is not known: yes.
    [[nodiscard]] bool fits(const std::string& provider) const;
};

/// A chosen service that needs what no chosen one has.
struct MissingService {
    std::string service{};
    /// The service that it needs, or what that should provide.
    std::string needs{};
    /// The names of the services that would do, of those that may be chosen.
    std::vector<std::string> offered{};
};

/// What the chosen services need and do not have. `allowed`: names that may be chosen; all if there
/// is none.
std::vector<MissingService> missing_services(
    const std::vector<std::string>& chosen, const std::vector<std::string>& allowed,
    const std::vector<provisioner::model::Service>& catalogue);

/// "Application needs Database, which is not chosen."
std::string words_of_missing(const MissingService& missing, const Labels& labels);

/// Chosen services that leave no number of machines.
struct WithoutSize {
    /// Why, and whether another service would help.
    std::string sentence{};
    /// The names of services with one of which there are sizes.
    std::vector<std::string> offered{};
};

/// Whether the limits and the rules of a template leave no size to a cluster of these services.
/// `usual` are the template's services, which are tried as additions. No search.
std::optional<WithoutSize> services_without_size(const provisioner::model::Constraints& constraints,
                                                 const std::vector<std::string>& chosen,
                                                 const std::vector<std::string>& usual);

/// What decides which hardware types, or which image types, a form offers.
struct TypeQuestion {
    /// hardware_type or image_type.
    provisioner::model::CatalogueKind kind{};
    /// All that the viewer may use, sorted by name.
    const std::vector<TypeChoice>& all;
    /// Names that the template allows; all if it lists none.
    const std::vector<std::string>& compatible;
    /// The template's default; empty if it has none.
    std::string usual{};
    /// What was chosen; empty for the default.
    std::string asked{};
    /// The provider of the form; empty if none is chosen.
    std::string provider{};

    [[nodiscard]] const std::string& asked_or_usual() const {
        return asked.empty() ? usual : asked;
    }
};

/// The choices of one kind of type, narrowed to what the template allows and the provider has.
struct FittingTypes {
    /// As (value, label). The value "" is any that fits; it is not there if the template has a
    /// default, because the default is used then. If nothing fits, these are all allowed ones.
    std::vector<std::pair<std::string, std::string>> options{};
    /// The value to begin with: what was asked for, or the first that fits.
    std::string chosen{};
    /// Says that something else than what was asked for is chosen; empty if it is not so.
    std::string note{};
    /// Whether no choice can work at the provider.
    bool nothing_fits = false;
};

FittingTypes fitting_types(const TypeQuestion& question);

/// Whether each question has something that fits at the provider.
bool can_work_at(const std::string& provider, const std::vector<TypeQuestion>& questions);

/// The other ones of `providers` (name, words) at which each question has something that fits, as
/// words.
std::vector<std::string> other_providers(
    const std::vector<TypeQuestion>& questions,
    const std::vector<std::pair<std::string, std::string>>& providers);

/// The other ones of `providers` at which the type that is asked for can be used, as words.
std::vector<std::string> providers_with_what_is_asked(
    const TypeQuestion& question,
    const std::vector<std::pair<std::string, std::string>>& providers);

/// What is missing where nothing fits, and who can mend it: {sentence, remedy, links: [{href,
/// text}]}. The links lead administrators to the types that lack the provider.
provisioner::base::Json missing_json(const TypeQuestion& question, const std::string& provider,
                                     bool is_admin);

}  // namespace fcgi::pages
