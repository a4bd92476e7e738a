#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace provisioner::base {

/// Cache of values that are computed from one fixed state, for example from the nodes of a cluster.
/// The owner keeps the memo beside that state and replaces both together. So entries are never
/// invalidated one by one, and the memo has no limit of size.
///
/// The first caller that asks for a value computes it; concurrent callers for the same name wait
/// and share the result. Callers for other names do not wait. All functions are safe from any
/// thread. Users choose a prefix for their names, as in "value of " (macros) or "text "
/// (automators).
class Memo {
 public:
    /// The value called `name`. `make` computes it when the memo does not have it yet.
    ///
    /// * Every caller must use the same `Value` for a name; another type is undefined behaviour.
    /// * When `make` throws, the exception reaches the caller and the memo stays as it was. A
    ///   waiting caller then runs its own `make`.
    /// * `make` may ask for other names. It must not ask for `name` itself, directly or through
    ///   others: that would deadlock. For the same reason two `make` must not ask for each other's
    ///   names.
    /// * The result outlives the memo.
    ///
    ///     const auto names = memo.get<Names>("names of nodes", [&] { return names_of(nodes); });
    template <class Value, class Make>
    std::shared_ptr<const Value> get(const std::string& name, Make make) {
        const std::shared_ptr<Entry> entry = entry_of(name);
        const std::lock_guard lock(entry->mutex);
        if (!entry->value) entry->value = std::make_shared<const Value>(make());
        return std::static_pointer_cast<const Value>(entry->value);
    }

 private:
    /// One name. Its mutex is held while the value is computed; that makes concurrent callers wait.
    struct Entry {
        std::mutex mutex;
        /// Null until computed; never replaced afterwards. Keeps the deleter of the real type.
        std::shared_ptr<const void> value;
    };

    /// Holds the memo's mutex only for the lookup, so that no computation blocks other names.
    std::shared_ptr<Entry> entry_of(const std::string& name) {
        const std::lock_guard lock(mutex_);
        auto& entry = entries_[name];
        if (!entry) entry = std::make_shared<Entry>();
        return entry;
    }

    /// Guards `entries_`, not the values.
    std::mutex mutex_;
    /// Entries are shared, so that a computation goes on undisturbed while the map grows.
    std::map<std::string, std::shared_ptr<Entry>> entries_;
};

/// Value of `name` from `memo`; without a memo (null) computes it for this caller only. Lets pure
/// code serve the daemon, which keeps memos, and the web side, which has none.
template <class Value, class Make>
std::shared_ptr<const Value> kept(Memo* memo, const std::string& name, Make make) {
    return memo != nullptr ? memo->get<Value>(name, make) : std::make_shared<const Value>(make());
}

}  // namespace provisioner::base
