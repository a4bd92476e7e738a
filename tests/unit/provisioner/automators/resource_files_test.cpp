#include "provisioner/automators/resource_files.hpp"

#include <boost/test/unit_test.hpp>

#include "steps_text.hpp"

using provisioner::automators::ResourceFiles;
using provisioner::remote::Steps;

BOOST_AUTO_TEST_SUITE(resource_files)

namespace {

Steps steps_of(const ResourceFiles& files) {
    Steps steps;
    files.add_to(steps);
    return steps;
}

}  // namespace

BOOST_AUTO_TEST_CASE(without_resources_there_is_nothing_to_bring) {
    BOOST_TEST(steps_of(ResourceFiles("/home")).empty());
}

BOOST_AUTO_TEST_CASE(files_alone_need_no_unpacking) {
    ResourceFiles files("/home");
    files.add_file(resource("scripts", "a.sh"), "/home/scripts/a.sh", 0755);

    BOOST_TEST(drawn(steps_of(files)) == "bring 1 file\n  /home/scripts/a.sh 0755 sum\n");
}

BOOST_AUTO_TEST_CASE(archives_are_brought_as_they_are_and_unpacked_unless_that_version_is) {
    ResourceFiles files("/home");
    files.add_archive(resource("archives", "app", "abc"), "/srv", "/home/tars");

    const Steps steps = steps_of(files);

    BOOST_TEST(drawn(steps) ==
               "bring 1 file\n  /home/tars/app.tar.gz 0644 abc\nrun unpack 1 archive\n");
    BOOST_TEST(run_at(steps, 1).script.ends_with("unpack app /home/tars/app.tar.gz abc /srv\n"));
}

BOOST_AUTO_TEST_CASE(what_is_unpacked_belongs_to_who_unpacks_it) {
    ResourceFiles files("/home");
    files.add_archive(resource("archives", "app", "abc"), "/srv", "/home/tars");

    BOOST_TEST(
        run_at(steps_of(files), 1).script.find("tar --no-same-owner --no-same-permissions -xzf") !=
        std::string::npos);
}

BOOST_AUTO_TEST_CASE(large_archives_have_longer_to_unpack) {
    ResourceFiles files("/home");
    auto large = resource("archives", "app");
    large.size = 4'000'000'000;
    files.add_archive(large, "/srv", "/home/tars");

    BOOST_TEST(run_at(steps_of(files), 1).limit.count() == 300 + 2000);
}

BOOST_AUTO_TEST_CASE(everything_that_will_lie_on_the_node_is_recorded) {
    ResourceFiles files("/home");
    files.add_file(resource("scripts", "a.sh"), "/home/scripts/a.sh", 0755);
    files.add_archive(resource("archives", "app", "abc"), "/srv", "/home/tars");

    BOOST_TEST(
        files.recall().starts_with("brought=/home/brought\n"
                                   "bringing='/home/scripts/a.sh\n"
                                   "/home/tars/app.tar.gz\n"
                                   "/home/tars/app.tar.gz.unpacked\n"
                                   "/srv/app/\n'\n"));
}

BOOST_AUTO_TEST_SUITE_END()
