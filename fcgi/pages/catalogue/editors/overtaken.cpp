#include "fcgi/pages/catalogue/editors/overtaken.hpp"

#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::base::Json;
using provisioner::base::Problems;
using provisioner::messages::translated;

void take_both(const Json& before, const provisioner::model::SeenVersion& newest, EditPage& page) {
    auto both = rebased_entry(page.kind, before, page.entry, page.stored);
    if (!both) return;
    page.entry = std::move(both->document);
    page.version = newest.version;
    page.line = newest.line;
    page.clashes = std::move(both->clashes);
    page.taken_over = std::move(both->theirs);
    if (page.document) {
        page.document = page.entry.dump(2, ' ', false, Json::error_handler_t::replace);
    }
}

Problems problems_of_clashes(const EditPage& page) {
    const auto value = [](const std::string& words) {
        return words.empty() ? translated("empty") : words;
    };
    Problems problems;
    for (const auto& [path, label, ours, theirs] : page.clashes) {
        problems.push_back({path, translated("{0}: {1} below, {2} in version {3}.", label,
                                             value(ours), value(theirs), page.version)});
    }
    return problems;
}

void begin_anew(EditPage& page) {
    page.is_gone = true;
    page.stored = Json::object();
    page.version = 0;
    page.line.reset();
    page.entry = without_masked_fields(std::move(page.entry));
}

std::string words_on_deletion(const EditPage& page) {
    const auto words =
        translated("What you typed is below and not saved. Saving it now makes it a new entry.");
    if (!page.last_change) return words;
    return joined_sentences(translated("{0} deleted it.", page.last_change->user), words);
}

std::string words_on_overtaking(const EditPage& page) {
    if (page.clashes.empty()) {
        return translated(
            "Your changes are below and not saved. Saving them now replaces what somebody else "
            "saved.");
    }
    const auto words = translated(
        "Your changes are below and not saved. Saving them now replaces what version {0} says of "
        "what both changed.",
        page.version);
    if (page.taken_over.empty()) return words;
    return joined_sentences(words, translated("What else version {0} changed stays: {1}.",
                                              page.version, listed(page.taken_over)));
}

}  // namespace fcgi::pages
