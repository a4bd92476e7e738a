#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>

#include "provisioner/model/tenants/identity_provider.hpp"

namespace provisioner::operations {

/// How many requests may wait for identity providers at once: each holds a thread for up to eight
/// seconds, and threads have to be left for everybody else. A provider that did not answer is not
/// asked for some seconds. Any thread may call any function.
class ProviderGate {
 public:
    enum class Answer {
        go,
        /// Too many wait at this moment.
        busy,
        /// The provider did not answer a moment ago.
        away
    };

    /// `at_once` requests of all providers, at least 1.
    explicit ProviderGate(int at_once) : at_once_(std::max(1, at_once)) {}

    /// A request's stay, from the constructor to the destructor.
    class Stay {
     public:
        Stay(ProviderGate& gate, model::IdentityProviderId provider);
        ~Stay();
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

        Answer answer() const { return answer_; }
        /// The provider did not answer.
        void provider_is_away();

     private:
        ProviderGate& gate_;
        model::IdentityProviderId provider_;
        Answer answer_ = Answer::busy;
    };

 private:
    const int at_once_;
    std::mutex mutex_;
    int inside_ = 0;
    std::map<model::IdentityProviderId, std::chrono::steady_clock::time_point> away_until_;
};

}  // namespace provisioner::operations
