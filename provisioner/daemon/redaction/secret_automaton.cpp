#include "provisioner/daemon/redaction/secret_automaton.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace provisioner::daemon {

namespace {

/// The texts [first, last) of the sorted list begin with the bytes of one state.
struct Range {
    std::size_t first;
    std::size_t last;
};

}  // namespace

SecretAutomaton::SecretAutomaton(std::vector<std::string> texts) {
    std::erase(texts, "");
    std::ranges::sort(texts);
    std::size_t bytes = 1;
    for (const std::string& text : texts) bytes += text.size();
    if (bytes > std::numeric_limits<State>::max()) throw std::length_error("too many secrets");

    const auto add = [&](unsigned char byte, State shorter) {
        byte_.push_back(byte);
        shorter_.push_back(shorter);
        first_child_.push_back(0);
        children_.push_back(0);
        ends_.push_back(ends_.empty() ? 0 : ends_[shorter]);
        begun_.push_back(0);
    };
    add(0, 0);
    // States are made level by level, so that shorter endings are there before longer ones.
    std::vector<Range> level{{0, texts.size()}};
    State state = 0;
    for (std::uint32_t depth = 0; !level.empty(); ++depth) {
        std::vector<Range> next;
        for (Range range : level) {
            // The text that ends here is the first of those that begin so.
            while (range.first < range.last && texts[range.first].size() == depth) ++range.first;
            first_child_[state] = static_cast<State>(byte_.size());
            for (std::size_t at = range.first; at < range.last;) {
                const char byte = texts[at][depth];
                std::size_t end = at;
                while (end < range.last && texts[end][depth] == byte) ++end;
                const State shorter = depth == 0 ? 0 : after(shorter_[state], byte);
                add(static_cast<unsigned char>(byte), shorter);
                if (texts[at].size() == depth + 1) ends_.back() = depth + 1;
                ++children_[state];
                next.push_back({at, end});
                at = end;
            }
            begun_[state] = children_[state] > 0 ? depth : begun_[shorter_[state]];
            ++state;
        }
        level = std::move(next);
    }
}

SecretAutomaton::State SecretAutomaton::child(State state, char next) const {
    const auto begin = byte_.begin() + first_child_[state];
    const auto end = begin + children_[state];
    const auto found = std::lower_bound(begin, end, static_cast<unsigned char>(next));
    if (found == end || *found != static_cast<unsigned char>(next)) return 0;
    return static_cast<State>(found - byte_.begin());
}

SecretAutomaton::State SecretAutomaton::after(State state, char next) const {
    State found = child(state, next);
    while (found == 0 && state != 0) {
        state = shorter_[state];
        found = child(state, next);
    }
    return found;
}

}  // namespace provisioner::daemon
