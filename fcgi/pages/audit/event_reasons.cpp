#include <algorithm>
#include <array>

#include "fcgi/auth/sign_ins.hpp"
#include "fcgi/pages/audit/event_words.hpp"
#include "fcgi/pages/words.hpp"
#include "provisioner/messages/translated.hpp"

namespace fcgi::pages {

using provisioner::messages::for_translation;
using provisioner::messages::translated;
namespace audit = provisioner::model::audit;

namespace {

struct RecordedReason {
    std::string_view recorded;
    const char* words;
};

/// What a log-in was refused for, as it is recorded (operations::SignInResult::End), and requests
/// of nobody.
constexpr std::array recorded_end_words{
    RecordedReason{"wrong_password",
                   for_translation("Tenant, user or password is wrong, or the user "
                                   "may not log in.")},
    RecordedReason{"Coopr-UserID not found in request headers.",
                   for_translation("Nobody was logged in.")},
    RecordedReason{"wrong_code", for_translation("The second factor is wrong.")},
    RecordedReason{"no_first_step", for_translation("The first step is too long ago.")},
    RecordedReason{"provider_away", for_translation("The identity provider does not answer.")},
    RecordedReason{"provider_refused", for_translation("The identity provider refuses.")},
    RecordedReason{"not_admitted",
                   for_translation("The rules of the identity provider have no place "
                                   "for this person.")},
};

/// Why somebody was not admitted
/// (operations/identity_providers/admission.cpp), by how it was told to them. The technical reason
/// names the person.
constexpr std::array recorded_refusals_to_admit{
    RecordedReason{"None of your groups has a place in this tenant",
                   for_translation("No rule of the identity provider for the tenant that was "
                                   "chosen fits a group of this person.")},
    RecordedReason{
        "None of your groups has a place here",
        for_translation("No rule of the identity provider fits a group of this person.")},
    RecordedReason{"Somebody else has the user name",
                   for_translation("Another user here has the user name of this person.")},
    RecordedReason{"Your account is locked", for_translation("The account here is locked.")},
    RecordedReason{
        "The identity provider gives you no user name",
        for_translation("The identity provider states no user name that is possible here.")},
};

/// Why a view ended (operations/sign_in/viewing.cpp), and an identity provider was saved that lets
/// nobody in (tenants/identity_providers.cpp), as it is recorded.
constexpr std::array recorded_sentences{
    for_translation("The superadmin stopped it."),
    for_translation("The tenant was deleted."),
    for_translation("The superadmin logged out."),
    for_translation("No page was looked at for 30 minutes."),
    for_translation("The session of the superadmin ended."),
    for_translation("Saved although its test failed."),
    for_translation("Saved although it has no rules."),
    for_translation("Saved although it seems that nobody can log in."),
};

}  // namespace

std::string reason_words(const audit::Event& event) {
    // The answer of a handler that looked at more than the role.
    if (event.reason == "Forbidden" && !event.actor.role.empty()) {
        return translated("The role {0} does not have the right to do this.", event.actor.role);
    }
    // Who confirms who they are is known: nothing but the password can be wrong.
    if (event.action == "proof.refused" && event.reason == "wrong_password") {
        return translated("The password is wrong.");
    }
    const auto* const sentence = std::ranges::find(recorded_sentences, event.reason);
    if (sentence != recorded_sentences.end()) return translated(*sentence);
    const std::string said =
        event.reason.substr(0, event.reason.find(auth::before_technical_reason));
    const auto colon = said.find(": ");
    const std::string word = said.substr(0, colon);
    const auto* const known =
        std::ranges::find(recorded_end_words, word, &RecordedReason::recorded);
    if (known == recorded_end_words.end()) return event.reason;
    const std::string told = colon == std::string::npos ? "" : said.substr(colon + 2);
    for (const RecordedReason& refusal : recorded_refusals_to_admit) {
        if (word == "not_admitted" && told.starts_with(refusal.recorded)) {
            return translated(refusal.words);
        }
    }
    const std::string more =
        colon == std::string::npos ? "" : ' ' + with_capital(said.substr(colon + 2));
    return translated(known->words) + more;
}

std::string technical_reason_words(const audit::Event& event) {
    const auto at = event.reason.find(auth::before_technical_reason);
    if (event.outcome != audit::Outcome::refused || at == std::string::npos) return "";
    return event.reason.substr(at + auth::before_technical_reason.size());
}

}  // namespace fcgi::pages
