#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace provisioner::messages {

/// Which plural form of a language goes with a number: the header "Plural-Forms" of a catalogue,
/// "nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 ? 1 : 2;"
/// (https://www.gnu.org/software/gettext/manual/html_node/Plural-forms.html).
class PluralRule {
 public:
    /// English: one, and everything else.
    PluralRule() : PluralRule("nplurals=2; plural=n!=1;") {}

    /// Throws std::runtime_error that says what is wrong with the header's text.
    explicit PluralRule(std::string_view header);

    /// How many forms there are: 1 to 6.
    std::size_t forms() const { return forms_; }
    /// The place of the form for a number, below forms().
    std::size_t form_of(unsigned long number) const;

    /// A part of the formula.
    struct Node;

 private:
    std::size_t forms_ = 0;
    std::shared_ptr<const Node> formula_;
};

}  // namespace provisioner::messages
