#include "provisioner/transcript/archive_check.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace provisioner::transcript {

namespace {

constexpr std::size_t block_size = 512;
/// Longest extended header that is read. Of longer ones, nothing tells what follows.
constexpr std::uint64_t longest_extension = 1UL << 20U;

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
    std::int64_t sum = 0;
    // Some programs have added bytes as signed ones; tar takes both.
    std::int64_t signed_sum = 0;
    for (std::size_t i = 0; i < block_size; ++i) {
        const bool is_sum = i >= sum_at && i < sum_at + sum_size;
        sum += is_sum ? ' ' : static_cast<unsigned char>(header[i]);
        signed_sum += is_sum ? ' ' : static_cast<signed char>(header[i]);
    }
    const auto stored = number_in_header(header.substr(sum_at, sum_size));
    return stored && (static_cast<std::int64_t>(*stored) == sum ||
                      static_cast<std::int64_t>(*stored) == signed_sum);
}

/// What an extended header says of the entry behind it.
struct Extension {
    std::optional<std::string> path{};
    std::optional<std::uint64_t> size{};
};

std::optional<std::uint64_t> decimal_number(std::string_view digits) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    const bool is_whole = error == std::errc() && end == digits.end();
    return is_whole ? std::optional(number) : std::nullopt;
}

/// Records of pax, "18 path=some/file\n": the length counts the whole record.
void read_records(std::string_view records, Extension& extension) {
    while (!records.empty()) {
        const auto length = decimal_number(records.substr(0, records.find(' ')));
        if (!length || *length > records.size()) return;
        std::string_view record = records.substr(0, static_cast<std::size_t>(*length));
        const auto key_at = record.find(' ') + 1;
        const auto equals = record.find('=');
        if (equals == std::string_view::npos || equals < key_at || !record.ends_with('\n')) return;
        const auto key = record.substr(key_at, equals - key_at);
        const auto value = record.substr(equals + 1, record.size() - equals - 2);
        if (key == "path" || key == "GNU.sparse.name") extension.path = value;
        if (key == "size") extension.size = decimal_number(value);
        records.remove_prefix(record.size());
    }
}

/// The tar inside.
class TarWalk {
 public:
    void take(std::string_view bytes) {
        while (!bytes.empty() && !fault_ && !has_ended_) {
            if (data_left_ > 0 && !maps_follow_) {
                const auto some =
                    static_cast<std::size_t>(std::min<std::uint64_t>(data_left_, bytes.size()));
                if (extends_ != 0) text_ += bytes.substr(0, some);
                data_left_ -= some;
                bytes.remove_prefix(some);
                if (data_left_ == 0) read_extension();
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
        if (data_left_ > 0 || maps_follow_) return ArchiveFault::cut_off;
        if (!has_entries_) {
            return has_ended_ ? ArchiveFault::empty : ArchiveFault::not_tar;
        }
        return header_.empty() ? std::nullopt : std::optional(ArchiveFault::cut_off);
    }

    const std::optional<ArchiveFault>& fault() const { return fault_; }

 private:
    void read_header() {
        const std::string header = std::exchange(header_, {});
        const std::string_view view = header;
        if (maps_follow_) {
            maps_follow_ = view[504] != '\0';
            return;
        }
        if (header.find_first_not_of('\0') == std::string::npos) {
            has_ended_ = true;
            return;
        }
        const auto size = number_in_header(view.substr(124, 12));
        if (!size || !has_right_sum(view)) {
            fault_ = has_entries_ ? ArchiveFault::damaged : ArchiveFault::not_tar;
            return;
        }
        has_entries_ = true;
        const char type = view[156];
        if (type == 'x' || type == 'L') {
            begin_extension(type, *size);
            return;
        }
        const Extension extension = std::exchange(extension_, {});
        if (has_path_that_leads_out(view, extension)) {
            fault_ = ArchiveFault::leaves_folder;
            return;
        }
        // Links and folders have no data, whatever their size says.
        const bool has_data = type < '1' || type > '6';
        if (has_data) data_left_ = extension.size.value_or(*size);
        // A file with holes, as GNU tar writes it: blocks with more of their places come first.
        maps_follow_ = type == 'S' && view[482] != '\0';
        fill_up();
    }

    static bool has_path_that_leads_out(std::string_view header, const Extension& extension) {
        if (extension.path) return leads_out(*extension.path);
        const bool is_ustar = header.substr(257, 5) == "ustar";
        return leads_out(text_in_header(header.substr(0, 100))) ||
               (is_ustar && leads_out(text_in_header(header.substr(345, 155))));
    }

    void begin_extension(char type, std::uint64_t size) {
        if (size > longest_extension) {
            has_ended_ = true;
            return;
        }
        extends_ = size > 0 ? type : '\0';
        extension_size_ = static_cast<std::size_t>(size);
        data_left_ = size;
        fill_up();
    }

    /// At the end of the data of an entry.
    void read_extension() {
        const std::string text = std::exchange(text_, {}).substr(0, extension_size_);
        const char type = std::exchange(extends_, '\0');
        if (type == 'x') read_records(text, extension_);
        if (type == 'L') extension_.path = text_in_header(text);
    }

    /// Data ends with a block.
    void fill_up() {
        const std::uint64_t over = data_left_ % block_size;
        if (over > 0) data_left_ += block_size - over;
    }

    std::string header_{};
    /// With the rest of the last block.
    std::uint64_t data_left_ = 0;
    bool has_entries_ = false;
    bool has_ended_ = false;
    /// The type of the extended header whose data comes; 0 for other data.
    char extends_ = '\0';
    std::size_t extension_size_ = 0;
    std::string text_{};
    Extension extension_{};
    bool maps_follow_ = false;
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
