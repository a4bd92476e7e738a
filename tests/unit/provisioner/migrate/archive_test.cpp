#include "provisioner/migrate/archive.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/transcript/packing.hpp"

using namespace provisioner;
using migrate::ArchiveEntry;

namespace {

/// The text of a field up to its first zero.
std::string field(const std::string& tar, std::size_t at, std::size_t size) {
    const std::string text = tar.substr(at, size);
    return text.substr(0, text.find('\0'));
}

/// As a reader of tars computes it: the bytes of the header, with blanks for the checksum.
std::size_t sum_of_header(const std::string& tar) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) {
        sum += i >= 148 && i < 156 ? ' ' : static_cast<unsigned char>(tar[i]);
    }
    return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_is_a_header_its_content_and_what_fills_the_block) {
    const std::string tar = migrate::tar_of({{.path = "role/tasks/main.yml", .content = "- ok\n"}});

    BOOST_REQUIRE(tar.size() == 4 * 512);
    BOOST_TEST(field(tar, 0, 100) == "role/tasks/main.yml");
    BOOST_TEST(field(tar, 100, 8) == "0000644");
    BOOST_TEST(field(tar, 124, 12) == "00000000005");
    BOOST_TEST(field(tar, 136, 12) == "00000000000");
    BOOST_TEST(tar[156] == '0');
    BOOST_TEST(field(tar, 257, 6) == "ustar");
    BOOST_TEST(std::stoul(field(tar, 148, 8), nullptr, 8) == sum_of_header(tar));
    BOOST_TEST(tar.substr(512, 6) == std::string("- ok\n\0", 6));
    BOOST_TEST(tar.find_first_not_of('\0', 517) == std::string::npos);
}

BOOST_AUTO_TEST_CASE(directories_and_programs_may_be_entered_and_run) {
    const std::string tar =
        migrate::tar_of({{.path = "role", .is_directory = true},
                         {.path = "role/run", .is_executable = true, .content = ""}});

    BOOST_REQUIRE(tar.size() == 4 * 512);
    BOOST_TEST(field(tar, 0, 100) == "role/");
    BOOST_TEST(tar[156] == '5');
    BOOST_TEST(field(tar, 100, 8) == "0000755");
    BOOST_TEST(field(tar, 512, 100) == "role/run");
    BOOST_TEST(field(tar, 512 + 100, 8) == "0000755");
}

BOOST_AUTO_TEST_CASE(a_long_path_is_parted_at_a_slash) {
    const std::string folder(60, 'd');
    const std::string tar = migrate::tar_of({{.path = folder + "/" + folder + "/file"}});

    BOOST_TEST(field(tar, 345, 155) == folder);
    BOOST_TEST(field(tar, 0, 100) == folder + "/file");
}

BOOST_AUTO_TEST_CASE(a_path_that_cannot_be_told_is_an_error_that_names_it) {
    const std::string name(101, 'n');

    BOOST_CHECK_EXCEPTION(migrate::tar_of({{.path = "role/" + name}}), std::runtime_error,
                          [&](const std::runtime_error& error) {
                              return std::string(error.what()).find(name) != std::string::npos;
                          });
}

BOOST_AUTO_TEST_CASE(an_archive_is_gzip_without_a_time) {
    const std::string file = transcript::gzipped(std::string(5000, 'a'));

    BOOST_TEST(file.substr(0, 3) == "\x1f\x8b\x08");
    BOOST_TEST(file.substr(4, 4) == std::string(4, '\0'));
    BOOST_TEST(file.size() < 100);
    BOOST_TEST(file == transcript::gzipped(std::string(5000, 'a')));
}
