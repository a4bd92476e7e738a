#include "fcgi/forms/preview_cluster.hpp"

#include "fcgi/forms/create_cluster.hpp"
#include "provisioner/model/catalogue/entity_json.hpp"

namespace fcgi::forms {

using provisioner::base::Checked;
using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::model::ObjectReader;
namespace operations = provisioner::operations;

namespace {

operations::SizeRange range_in(ObjectReader& reader) {
    reader.require("from");
    reader.require("to");
    const operations::SizeRange range{.from = reader.whole_number("from").value_or(1),
                                      .to = reader.whole_number("to").value_or(1)};
    if (range.from < 1) reader.problem("from", "must be at least 1");
    if (range.to < range.from) reader.problem("to", "must not be less than from");
    if (range.from >= 1 && range.to - range.from >= operations::most_sizes) {
        reader.problem("to", "must not be more than " + std::to_string(operations::most_sizes - 1) +
                                 " above from");
    }
    return range;
}

}  // namespace

Checked<PreviewCluster> preview_cluster(const Json& json) {
    auto wanted = create_cluster(json);
    Problems problems = wanted ? Problems{} : wanted.error();
    PreviewCluster preview;
    if (wanted) preview.wanted = *std::move(wanted);
    if (json.is_object()) {
        ObjectReader reader(&json, "", problems);
        if (reader.truth("explain").value_or(false)) preview.explain = operations::Explain::yes;
        if (reader.has("sizes")) {
            auto sizes = reader.object("sizes");
            preview.sizes = range_in(sizes);
        }
    }
    return provisioner::model::unless_problems(std::move(preview), std::move(problems));
}

}  // namespace fcgi::forms
