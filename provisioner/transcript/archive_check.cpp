#include "provisioner/transcript/archive_check.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace provisioner::transcript {

namespace {

constexpr std::size_t block_size = 512;

/// A number of a header: octal digits, or a binary number after a byte with the highest bit.
/// Nothing for anything else.
std::optional<std::uint64_t> number_in_header(std::string_view field) {
    std::uint64_t number = 0;
    if ((static_cast<unsigned char>(field.front()) & 0x80U) != 0) {
        for (const char byte : field.substr(field.size() - 8)) {
            number = number << 8U | static_cast<unsigned char>(byte);
        }
        return number;
    }
    for (const char digit : field) {
        if (digit == ' ' || digit == '\0') continue;
        if (digit < '0' || digit > '7') return std::nullopt;
        number = number << 3U | static_cast<unsigned>(digit - '0');
    }
    return number;
}

std::string_view text_in_header(std::string_view field) {
    return field.substr(0, field.find('\0'));
}

bool leads_out(std::string_view path) {
    while (!path.empty()) {
        const auto slash = path.find('/');
        if (path.substr(0, slash) == "..") return true;
        path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    }
    return false;
}

bool has_right_sum(std::string_view header) {
    constexpr std::size_t sum_at = 148;
    constexpr std::size_t sum_size = 8;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < block_size; ++i) {
        const bool is_sum = i >= sum_at && i < sum_at + sum_size;
        sum += is_sum ? ' ' : static_cast<unsigned char>(header[i]);
    }
    return number_in_header(header.substr(sum_at, sum_size)) == sum;
}

/// The tar inside.
class TarWalk {
 public:
    void take(std::string_view bytes) {
        while (!bytes.empty() && !fault_ && !has_ended_) {
            if (data_left_ > 0) {
                const auto some = std::min<std::uint64_t>(data_left_, bytes.size());
                data_left_ -= some;
                bytes.remove_prefix(static_cast<std::size_t>(some));
                continue;
            }
            const auto some = std::min(block_size - header_.size(), bytes.size());
            header_ += bytes.substr(0, some);
            bytes.remove_prefix(some);
            if (header_.size() == block_size) read_header();
        }
    }

    std::optional<ArchiveFault> finish() const {
        if (fault_) return fault_;
        if (data_left_ > 0) return ArchiveFault::cut_off;
        if (!has_entries_) {
            return has_ended_ ? ArchiveFault::empty : ArchiveFault::not_tar;
        }
        return header_.empty() ? std::nullopt : std::optional(ArchiveFault::cut_off);
    }

    const std::optional<ArchiveFault>& fault() const { return fault_; }

 private:
    void read_header() {
        const std::string header = std::exchange(header_, {});
        if (header.find_first_not_of('\0') == std::string::npos) {
            has_ended_ = true;
            return;
        }
        const std::string_view view = header;
        const auto size = number_in_header(view.substr(124, 12));
        if (!size || !has_right_sum(view)) {
            fault_ = has_entries_ ? ArchiveFault::damaged : ArchiveFault::not_tar;
            return;
        }
        has_entries_ = true;
        const bool is_ustar = view.substr(257, 5) == "ustar";
        if (leads_out(text_in_header(view.substr(0, 100))) ||
            (is_ustar && leads_out(text_in_header(view.substr(345, 155))))) {
            fault_ = ArchiveFault::leaves_folder;
            return;
        }
        // Links and folders have no data, whatever their size says.
        const char type = view[156];
        const bool has_data = type < '1' || type > '6';
        if (has_data) data_left_ = (*size + block_size - 1) / block_size * block_size;
    }

    std::string header_{};
    /// With the rest of the last block.
    std::uint64_t data_left_ = 0;
    bool has_entries_ = false;
    bool has_ended_ = false;
    std::optional<ArchiveFault> fault_{};
};

}  // namespace

struct ArchiveCheck::State {
    z_stream stream{};
    TarWalk tar{};
    std::string begin{};
    unsigned long long left = 0;
    bool is_between_members = false;
    bool is_enough = false;
    std::optional<ArchiveFault> fault{};

    /// Whether the piece has more for zlib. Between two members of a file only zeros may stand.
    bool begins_member() {
        if (!is_between_members) return true;
        while (stream.avail_in > 0 && *stream.next_in == 0) {
            ++stream.next_in;
            --stream.avail_in;
        }
        if (stream.avail_in == 0) return false;
        ::inflateReset(&stream);
        is_between_members = false;
        return true;
    }

    void inflate_piece() {
        std::array<char, 64UL * 1024> out{};
        while (!fault && !is_enough && begins_member()) {
            stream.next_out = reinterpret_cast<Bytef*>(out.data());
            stream.avail_out = out.size();
            const int result = ::inflate(&stream, Z_NO_FLUSH);
            const std::size_t made = out.size() - stream.avail_out;
            left -= std::min<unsigned long long>(left, made);
            tar.take({out.data(), made});
            fault = tar.fault();
            is_enough = left == 0;
            is_between_members = result == Z_STREAM_END;
            const bool is_done = result == Z_BUF_ERROR || (stream.avail_in == 0 && made == 0);
            if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
                fault = ArchiveFault::damaged;
            }
            if (is_done) return;
        }
    }
};

ArchiveCheck::ArchiveCheck(unsigned long long most) : state_(std::make_unique<State>()) {
    state_->left = most;
    constexpr int with_gzip_header = MAX_WBITS + 16;
    if (::inflateInit2(&state_->stream, with_gzip_header) != Z_OK) {
        throw std::runtime_error("there is no memory to unpack");
    }
}

ArchiveCheck::~ArchiveCheck() {
    ::inflateEnd(&state_->stream);
}

bool ArchiveCheck::take(std::string_view bytes) {
    constexpr std::string_view gzip_begins{"\x1f\x8b"};
    State& state = *state_;
    if (state.begin.size() < gzip_begins.size()) {
        state.begin += bytes.substr(0, gzip_begins.size() - state.begin.size());
        if (!gzip_begins.starts_with(state.begin)) state.fault = ArchiveFault::not_gzip;
    }
    if (state.fault || state.is_enough) return false;
    state.stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
    state.stream.avail_in = static_cast<uInt>(bytes.size());
    state.inflate_piece();
    return !state.fault && !state.is_enough;
}

std::optional<ArchiveFault> ArchiveCheck::finish() const {
    if (state_->fault) return state_->fault;
    if (state_->is_enough) return std::nullopt;
    if (state_->begin.size() < 2) return ArchiveFault::not_gzip;
    if (!state_->is_between_members) return ArchiveFault::cut_off;
    return state_->tar.finish();
}

}  // namespace provisioner::transcript
