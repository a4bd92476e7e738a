#include "provisioner/callbacks/event_mails.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <stdexcept>

#include "provisioner/base/utf8.hpp"

namespace provisioner::callbacks {

namespace {

using model::CallbackEvent;
using model::MailEvent;
using model::Operation;

/// Of a failure's reason; the page has the whole.
constexpr std::size_t longest_reason = 500;

/// What a job was to do, as it follows "Couldn't", and what it has done, as it follows the name of
/// its cluster.
struct JobWords {
    Operation operation;
    const char* failed;
    const char* done;
};

constexpr std::array job_words{
    JobWords{Operation::solve_layout, "lay out", "has a layout"},
    JobWords{Operation::cluster_create, "create", "is ready"},
    JobWords{Operation::cluster_delete, "delete", "was deleted"},
    JobWords{Operation::cluster_configure, "configure", "was configured"},
    JobWords{Operation::cluster_configure_with_restart, "configure", "was configured"},
    JobWords{Operation::stop_services, "stop services of", "has stopped its services"},
    JobWords{Operation::start_services, "start services of", "has started its services"},
    JobWords{Operation::restart_services, "restart services of", "has restarted its services"},
    JobWords{Operation::add_services, "add services to", "has the new services"},
    JobWords{Operation::cluster_grow, "add machines to", "has the new machines"},
    JobWords{Operation::cluster_shrink, "remove machines from", "has fewer machines"},
    JobWords{Operation::remove_services, "remove services from", "has fewer services"},
    JobWords{Operation::replace_node, "replace a machine of", "has the new machine"}};

const JobWords& words_of(Operation operation) {
    const auto found = std::ranges::find(job_words, operation, &JobWords::operation);
    if (found == job_words.end()) throw std::logic_error("an operation without words for mails");
    return *found;
}

/// " without cache, log", as names; empty of a job that leaves none out.
std::string words_of_left_out(const MailEvent& event) {
    std::string words;
    for (const std::string& service : event.without) {
        words += (words.empty() ? " without " : ", ") + service;
    }
    return words;
}

std::string headline(const MailEvent& event) {
    const std::string& name = event.cluster_name;
    const std::string without = words_of_left_out(event);
    switch (event.event) {
        case CallbackEvent::failure:
            if (!without.empty()) return "Couldn't go on with " + name + without;
            return std::string("Couldn't ") + words_of(event.operation).failed + " " + name;
        case CallbackEvent::success:
            if (!without.empty()) return name + " goes on" + without;
            return name + " " + words_of(event.operation).done;
        case CallbackEvent::expiring:
            return name + " expires" +
                   (event.expires_at ? " at " + model::minute_in_utc(*event.expires_at) : "");
        case CallbackEvent::start:
            break;
    }
    throw std::logic_error("an event that nobody is told of by mail");
}

/// `event` with its time, reason and link.
std::string paragraph(const MailEvent& event, const std::string& site) {
    std::string text = headline(event) + "\n";
    if (event.event == CallbackEvent::expiring) {
        text += "Its machines are deleted then. Change the lease to keep them.\n";
    } else {
        text += model::minute_in_utc(event.at) + "\n";
    }
    if (event.event == CallbackEvent::failure && !event.message.empty()) {
        text += std::string(base::utf8_prefix(event.message, longest_reason)) + "\n";
    }
    if (!site.empty()) text += site + "/clusters/" + model::wire_id(event.cluster) + "\n";
    return text;
}

std::string summary(std::span<const MailEvent> events) {
    if (events.size() == 1) return headline(events.front());
    const auto failures = std::ranges::count(events, CallbackEvent::failure, &MailEvent::event);
    const std::string count = std::to_string(events.size());
    if (failures == 0) return count + " updates about your clusters";
    return count + " updates about your clusters, " + std::to_string(failures) +
           (failures == 1 ? " failure" : " failures");
}

model::Mail mail_to_owner(std::span<const MailEvent> events, const std::string& site) {
    model::Mail mail{.user = events.front().owner,
                     .address = events.front().address,
                     .subject = summary(events)};
    const auto shown = events.first(std::min<std::size_t>(events.size(), events_in_mail));
    for (const MailEvent& event : shown) mail.body += paragraph(event, site) + "\n";
    if (shown.size() < events.size()) {
        mail.body += "And " + std::to_string(events.size() - shown.size()) + " more.\n\n";
    }
    mail.body += model::mail_footer(site);
    return mail;
}

}  // namespace

std::vector<model::Mail> event_mails(const std::vector<MailEvent>& events,
                                     const std::string& site) {
    std::vector<model::Mail> mails;
    const std::span<const MailEvent> all(events);
    std::size_t begin = 0;
    while (begin < all.size()) {
        std::size_t end = begin + 1;
        while (end < all.size() && all[end].owner == all[begin].owner) ++end;
        mails.push_back(mail_to_owner(all.subspan(begin, end - begin), site));
        begin = end;
    }
    return mails;
}

}  // namespace provisioner::callbacks
