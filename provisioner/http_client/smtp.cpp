#include "provisioner/http_client/smtp.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "provisioner/http_client/curl_handle.hpp"

namespace provisioner::http_client {

namespace {

/// How long a server may take for one answer.
constexpr std::chrono::seconds longest_answer{10};
constexpr std::string_view with_tls = "smtps://";
constexpr std::string_view with_starttls = "smtp://";

bool is_host_of_mail(std::string_view host) {
    constexpr std::string_view others = ".-:[]";
    return !host.empty() && std::ranges::all_of(host, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.find(c) != std::string_view::npos;
    });
}

std::string_view host_in(std::string_view rest) {
    if (rest.starts_with('[')) return rest.substr(0, rest.find(']') + 1);
    return rest.substr(0, rest.find(':'));
}

/// Whether what follows the host is nothing or a port.
bool is_end_or_port(std::string_view rest) {
    if (rest.empty()) return true;
    const auto port = rest.substr(1);
    return rest.front() == ':' && !port.empty() && port.size() <= 5 &&
           port.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_this_host(std::string_view host) {
    return host == "localhost" || host == "[::1]" || host == "127.0.0.1";
}

/// What is left to send.
struct TextToSend {
    std::string_view rest;
};

std::size_t read_text_to_send(char* into, std::size_t size, std::size_t count, void* from) {
    auto& text = *static_cast<TextToSend*>(from);
    const std::size_t taken = std::min(size * count, text.rest.size());
    std::memcpy(into, text.rest.data(), taken);
    text.rest.remove_prefix(taken);
    return taken;
}

/// Whether the answer is about the receiver or the text, and for good. What a server says to its
/// greeting, the account or the sender is about the settings. 554 to a receiver may mean that the
/// account is missing ("Relay access denied").
bool is_final(long answer, std::string_view error, bool was_text_sent) {
    const bool is_about_receiver = error.starts_with("RCPT failed");
    if (answer == 554) return was_text_sent;
    return (is_about_receiver || was_text_sent) &&
           ((answer >= 550 && answer <= 553) || answer == 556);
}

/// libcurl asks about once a second; anything but 0 ends the transfer.
int ask_whether_stopped(void* is_stopped, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return (*static_cast<const std::function<bool()>*>(is_stopped))() ? 1 : 0;
}

}  // namespace

MailServerAddress read_mail_server(const std::string& url) {
    const std::string_view text = url;
    const bool is_tls = text.starts_with(with_tls);
    if (!is_tls && !text.starts_with(with_starttls)) return {};
    const auto rest = text.substr(is_tls ? with_tls.size() : with_starttls.size());
    const auto host = host_in(rest);
    if (!is_host_of_mail(host) || !is_end_or_port(rest.substr(host.size()))) return {};
    return {.is_valid = true, .is_plain = !is_tls && is_this_host(host)};
}

MailReply send_mail(const MailServer& server, const MailToSend& mail,
                    const std::function<bool()>& is_stopped) {
    const auto handle = make_easy_handle();
    CURL* const curl = handle.get();
    HeaderLines receivers;
    const std::string sender = "<" + mail.from + ">";
    receivers.add("<" + mail.to + ">");
    TextToSend unsent{mail.text};
    char reason[CURL_ERROR_SIZE] = "";  // NOLINT(modernize-avoid-c-arrays): libcurl writes into it
    const bool is_plain = server.authorities.empty() && read_mail_server(server.url).is_plain;
    curl_easy_setopt(curl, CURLOPT_URL, server.url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    curl_easy_setopt(curl, CURLOPT_USE_SSL, is_plain ? CURLUSESSL_NONE : CURLUSESSL_ALL);
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
    if (!server.authorities.empty()) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, server.authorities.c_str());
        curl_easy_setopt(curl, CURLOPT_CAPATH, nullptr);
    }
    // Mail does not go through the proxy of requests.
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, static_cast<long>(server.limit.count()));
    // The time limit does not hold for the goodbye, which this limit and the stop end; it is said
    // by this handle, not at the end of its connections.
    curl_easy_setopt(curl, CURLOPT_SERVER_RESPONSE_TIMEOUT,
                     static_cast<long>(std::min(server.limit, longest_answer).count()));
    curl_easy_setopt(curl, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, ask_whether_stopped);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &is_stopped);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, reason);
    if (!server.user.empty()) {
        curl_easy_setopt(curl, CURLOPT_USERNAME, server.user.c_str());
        curl_easy_setopt(curl, CURLOPT_PASSWORD, server.password.reveal().c_str());
    }
    curl_easy_setopt(curl, CURLOPT_MAIL_FROM, sender.c_str());
    curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, receivers.lines());
    curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_text_to_send);
    curl_easy_setopt(curl, CURLOPT_READDATA, &unsent);
    const CURLcode result = curl_easy_perform(curl);
    if (result == CURLE_OK) return {};
    long answer = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &answer);
    const std::string text = *reason == '\0' ? curl_easy_strerror(result) : reason;
    return {.error = text, .is_refused = is_final(answer, text, unsent.rest.empty())};
}

}  // namespace provisioner::http_client
