#include "provisioner/model/catalogue/version.hpp"

#include <algorithm>

namespace provisioner::model {

PresentVersion present_version(int version, const std::vector<CatalogueVersion>& lines) {
    PresentVersion present{
        .seen = {.version = version, .line = lines.empty() ? 0 : lines.front().id}};
    if (version == 0) return present;
    // Only an entry that was not there before gets the number 1.
    const auto begun = std::ranges::find_if(lines, [](const CatalogueVersion& line) {
        return line.version == 1 && line.act != VersionAct::remove;
    });
    if (begun != lines.end()) present.begun = *begun;
    return present;
}

bool is_in_force(const PresentVersion& present, const SeenVersion& seen) {
    return present.seen.version == seen.version &&
           (!seen.line || !present.seen.line || *present.seen.line == *seen.line);
}

bool is_created_anew(const PresentVersion& present, const SeenVersion& seen) {
    return seen.version > 0 && seen.line && present.begun && present.begun->id > *seen.line;
}

}  // namespace provisioner::model
