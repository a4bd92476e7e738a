#include "provisioner/callbacks/mail_message.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/base/base64.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_SUITE(mail_message)

namespace {

model::Mail a_mail(const std::string& subject, const std::string& body) {
    return {.id = 12,
            .address = "ada@example.com",
            .subject = subject,
            .body = body,
            .created_at = base::from_sql("2026-11-05 07:08:09.000000")};
}

std::string written(const std::string& subject, const std::string& body) {
    return callbacks::mail_message(a_mail(subject, body), "cooperage@host.example", "1a2b");
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(dates_are_those_of_mails) {
    BOOST_TEST(callbacks::mail_date(base::from_sql("2026-11-05 07:08:09.999999")) ==
               "Thu, 05 Nov 2026 07:08:09 +0000");
    BOOST_TEST(callbacks::mail_date(base::from_sql("2024-02-29 23:59:59.000000")) ==
               "Thu, 29 Feb 2024 23:59:59 +0000");
}

BOOST_AUTO_TEST_CASE(a_mail_names_itself_so_that_a_repetition_is_known) {
    BOOST_TEST(written("Hello", "x\n") ==
               "Date: Thu, 05 Nov 2026 07:08:09 +0000\r\n"
               "From: Cooperage <cooperage@host.example>\r\n"
               "To: <ada@example.com>\r\n"
               "Subject: Hello\r\n"
               "Message-ID: <mail-12.1a2b@host.example>\r\n"
               "Auto-Submitted: auto-generated\r\n"
               "MIME-Version: 1.0\r\n"
               "Content-Type: text/plain; charset=utf-8\r\n"
               "Content-Transfer-Encoding: base64\r\n\r\n" +
                   base::base64("x\r\n") + "\r\n");
}

BOOST_AUTO_TEST_CASE(no_subject_becomes_a_header_of_its_own) {
    const auto text = written("x\r\nBcc: eve@example.com", "");
    BOOST_TEST(!has(text, "\nBcc:"));
    BOOST_TEST(has(text, "Subject: =?UTF-8?B?"));
    BOOST_TEST(has(written("=?UTF-8?B?eA==?=", ""), "Subject: =?UTF-8?B?PT9V"));
}

BOOST_AUTO_TEST_CASE(lines_are_ascii_and_short) {
    std::string subject;
    std::string body;
    for (int i = 0; i < 60; ++i) subject += "\xC3\xA4";
    for (int i = 0; i < 5000; ++i) body += "\xE2\x82\xAC";
    const auto text = written(subject, body);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = text.find("\r\n", begin);
        BOOST_REQUIRE(end != std::string::npos);
        BOOST_TEST(end - begin <= 78U);
        begin = end + 2;
    }
    for (const char c : text) BOOST_REQUIRE((c == '\r' || c == '\n' || (c >= ' ' && c <= '~')));
}

BOOST_AUTO_TEST_SUITE_END()
