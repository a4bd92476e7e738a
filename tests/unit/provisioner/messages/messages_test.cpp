#include "provisioner/messages/messages.hpp"

#include <boost/test/unit_test.hpp>
#include <stdexcept>

using provisioner::messages::Messages;

BOOST_AUTO_TEST_SUITE(messages)

namespace {

const std::string po_header = "msgid \"\"\nmsgstr \"\"\n\"Language: pt_BR\\n\"\n\n";

std::string text_of(const Messages& messages, const std::string& english) {
    const std::string* const found = messages.of(english);
    return found == nullptr ? "(none)" : *found;
}

std::string error_of(const std::string& po) {
    try {
        Messages::from_po(po);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_catalogue_of_gettext_is_read) {
    const Messages messages = Messages::from_po(po_header +
                                                "#: views/home.mustache\n"
                                                "msgid \"Log in\"\n"
                                                "msgstr \"Entrar\"\n"
                                                "\n"
                                                "msgid \"\"\n"
                                                "\"Say \\\"yes\\\" \"\n"
                                                "\"or \\\\no\"\n"
                                                "msgstr \"\"\n"
                                                "\"Diga \\\"sim\\\"\\n\"\n"
                                                "\"ou \\\\não\"\n");

    BOOST_TEST(messages.language() == "pt-BR");
    BOOST_TEST(text_of(messages, "Log in") == "Entrar");
    BOOST_TEST(text_of(messages, "Say \"yes\" or \\no") == "Diga \"sim\"\nou \\não");
}

BOOST_AUTO_TEST_CASE(what_has_no_certain_translation_has_none) {
    const Messages messages = Messages::from_po(po_header +
                                                "msgid \"Log in\"\nmsgstr \"\"\n\n"
                                                "#, fuzzy\nmsgid \"Log out\"\nmsgstr \"Sair?\"\n\n"
                                                "#~ msgid \"Gone\"\n#~ msgstr \"Fora\"\n");

    BOOST_TEST(text_of(messages, "Log in") == "(none)");
    BOOST_TEST(text_of(messages, "Log out") == "(none)");
    BOOST_TEST(text_of(messages, "Gone") == "(none)");
    BOOST_TEST(text_of(messages, "Never heard of") == "(none)");
}

BOOST_AUTO_TEST_CASE(plural_forms_go_by_the_rule_of_the_language) {
    const Messages messages = Messages::from_po(
        "msgid \"\"\nmsgstr \"\"\n\"Language: fr\\n\"\n"
        "\"Plural-Forms: nplurals=2; plural=n>1;\\n\"\n\n"
        "msgid \"{0} file\"\nmsgid_plural \"{0} files\"\n"
        "msgstr[0] \"{0} fichier\"\nmsgstr[1] \"\"\n\"{0} fichiers\"\n\n"
        "msgid \"{0} half\"\nmsgid_plural \"{0} halves\"\nmsgstr[0] \"x\"\nmsgstr[1] \"\"\n");

    BOOST_TEST(*messages.of("{0} file", 0) == "{0} fichier");
    BOOST_TEST(*messages.of("{0} file", 2) == "{0} fichiers");
    BOOST_TEST(messages.of("{0} half", 2) == nullptr);
}

BOOST_AUTO_TEST_CASE(a_line_that_cannot_be_read_is_named) {
    BOOST_TEST(error_of(po_header + "msgid Log in\n") ==
               "line 5: a text in quotation marks is missing");
    BOOST_TEST(error_of(po_header + "msgid \"a\"\nmsgstr \"a \"b\"\"\n") ==
               "line 6: \" must be written as \\\"");
    BOOST_TEST(error_of(po_header + "msgid \"a\\q\"\n") == "line 5: there is no \\q");
    BOOST_TEST(error_of(po_header + "hello\n") ==
               "line 5: this is none of msgid, msgstr, \"…\" and #");
    BOOST_TEST(error_of(po_header + "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"\n") ==
               "line 7: the forms must stand in order, from msgstr[0] on");
    BOOST_TEST(error_of("msgid \"a\"\nmsgstr \"b\"\n") == "there is no header (msgid \"\")");
    BOOST_TEST(error_of("msgid \"\"\nmsgstr \"\"\n\"X: y\\n\"\n") ==
               "the header has no \"Language: …\"");
}

BOOST_AUTO_TEST_CASE(the_template_for_translators_has_every_text_where_it_is_used) {
    const std::string pot =
        provisioner::messages::to_pot({{"A \"b\"", "views/z"}, {"Z", "views/a"}});

    BOOST_TEST(pot.find("\n#: views/a\nmsgid \"Z\"\nmsgstr \"\"\n\n"
                        "#: views/z\nmsgid \"A \\\"b\\\"\"\nmsgstr \"\"\n") != std::string::npos);
    // Filled in, it can be read.
    std::string filled = pot;
    filled.replace(filled.find("Language: "), 10, "Language: de");
    BOOST_TEST(Messages::from_po(filled).language() == "de");
}

BOOST_AUTO_TEST_SUITE_END()
