#include "provisioner/daemon/redaction/secret_automaton.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>

#include "provisioner/daemon/redaction/masked_stream.hpp"
#include "provisioner/identity/checksum.hpp"

namespace provisioner::daemon {

namespace {

/// The texts [first, last) of the sorted list begin with the bytes of one state.
struct Range {
    std::size_t first;
    std::size_t last;
};

constexpr std::string_view blanks = " \t\r\n";

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string with_line_ends(std::string_view text, std::string_view line_end) {
    std::string changed;
    for (const char byte : text) {
        if (byte == '\n') {
            changed += line_end;
        } else if (byte != '\r') {
            changed += byte;
        }
    }
    return changed;
}

/// The secrets, and what nodes print of them when line ends are another.
std::vector<std::string> with_their_lines(const std::vector<std::string>& secrets) {
    std::vector<std::string> all = secrets;
    for (const std::string& secret : secrets) {
        const auto add = [&](std::string_view text, std::size_t least) {
            if (text.size() >= least) all.emplace_back(text);
        };
        const auto trimmed = without_blanks(secret);
        add(trimmed, shortest_replaced);
        if (trimmed.find_first_of("\r\n") == std::string_view::npos) continue;
        for (const char* line_end : {"\n", "\r\n", "\r"}) {
            add(with_line_ends(trimmed, line_end), shortest_replaced);
        }
        for (std::size_t at = 0; at < trimmed.size();) {
            const auto end = std::min(trimmed.find_first_of("\r\n", at), trimmed.size());
            add(without_blanks(trimmed.substr(at, end - at)), shortest_line);
            at = end + 1;
        }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

/// Nothing of the secrets themselves is kept as a key.
std::string key_of(const std::vector<std::string>& secrets) {
    std::string text;
    for (const std::string& secret : secrets) text += std::to_string(secret.size()) + ':' + secret;
    return identity::checksum(text);
}

class Automatons {
 public:
    std::shared_ptr<const SecretAutomaton> of(const std::vector<std::string>& secrets) {
        const std::string key = key_of(secrets);
        if (auto known = find(key)) return known;
        // Without the lock: another thread may make the same one, which costs time and nothing
        // else.
        auto made = std::make_shared<const SecretAutomaton>(with_their_lines(secrets));
        // The last one that has an automaton frees it, which takes long: outside of the lock.
        std::shared_ptr<const SecretAutomaton> freed;
        {
            const std::lock_guard lock(mutex_);
            std::erase_if(made_, [](const auto& entry) { return entry.second.expired(); });
            made_[key] = made;
            freed = keep(made);
        }
        return made;
    }

 private:
    static constexpr std::size_t kept = 8;

    std::shared_ptr<const SecretAutomaton> find(const std::string& key) {
        const std::lock_guard lock(mutex_);
        const auto found = made_.find(key);
        auto known = found == made_.end() ? nullptr : found->second.lock();
        const auto place = std::ranges::find(last_, known);
        if (known && place != last_.end()) {
            last_.erase(place);
            last_.push_back(known);
        }
        return known;
    }

    /// Returns the one that is kept no longer.
    std::shared_ptr<const SecretAutomaton> keep(std::shared_ptr<const SecretAutomaton> made) {
        last_.push_back(std::move(made));
        if (last_.size() <= kept) return nullptr;
        auto oldest = std::move(last_.front());
        last_.pop_front();
        return oldest;
    }

    std::mutex mutex_;
    std::map<std::string, std::weak_ptr<const SecretAutomaton>> made_;
    std::deque<std::shared_ptr<const SecretAutomaton>> last_;
};

}  // namespace

std::shared_ptr<const SecretAutomaton> automaton_of(const std::vector<std::string>& secrets) {
    static Automatons automatons;
    return automatons.of(secrets);
}

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
