#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "provisioner/messages/plural.hpp"

namespace provisioner::messages {

/// The texts of one language: English text -> translation.
class Messages {
 public:
    /// Translations of a text: one, or as many as the language has plural forms.
    using Texts = std::map<std::string, std::vector<std::string>, std::less<>>;

    /// Reads a catalogue in the format of GNU gettext (https://www.gnu.org/software/gettext/manual/
    /// html_node/PO-Files.html) without contexts. Entries marked fuzzy, and those without a
    /// translation, are left out. Its header names the language, a tag of BCP 47 ("Language:
    /// pt-BR"; "pt_BR" is the same), and the rule of plural forms if the language has another than
    /// English. Throws std::runtime_error that names the line of what cannot be read.
    static Messages from_po(std::string_view text);

    /// `texts` as they are.
    Messages(std::string language, Texts texts, PluralRule rule = {})
        : language_(std::move(language)), rule_(std::move(rule)), texts_(std::move(texts)) {}

    /// A tag of BCP 47.
    const std::string& language() const { return language_; }
    /// The translation; nothing where there is none. Valid as long as this object.
    const std::string* of(std::string_view english) const;
    /// The same for a text with a number. `english` is its singular.
    const std::string* of(std::string_view english, unsigned long number) const;

 private:
    std::string language_;
    PluralRule rule_;
    Texts texts_;
};

/// A catalogue for translators: gettext's template of a catalogue. `places` maps each English text
/// to where it is used.
std::string to_pot(const std::map<std::string, std::string>& places);

}  // namespace provisioner::messages
