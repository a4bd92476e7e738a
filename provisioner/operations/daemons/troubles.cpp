#include "provisioner/operations/daemons/troubles.hpp"

#include <algorithm>
#include <span>

#include "provisioner/store/tenants/mail_store.hpp"
#include "provisioner/store/tenants/tenant_store.hpp"

namespace provisioner::operations {

namespace {

const std::string silent_provisioner = "provisioner";
const std::string long_queue = "queue";
const std::string used_budget = "budget";

std::string number_of(int number, const std::string& noun) {
    return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

std::string page_of(const store::TroubleName& name) {
    if (name.kind == silent_provisioner) return "/daemons";
    return name.kind == long_queue ? "/queues" : "/tenants/" + name.subject;
}

SiteTrouble a_trouble(const std::string& kind, const std::string& subject, std::string text) {
    const store::TroubleName name{.kind = kind, .subject = subject};
    return {.name = name, .text = std::move(text), .path = page_of(name)};
}

std::string text_of_end(const store::TroubleName& name, const TroubleFacts& facts) {
    if (name.kind == long_queue) return "Tasks of " + name.subject + " do not wait long any more.";
    if (name.kind == used_budget) {
        return "The budget of " + name.subject + " has no warnings any more.";
    }
    const auto daemon = std::ranges::find(facts.daemons, name.subject, &store::DaemonRow::instance);
    if (daemon == facts.daemons.end()) {
        return "Provisioner " + name.subject +
               " has been silent for so long that it is not listed any more.";
    }
    return "Provisioner " + name.subject + (daemon->drains ? " drains." : " runs again.");
}

TroubleFacts trouble_facts(store::Connection& connection, base::Timestamp now) {
    TroubleFacts facts{.daemons = store::list_daemons(connection),
                       .queues = store::list_tenant_queues(connection)};
    for (const model::Tenant& tenant : store::list_tenants(connection)) {
        if (!tenant.budget) continue;
        if (auto state = budget_state(connection, tenant, now)) {
            facts.budgets.push_back({.tenant = tenant.name, .state = *std::move(state)});
        }
    }
    return facts;
}

/// Without those that nobody wants to be told of: they are told to the first who does.
TroubleNews that_somebody_reads(TroubleNews news,
                                const std::vector<store::TroubleReader>& readers) {
    const bool all_is_read =
        std::ranges::any_of(readers, [](const auto& reader) { return reader.tenant.empty(); });
    if (all_is_read) return news;
    std::erase_if(news.began, [&](const SiteTrouble& trouble) {
        return trouble.name.kind != used_budget ||
               std::ranges::count(readers, trouble.name.subject, &store::TroubleReader::tenant) ==
                   0;
    });
    return news;
}

std::string paragraphs(std::span<const SiteTrouble> troubles, const std::string& site) {
    std::string text;
    const auto shown = troubles.first(std::min(troubles.size(), troubles_in_mail));
    for (const SiteTrouble& trouble : shown) {
        text += trouble.text + "\n" + (site.empty() ? "" : site + trouble.path + "\n") + "\n";
    }
    const std::size_t more = troubles.size() - shown.size();
    return text + (more == 0 ? "" : "And " + std::to_string(more) + " more.\n\n");
}

}  // namespace

std::vector<SiteTrouble> troubles_in(const TroubleFacts& facts, base::Timestamp now) {
    std::vector<SiteTrouble> troubles;
    for (const store::DaemonRow& daemon : facts.daemons) {
        if (daemon.drains || now - daemon.heartbeat_at < silence_told) continue;
        troubles.push_back(a_trouble(silent_provisioner, daemon.instance,
                                     "Provisioner " + daemon.instance +
                                         " has not been heard of since " +
                                         model::minute_in_utc(daemon.heartbeat_at) + "."));
    }
    for (const store::TenantQueue& queue : facts.queues) {
        const std::chrono::seconds waited{queue.oldest_seconds};
        if (queue.due == 0 || waited < wait_told) continue;
        const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(waited);
        troubles.push_back(a_trouble(long_queue, queue.tenant,
                                     "A task of " + queue.tenant + " has waited for " +
                                         std::to_string(minutes.count()) + " minutes. " +
                                         number_of(queue.due, "task") + " of the tenant " +
                                         (queue.due == 1 ? "waits" : "wait") + " for a worker."));
    }
    for (const TenantBudget& budget : facts.budgets) {
        std::string text;
        for (const std::string& warning : budget.state.warnings) {
            text += (text.empty() ? "" : " ") + warning;
        }
        if (text.empty()) continue;
        troubles.push_back(
            a_trouble(used_budget, budget.tenant, "Budget of " + budget.tenant + ": " + text));
    }
    return troubles;
}

TroubleNews news_of(const std::vector<SiteTrouble>& troubles,
                    const std::vector<store::TroubleName>& told, const TroubleFacts& facts) {
    TroubleNews news;
    for (const SiteTrouble& trouble : troubles) {
        if (std::ranges::count(told, trouble.name) == 0) news.began.push_back(trouble);
    }
    for (const store::TroubleName& name : told) {
        if (std::ranges::count(troubles, name, &SiteTrouble::name) > 0) continue;
        news.ended.push_back(a_trouble(name.kind, name.subject, text_of_end(name, facts)));
    }
    return news;
}

TroubleNews news_for(const TroubleNews& news, const store::TroubleReader& reader) {
    if (reader.tenant.empty()) return news;
    TroubleNews own = news;
    for (auto* const list : {&own.began, &own.ended}) {
        std::erase_if(*list, [&](const SiteTrouble& trouble) {
            return trouble.name.kind != used_budget || trouble.name.subject != reader.tenant;
        });
        // Their home has the budget; the page of the tenant is not for them.
        for (SiteTrouble& trouble : *list) trouble.path = "/";
    }
    return own;
}

model::Mail mail_about(const TroubleNews& news, const std::string& site) {
    model::Mail mail;
    if (news.began.size() + news.ended.size() == 1) {
        mail.subject = (news.began.empty() ? news.ended : news.began).front().text;
    } else {
        mail.subject = number_of(static_cast<int>(news.began.size()), "new problem") + " and " +
                       std::to_string(news.ended.size()) + " that ended in Cooperage";
    }
    mail.body = paragraphs(news.began, site);
    if (!news.ended.empty()) mail.body += "Over:\n\n" + paragraphs(news.ended, site);
    mail.body += model::mail_footer(site);
    return mail;
}

int tell_troubles(store::Database& database, const std::string& site) {
    const TroubleNews news = database.read([&](store::Connection& connection) {
        const base::Timestamp now = store::moment_of_troubles(connection);
        const auto told = store::list_told_troubles(connection);
        const auto readers = store::list_trouble_readers(connection);
        if (told.empty() && readers.empty()) return TroubleNews();
        const TroubleFacts facts = trouble_facts(connection, now);
        return that_somebody_reads(news_of(troubles_in(facts, now), told, facts), readers);
    });
    if (news.began.empty() && news.ended.empty()) return 0;
    return database.write([&](store::Connection& connection) {
        const auto readers = store::list_trouble_readers(connection);
        // Another daemon may have told some of it meanwhile.
        TroubleNews own = that_somebody_reads(news, readers);
        std::erase_if(own.began, [&](const SiteTrouble& trouble) {
            return !store::note_trouble(connection, trouble.name);
        });
        std::erase_if(own.ended, [&](const SiteTrouble& trouble) {
            return !store::forget_trouble(connection, trouble.name);
        });
        const auto told = static_cast<int>(own.began.size() + own.ended.size());
        if (told == 0) return 0;
        for (const store::TroubleReader& reader : readers) {
            const TroubleNews theirs = news_for(own, reader);
            if (theirs.began.empty() && theirs.ended.empty()) continue;
            model::Mail mail = mail_about(theirs, site);
            mail.user = reader.user;
            mail.address = reader.address;
            store::insert_mail(connection, mail);
        }
        return told;
    });
}

}  // namespace provisioner::operations
