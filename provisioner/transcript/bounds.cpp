#include "provisioner/transcript/bounds.hpp"

#include <algorithm>
#include <iterator>

namespace provisioner::transcript {

namespace {

constexpr std::string_view our_own_words = "note";

}  // namespace

void UnsentOutput::add(const std::string& stream, std::string_view text, std::int64_t last) {
    if (stream == our_own_words) return add_note(text);
    while (!text.empty()) {
        // A piece ends where the kept beginning ends, so that the beginning is kept to the byte.
        const std::int64_t room =
            printed_ < kept_first ? std::min(piece_limit, kept_first - printed_) : piece_limit;
        const auto part = text.substr(0, static_cast<std::size_t>(room));
        append(stream_of(stream), part);
        text.remove_prefix(part.size());
        forget_all_but(last);
    }
}

const std::string& UnsentOutput::stream_of(const std::string& stream) {
    if (stream == stream_ || changes_ >= most_changes) return stream_;
    if (!stream_.empty()) ++changes_;
    stream_ = stream;
    return stream_;
}

void UnsentOutput::skip(const std::string& stream, std::string_view text) {
    if (stream == our_own_words) return add_note(text);
    printed_ += std::ssize(text);
}

void UnsentOutput::add_note(std::string_view text) {
    text = text.substr(0, static_cast<std::size_t>(kept_notes - size_of_notes_));
    if (text.empty()) return;
    auto& place = last_.empty() ? first_ : last_;
    place.push_back({std::string(our_own_words), std::string(text), printed_});
    size_ += std::ssize(text);
    size_of_notes_ += std::ssize(text);
}

void UnsentOutput::append(const std::string& stream, std::string_view text) {
    const bool begins = printed_ < kept_first;
    auto& place = begins ? first_ : last_;
    const auto length = std::ssize(text);
    const bool goes_on = !place.empty() && place.back().stream == stream &&
                         place.back().from_byte + std::ssize(place.back().body) == printed_ &&
                         std::ssize(place.back().body) + length <= piece_limit;
    if (goes_on) {
        place.back().body += text;
    } else {
        place.push_back({stream, std::string(text), printed_});
    }
    printed_ += length;
    size_ += length;
    if (!begins) size_of_last_ += length;
}

void UnsentOutput::forget_all_but(std::int64_t last) {
    while (!last_.empty()) {
        Piece& oldest = last_.front();
        if (oldest.stream == our_own_words) {
            first_.push_back(std::move(oldest));
        } else {
            const auto length = std::ssize(oldest.body);
            if (size_of_last_ - length < last) return;
            size_ -= length;
            size_of_last_ -= length;
        }
        last_.pop_front();
    }
}

std::vector<Piece> UnsentOutput::take() {
    std::vector<Piece> all(std::make_move_iterator(first_.begin()),
                           std::make_move_iterator(first_.end()));
    all.insert(all.end(), std::make_move_iterator(last_.begin()),
               std::make_move_iterator(last_.end()));
    first_.clear();
    last_.clear();
    size_ = 0;
    size_of_notes_ = 0;
    size_of_last_ = 0;
    return all;
}

}  // namespace provisioner::transcript
