#include "fcgi/auth/sign_ins.hpp"

namespace fcgi::auth {

namespace operations = provisioner::operations;

operations::Client client_of(const http::Request& request) {
    return {.address = request.client, .agent = request.header("user-agent")};
}

void record_sign_in(const provisioner::base::Log& log, const http::Request& request,
                    const operations::SignInResult& result) {
    const bool is_somebody = result.user_id.value != 0;
    const std::string user = is_somebody ? result.tenant + '/' + result.user : "unknown";
    const std::string end = provisioner::base::to_word(result.end);
    const bool is_good = result.end == operations::SignInResult::End::done;
    if (is_good) {
        log.info("sign_in.done", {{"request", request.id},
                                  {"user", user},
                                  {"address", result.client.address},
                                  {"given", result.given}});
    } else {
        log.warn("sign_in.refused", {{"request", request.id},
                                     {"user", user},
                                     {"address", result.client.address},
                                     {"given", result.given},
                                     {"reason", end}});
    }
}

}  // namespace fcgi::auth
