#include "provisioner/operations/identity_providers/vanished.hpp"

#include "provisioner/federation/ldap/directory.hpp"
#include "provisioner/operations/identity_providers/admission.hpp"
#include "provisioner/store/sign_in/identity_provider_store.hpp"

namespace provisioner::operations {

using federation::Deadline;
using federation::Directory;
using model::IdentityKind;
using model::IdentityProvider;

namespace {

constexpr int users_per_turn = 100;

class Following {
 public:
    Following(store::Database& database, const base::Log& log, base::Timestamp now,
              const std::function<bool()>& is_stopped)
        : database_(database), log_(log), now_(now), is_stopped_(is_stopped) {}

    void follow_directory(const IdentityProvider& provider) {
        const Deadline connecting(federation::whole_limit);
        auto directory = Directory::connect(provider, connecting);
        if (!directory) return say(provider, directory.error().reason);
        model::UserId last{};
        while (!is_stopped_()) {
            const auto users = database_.read([&](store::Connection& connection) {
                return store::list_external_users(connection, provider.id, last, users_per_turn);
            });
            if (users.empty()) return;
            last = users.back().user.id;
            for (const auto& user : users) {
                const Deadline deadline(federation::whole_limit);
                const auto found = directory->find_by_subject(user.subject, deadline);
                if (!found && found.error().kind == federation::Trouble::Kind::away) {
                    return say(provider, found.error().reason);
                }
                if (!found) {
                    // One user who cannot be read must not hide the others.
                    say(provider, found.error().reason);
                    continue;
                }
                follow(provider, user, *found);
            }
        }
    }

    void let_old_go(const IdentityProvider& provider, std::chrono::hours oldest) {
        while (!is_stopped_()) {
            const int gone = database_.write([&](store::Connection& connection) {
                int count = 0;
                if (!store::hold_identity_provider(connection, provider.id)) return count;
                for (const auto& user : store::external_users_before(
                         connection, provider.id, now_ - oldest, users_per_turn)) {
                    if (user.user.disabled) {
                        // Locked by an administrator: confirmed as such, so that the next turn
                        // does not meet them again.
                        store::confirm_external_user(connection, user.user.id, now_);
                        continue;
                    }
                    let_go(connection, provider, user, now_);
                    ++count;
                }
                return count;
            });
            changed_ += gone;
            if (gone < users_per_turn) return;
        }
    }

    int changed() const { return changed_; }

 private:
    void follow(const IdentityProvider& provider, const store::ExternalUser& user,
                const std::optional<federation::DirectoryUser>& found) {
        std::optional<Person> person;
        if (found && !found->is_disabled) {
            person = Person{found->subject, found->name, found->groups};
        }
        const bool is_new = database_.write([&](store::Connection& connection) {
            // All as it is now: the provider may have been changed while the directory was asked,
            // and the user may have signed in since, or been locked.
            const auto held = hold_unchanged(connection, provider);
            if (!held) return false;
            store::lock_tenant(connection, user.user.tenant);
            store::lock_user(connection, user.user.id);
            const auto present = store::find_external_user(connection, user.user.id);
            return present && follow_provider(connection, *held, *present, person, now_);
        });
        if (is_new) ++changed_;
    }

    void say(const IdentityProvider& provider, const std::string& reason) {
        log_.warn("identity_provider.failed", {{"provider", provider.name}, {"reason", reason}});
    }

    store::Database& database_;
    const base::Log& log_;
    base::Timestamp now_;
    const std::function<bool()>& is_stopped_;
    int changed_ = 0;
};

}  // namespace

void prepare_to_follow() {
    federation::initialise_ldap();
}

int follow_providers(store::Database& database, const base::Log& log, std::chrono::hours oldest,
                     base::Timestamp now, const std::function<bool()>& is_stopped) {
    const auto providers = database.read([](store::Connection& connection) {
        std::vector<IdentityProvider> all;
        for (const auto& one : store::list_identity_providers(connection)) {
            all.push_back(*store::find_identity_provider(connection, one.id));
        }
        return all;
    });
    Following following(database, log, now, is_stopped);
    for (const IdentityProvider& provider : providers) {
        if (is_stopped()) break;
        if (provider.kind == IdentityKind::ldap && provider.enabled) {
            following.follow_directory(provider);
        }
        // Of a directory: those whom it could not be asked about for so long.
        following.let_old_go(provider, oldest);
    }
    return following.changed();
}

}  // namespace provisioner::operations
