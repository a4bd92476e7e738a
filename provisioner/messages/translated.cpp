#include "provisioner/messages/translated.hpp"

#include "provisioner/messages/reader.hpp"

namespace provisioner::messages::detail {

namespace {

std::string with_values(std::string_view text, std::initializer_list<std::string> values) {
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool is_value = text[at] == '{' && at + 2 < text.size() && text[at + 2] == '}' &&
                              text[at + 1] >= '0' && text[at + 1] <= '9';
        const auto number = is_value ? static_cast<std::size_t>(text[at + 1] - '0') : values.size();
        if (number < values.size()) {
            result += values.begin()[number];
            at += 2;
        } else {
            result += text[at];
        }
    }
    return result;
}

}  // namespace

std::string with_commas(std::string digits) {
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string filled(std::string_view english, std::initializer_list<std::string> values) {
    const Messages* const messages = messages_of_reader();
    const std::string* const found = messages != nullptr ? messages->of(english) : nullptr;
    return with_values(found != nullptr ? *found : english, values);
}

std::string filled_count(unsigned long number, std::string_view one, std::string_view many,
                         std::initializer_list<std::string> values) {
    const Messages* const messages = messages_of_reader();
    const std::string* const found = messages != nullptr ? messages->of(one, number) : nullptr;
    return with_values(found != nullptr ? *found : number == 1 ? one : many, values);
}

}  // namespace provisioner::messages::detail
