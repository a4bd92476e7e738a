#include "provisioner/http_client/url_parts.hpp"

#include <curl/curl.h>

#include <memory>

namespace provisioner::http_client {

namespace {

struct UrlDeleter {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

std::string part_of(CURLU* url, CURLUPart which) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, 0) != CURLUE_OK) return "";
    const std::unique_ptr<char, decltype(&curl_free)> owner(text, curl_free);
    return text;
}

}  // namespace

UrlParts parts_of(const std::string& url) {
    const std::unique_ptr<CURLU, UrlDeleter> parsed(curl_url());
    const unsigned int flags = CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME;
    if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), flags) != CURLUE_OK) {
        return {};
    }
    return {.scheme = part_of(parsed.get(), CURLUPART_SCHEME),
            .host = part_of(parsed.get(), CURLUPART_HOST),
            .port = part_of(parsed.get(), CURLUPART_PORT)};
}

}  // namespace provisioner::http_client
