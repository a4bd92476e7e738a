#include "provisioner/daemon/tasks/pattern.hpp"

namespace provisioner::daemon {

Pattern::Pattern(std::string text) : text_(std::move(text)), shorter_(text_.size() + 1) {
    for (std::size_t size = 2; size <= text_.size(); ++size) {
        shorter_[size] = after(shorter_[size - 1], text_[size - 1]);
    }
}

std::size_t Pattern::find_in(std::string_view text, std::size_t from) const {
    if (text_.empty()) return std::string_view::npos;
    std::size_t begun = 0;
    for (std::size_t at = from; at < text.size(); ++at) {
        begun = after(begun, text[at]);
        if (begun == text_.size()) return at + 1 - begun;
    }
    return std::string_view::npos;
}

void Pattern::add_all_in(std::string_view text,
                         std::vector<std::pair<std::size_t, std::size_t>>& places) const {
    std::size_t begun = 0;
    for (std::size_t at = 0; at < text.size() && !text_.empty(); ++at) {
        begun = after(begun, text[at]);
        if (begun == text_.size()) places.emplace_back(at + 1 - begun, at + 1);
    }
}

std::size_t Pattern::after(std::size_t begun, char next) const {
    while (begun > 0 && (begun == text_.size() || text_[begun] != next)) begun = shorter_[begun];
    return begun < text_.size() && text_[begun] == next ? begun + 1 : 0;
}

}  // namespace provisioner::daemon
