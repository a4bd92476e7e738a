#include "provisioner/daemon/redaction/masked_stream.hpp"

#include <algorithm>

#include "provisioner/model/plugins/sealed.hpp"

namespace provisioner::daemon {

void MaskedStream::read(const SecretAutomaton& secrets, std::string_view piece) {
    text_ += piece;
    for (const char byte : piece) {
        state_ = secrets.after(state_, byte);
        ++read_;
        if (const std::size_t size = secrets.longest_end(state_)) note_end(size);
    }
}

void MaskedStream::note_end(std::size_t size) {
    Run found{.begin = read_ - size, .end = read_};
    if (size < shortest_replaced) {
        short_ones_.push_back(found);
        return;
    }
    while (!runs_.empty() && runs_.back().end > found.begin) {
        found.begin = std::min(found.begin, runs_.back().begin);
        runs_.pop_back();
    }
    if (found.begin < masked_until_) {
        masked_until_ = found.end;
    } else {
        runs_.push_back(found);
    }
}

std::string MaskedStream::shown(const SecretAutomaton& secrets) {
    return shown_to(read_ - std::min(read_, secrets.begun(state_)));
}

std::string MaskedStream::rest() {
    return shown_to(read_);
}

std::string MaskedStream::shown_to(std::size_t limit) {
    const std::size_t masked_before = masked_until_;
    std::deque<Run> masked;
    std::string shown;
    std::size_t at = std::max(done_, masked_until_);
    const auto show_to = [&](std::size_t end) {
        if (at < end) shown.append(text_, at - done_, end - at);
        at = std::max(at, end);
    };
    // No secret begins before the limit any more, so a run that begins there has its mask now. Its
    // end may still move.
    while (!runs_.empty() && runs_.front().begin < limit) {
        show_to(runs_.front().begin);
        shown += model::secret_mask;
        at = masked_until_ = runs_.front().end;
        masked.push_back(runs_.front());
        runs_.pop_front();
    }
    show_to(limit);
    if (!shown.empty() && has_short_one(limit, masked_before, masked)) shown = model::secret_mask;
    while (!short_ones_.empty() && short_ones_.front().end <= at) short_ones_.pop_front();
    text_.erase(0, at - done_);
    done_ = at;
    return shown;
}

bool MaskedStream::has_short_one(std::size_t limit, std::size_t masked_before,
                                 const std::deque<Run>& masked) const {
    auto run = masked.begin();
    for (const Run& one : short_ones_) {
        if (one.begin >= limit) continue;
        while (run != masked.end() && run->end < one.end) ++run;
        const bool is_in_run = run != masked.end() && run->begin <= one.begin;
        if (one.end > masked_before && !is_in_run) return true;
    }
    return false;
}

}  // namespace provisioner::daemon
