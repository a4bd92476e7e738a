#include "provisioner/transcript/archive_check.hpp"

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "provisioner/transcript/packing.hpp"

using namespace provisioner::transcript;

namespace {

std::string octal(std::size_t number, int digits) {
    std::string text(static_cast<std::size_t>(digits), '0');
    for (auto digit = text.rbegin(); number > 0; ++digit, number /= 8) {
        *digit = static_cast<char>('0' + number % 8);
    }
    return text;
}

using Puts = std::vector<std::pair<std::size_t, std::string>>;

/// The sum of a header; some programs add bytes as signed ones.
enum class Sum { of_unsigned, of_signed };

/// A file in a tar: its header and its bytes, filled up. `puts` stand in the header at places.
std::string entry(const std::string& name, const std::string& bytes, const Puts& puts = {},
                  Sum kind = Sum::of_unsigned) {
    std::string header(512, '\0');
    const auto put = [&](std::size_t at, const std::string& text) {
        header.replace(at, text.size(), text);
    };
    put(0, name);
    put(100, "0000644");
    put(124, octal(bytes.size(), 11));
    put(148, "        ");
    put(156, "0");
    put(257, "ustar");
    for (const auto& [at, text] : puts) put(at, text);
    std::size_t sum = 0;
    for (const char byte : header) {
        const auto number = static_cast<unsigned char>(byte);
        sum += kind == Sum::of_signed && number > 127 ? number - 256UL : number;
    }
    put(148, octal(sum, 6) + std::string(1, '\0') + ' ');
    std::string filled = bytes;
    filled.resize((bytes.size() + 511) / 512 * 512, '\0');
    return header + filled;
}

const std::string end(1024, '\0');

/// "" for a good one.
std::string fault_of(const std::string& file, std::size_t piece = 1000) {
    ArchiveCheck check;
    for (std::size_t at = 0; at < file.size(); at += piece) {
        if (!check.take(std::string_view(file).substr(at, piece))) break;
    }
    const auto fault = check.finish();
    if (!fault) return "";
    switch (*fault) {
        case ArchiveFault::not_gzip:
            return "not_gzip";
        case ArchiveFault::not_tar:
            return "not_tar";
        case ArchiveFault::cut_off:
            return "cut_off";
        case ArchiveFault::damaged:
            return "damaged";
        case ArchiveFault::leaves_folder:
            return "leaves_folder";
        case ArchiveFault::empty:
            return "empty";
    }
    return "?";
}

/// Bytes that do not shrink.
std::string noise(std::size_t size) {
    std::string bytes;
    std::uint32_t state = 1;
    while (bytes.size() < size) {
        state = state * 1'664'525U + 1'013'904'223U;
        bytes += static_cast<char>(state >> 24U);
    }
    return bytes;
}

const std::string good =
    gzipped(entry("nginx/recipe.rb", noise(3000)) + entry("nginx/x", "") + end);

}  // namespace

BOOST_AUTO_TEST_SUITE(archive_check)

BOOST_AUTO_TEST_CASE(a_good_archive_has_no_fault_in_whatever_pieces_it_comes) {
    for (const std::size_t piece : {1UL, 7UL, 512UL, 100'000UL}) {
        BOOST_TEST(fault_of(good, piece) == "");
    }
    // tar and gzip take these, too.
    BOOST_TEST(fault_of(gzipped(entry("a", "b"))) == "");
    BOOST_TEST(fault_of(good + std::string(512, '\0')) == "");
    BOOST_TEST(fault_of(gzipped(entry("a", "b")) + gzipped(entry("c", "d") + end)) == "");
}

BOOST_AUTO_TEST_CASE(what_tar_cannot_unpack_is_told) {
    BOOST_TEST(fault_of("") == "not_gzip");
    BOOST_TEST(fault_of("\x1f") == "not_gzip");
    BOOST_TEST(fault_of("#!/bin/sh\n") == "not_gzip");
    BOOST_TEST(fault_of(gzipped("#!/bin/sh\n")) == "not_tar");
    BOOST_TEST(fault_of(gzipped(noise(5000))) == "not_tar");
    BOOST_TEST(fault_of(gzipped("")) == "not_tar");
    BOOST_TEST(fault_of(gzipped(end)) == "empty");
    BOOST_TEST(fault_of(gzipped(entry("../passwd", "x") + end)) == "leaves_folder");
    BOOST_TEST(fault_of(gzipped(entry("a/../../b", "x") + end)) == "leaves_folder");
    BOOST_TEST(fault_of(gzipped(entry("a..b/..c", "x") + end)) == "");
}

BOOST_AUTO_TEST_CASE(what_an_extended_header_says_of_the_next_entry_counts) {
    const Puts is_pax = {{156, "x"}};
    const Puts is_long_name = {{156, "L"}, {257, std::string("ustar  \0", 8)}};
    const Puts without_size = {{124, octal(0, 11)}};
    for (const std::size_t piece : {1UL, 512UL, 100'000UL}) {
        BOOST_TEST(fault_of(gzipped(entry("h", "13 size=3000\n", is_pax) +
                                    entry("f", noise(3000), without_size) + entry("g", "") + end),
                            piece) == "");
        BOOST_TEST(fault_of(gzipped(entry("h", "13 path=../f\n", is_pax) + entry("f", "x") + end),
                            piece) == "leaves_folder");
        BOOST_TEST(fault_of(gzipped(entry("h", std::string("../long\0", 8), is_long_name) +
                                    entry("f", "x") + end),
                            piece) == "leaves_folder");
    }
    // Only of the next.
    BOOST_TEST(fault_of(gzipped(entry("h", "10 path=f\n", is_pax) + entry("f", "x") +
                                entry("../g", "x") + end)) == "leaves_folder");
    BOOST_TEST(fault_of(gzipped(entry("h", "99 path=../f\n", is_pax) + entry("f", "x") + end)) ==
               "");
}

BOOST_AUTO_TEST_CASE(a_file_with_holes_has_blocks_of_places_before_its_data) {
    std::string more(512, '\0');
    more[504] = 1;
    const std::string last(512, '\0');
    const std::string holes = entry("f", noise(1024), {{156, "S"}, {482, "\1"}});

    BOOST_TEST(fault_of(gzipped(holes.substr(0, 512) + more + last + holes.substr(512) +
                                entry("g", "x") + end)) == "");
    BOOST_TEST(fault_of(gzipped(holes.substr(0, 512) + more)) == "cut_off");
}

BOOST_AUTO_TEST_CASE(a_sum_of_signed_bytes_is_right_too) {
    BOOST_TEST(fault_of(gzipped(entry("\xc3\xbc", "x", {}, Sum::of_signed) + end)) == "");
}

BOOST_AUTO_TEST_CASE(each_way_to_write_a_long_path_is_read) {
    BOOST_TEST(fault_of(gzipped(entry("f", "x", {{345, "a/.."}}) + end)) == "leaves_folder");
    BOOST_TEST(fault_of(gzipped(entry("f", "x", {{345, "a"}}) + end)) == "");
    // Only ustar has that place.
    BOOST_TEST(fault_of(gzipped(entry("f", "x", {{257, "older"}, {345, ".."}}) + end)) == "");
    BOOST_TEST(fault_of(gzipped(entry("h", "24 GNU.sparse.name=../f\n", {{156, "x"}}) +
                                entry("f", "x") + end)) == "leaves_folder");
}

BOOST_AUTO_TEST_CASE(an_extended_header_that_is_too_long_is_not_kept) {
    const std::string record = "2000000 comment=" + std::string(1'999'983, 'c') + "\n";
    BOOST_REQUIRE(record.size() == 2'000'000U);
    // Nothing tells what follows: the path behind it is not read either.
    BOOST_TEST(fault_of(gzipped(entry("h", record, {{156, "x"}}) + entry("../f", "x") + end)) ==
               "");
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_or_damaged_is_told) {
    std::string changed = entry("a", "b");
    changed[0] = 'c';
    BOOST_TEST(fault_of(gzipped(changed + end)) == "not_tar");
    BOOST_TEST(fault_of(gzipped(entry("a", "b") + changed + end)) == "damaged");
    BOOST_TEST(fault_of(good.substr(0, good.size() / 2)) == "cut_off");
    BOOST_TEST(fault_of(good.substr(0, good.size() - 1)) == "cut_off");
    BOOST_TEST(fault_of(gzipped(entry("a", noise(2000)).substr(0, 1500))) == "cut_off");
    BOOST_TEST(fault_of(gzipped(entry("a", "b") + noise(512))) == "damaged");
    BOOST_TEST(fault_of(good + "trailing") == "damaged");
    std::string wrong = good;
    wrong[wrong.size() - 6] = static_cast<char>(wrong[wrong.size() - 6] ^ 1);
    BOOST_TEST(fault_of(wrong) == "damaged");
}

BOOST_AUTO_TEST_CASE(a_file_that_expands_without_end_is_not_followed) {
    std::string many = entry("zeros", "");
    // A size that no test reaches, 64 GiB, as GNU tar writes it.
    many.replace(124, 12, std::string("\x80\0\0\0\0\0\0\x10\0\0\0\0", 12));
    many.replace(148, 8, "        ");
    std::size_t sum = 0;
    for (const char byte : many) sum += static_cast<unsigned char>(byte);
    many.replace(148, 6, octal(sum, 6));
    const std::string zeros = gzipped(std::string(1UL << 20U, '\0'));

    ArchiveCheck check(1UL << 24U);
    check.take(gzipped(many));
    int members = 0;
    while (check.take(zeros)) ++members;

    BOOST_TEST(members <= 16);
    BOOST_TEST(!check.finish().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
