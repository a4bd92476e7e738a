#include "provisioner/remote/step_wrapper.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <string>

using namespace provisioner::remote;

BOOST_AUTO_TEST_SUITE(step_wrapper)

BOOST_AUTO_TEST_CASE(the_wrapper_is_built_in_whole) {
    const std::string text(step_wrapper_text());

    BOOST_TEST(text.starts_with("# Cooperage's ledger"));
    BOOST_TEST(text.ends_with("\"$verb\" \"$@\"\n"));
    for (const char* part : {"\nrun() {", "\nbegin() {", "\nlook() {", "\nwrite() {", "\nput() {",
                             "\nlacking() {", "\nsupervise() {"}) {
        BOOST_TEST(text.find(part) != std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(the_name_carries_a_checksum) {
    BOOST_TEST(step_wrapper_name().size() == 5u + 16u);
    BOOST_TEST(step_wrapper_name().starts_with("step-"));
    BOOST_TEST(step_wrapper_name() == step_wrapper_name());
}

BOOST_AUTO_TEST_CASE(a_run_is_called_with_key_fence_and_limit) {
    const StepCommands commands("/var/lib/cooperage", "root");
    const Run run{.label = "x", .script = "echo secret", .limit = std::chrono::seconds(60)};

    const std::string line = commands.run(run, {"17-1-0", 42});

    const std::string called =
        "sh /var/lib/cooperage/" + step_wrapper_name() + " run 17-1-0 42 60 ";
    BOOST_TEST(line == called + "-");
    BOOST_TEST(commands.run(run, {"17-1-0", 42, "cafe"}) == called + "cafe");
    BOOST_CHECK_THROW(commands.run(run, {"17-1-0", 42, "ca fe"}), std::invalid_argument);
    BOOST_TEST(run_input("cafe", run) == "cafe\necho secretcafe");
}

BOOST_AUTO_TEST_CASE(a_shell_that_stays_is_greeted_with_where_the_wrapper_is) {
    const StepCommands commands("/srv/state dir", "debian");

    BOOST_TEST(commands.serve() == "sudo -n sh -s serve");
    BOOST_TEST(commands.greeting() == "self='/srv/state dir/" + step_wrapper_name() +
                                          "'; [ -s \"$self\" ] || exit 69; . \"$self\"\n");
}

BOOST_AUTO_TEST_CASE(a_request_ends_with_its_token_and_quotes_what_it_carries) {
    const StepCommands commands("/state", "root");
    const Run run{.label = "x", .script = "echo 'a'\necho b", .limit = std::chrono::seconds(60)};
    const Upload upload{.path = "/it's here", .content = "a b\n", .mode = 0600};

    BOOST_TEST(commands.begin("cafe", run, {"17-1-0", 42, "beef"}) ==
               "begin cafe 17-1-0 42 60 beef 'echo '\\''a'\\''\necho b' cafe\n");
    BOOST_TEST(commands.look("cafe") == "look cafe cafe\n");
    BOOST_TEST(commands.write("cafe", upload) == "write cafe '/it'\\''s here' 0600 'a b\n' cafe\n");
    BOOST_CHECK_THROW(commands.begin("cafe", run, {"a/b", 1}), std::invalid_argument);
    BOOST_CHECK_THROW(commands.write("cafe", {.path = "x", .content = ""}), std::invalid_argument);
    BOOST_CHECK_THROW(commands.write("cafe", {.path = "/x", .content = std::string("a\0b", 3)}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_stop_is_called_with_key_and_fence) {
    const StepCommands commands("/var/lib/cooperage", "root");

    BOOST_TEST(commands.stop({"17-1-0", 42}) ==
               "sh /var/lib/cooperage/" + step_wrapper_name() + " stop 17-1-0 42");
    BOOST_CHECK_THROW(commands.stop({"../17-1-0", 42}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(where_the_wrapper_may_be_missing_that_is_asked_first) {
    const StepCommands commands("/state", "debian");

    const std::string line = commands.if_installed(commands.stop({"17-1-0", 42}));

    BOOST_TEST(line == "sudo -n sh -c '[ -s \"$0\" ] || exit 69; exec sh \"$0\" \"$@\"' /state/" +
                           step_wrapper_name() + " stop 17-1-0 42");
}

BOOST_AUTO_TEST_CASE(users_other_than_root_go_through_sudo) {
    const StepCommands commands("/srv/state dir", "debian");

    const std::string line = commands.put({.path = "/etc/motd", .content = "hi", .mode = 0755});

    BOOST_TEST(line ==
               "sudo -n sh '/srv/state dir/" + step_wrapper_name() + "' put /etc/motd 0755 2");
    BOOST_TEST(commands.install().starts_with("sudo -n sh -c "));
}

BOOST_AUTO_TEST_CASE(a_file_of_a_delivery_is_put_with_its_checksum) {
    const StepCommands commands("/var/lib/cooperage", "root");
    const std::string sum(64, 'a');

    BOOST_TEST(commands.put(DeliveredFile{.path = "/x", .mode = 0640, .sha256 = sum, .size = 7}) ==
               "sh /var/lib/cooperage/" + step_wrapper_name() + " put /x 0640 7 " + sum);
    BOOST_CHECK_THROW(commands.put(DeliveredFile{.path = "/x", .sha256 = "$(reboot)"}),
                      std::invalid_argument);
    BOOST_CHECK_THROW(commands.put(DeliveredFile{.path = "x", .sha256 = sum}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(files_that_may_be_lacking_stand_one_to_a_line) {
    const std::string sum(64, 'a');
    const Delivery delivery{.label = "bring",
                            .files = {{"/it's here", 0755, sum, 1}, {"/x", 0600, sum, 1}}};

    BOOST_TEST(lacking_input(delivery) == sum + " 0755 /it's here\n" + sum + " 0600 /x\n");
    BOOST_CHECK_THROW(lacking_input({.label = "bring", .files = {{"/a\nb", 0644, sum, 1}}}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_path_with_odd_characters_is_one_word) {
    const StepCommands commands("/state", "root");

    const std::string line = commands.put({.path = "/tmp/it's; reboot", .content = ""});

    BOOST_TEST(line.ends_with(" put '/tmp/it'\\''s; reboot' 0644 0"));
}

BOOST_AUTO_TEST_CASE(names_that_could_leave_the_ledger_are_refused) {
    const StepCommands commands("/state", "root");

    for (const char* name : {"", ".", "..", "a/b", "-n", "a b", "a;b", "$x"}) {
        BOOST_CHECK_THROW(commands.run({}, {name, 1}), std::invalid_argument);
    }
    BOOST_CHECK_THROW(commands.run({}, {std::string(201, 'a'), 1}), std::invalid_argument);
    BOOST_CHECK_THROW(commands.run({}, {"fine", -1}), std::invalid_argument);
    const Run no_time{.label = "x", .script = "true", .limit = std::chrono::seconds(0)};
    BOOST_CHECK_THROW(commands.run(no_time, {"fine", 1}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_script_with_a_nul_byte_is_refused) {
    const Run run{.label = "x", .script = std::string("a\0b", 3)};

    BOOST_CHECK_THROW(run_input("cafe", run), std::invalid_argument);
    BOOST_CHECK_THROW(StepCommands("/state", "root").begin("cafe", run, {"1-1-0", 1}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(only_files_with_an_absolute_path_can_be_put) {
    const StepCommands commands("/state", "root");

    BOOST_CHECK_THROW(commands.put({.path = "etc/motd", .content = ""}), std::invalid_argument);
    BOOST_CHECK_THROW(commands.put({.path = "/etc/", .content = ""}), std::invalid_argument);
    BOOST_CHECK_THROW(commands.put({.path = "/x", .content = "", .mode = 010000}),
                      std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
