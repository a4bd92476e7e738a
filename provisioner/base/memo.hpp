#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace provisioner::base {

/// What was computed from one state of things, kept beside that state: the first who asks for a
/// value makes it, others wait for it and share it. Any thread may ask.
class Memo {
 public:
    /// The value called `name`, which must be of one type for all who ask. What `make` throws is
    /// thrown on and nothing is kept. `make` may ask for values of other names.
    template <class Value, class Make>
    std::shared_ptr<const Value> get(const std::string& name, Make make) {
        const std::shared_ptr<Entry> entry = entry_of(name);
        const std::lock_guard lock(entry->mutex);
        if (!entry->value) entry->value = std::make_shared<const Value>(make());
        return std::static_pointer_cast<const Value>(entry->value);
    }

 private:
    struct Entry {
        std::mutex mutex;
        std::shared_ptr<const void> value;
    };

    std::shared_ptr<Entry> entry_of(const std::string& name) {
        const std::lock_guard lock(mutex_);
        auto& entry = entries_[name];
        if (!entry) entry = std::make_shared<Entry>();
        return entry;
    }

    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Entry>> entries_;
};

/// The value from the memo; made for the caller alone where there is no memo.
template <class Value, class Make>
std::shared_ptr<const Value> kept(Memo* memo, const std::string& name, Make make) {
    return memo != nullptr ? memo->get<Value>(name, make) : std::make_shared<const Value>(make());
}

}  // namespace provisioner::base
