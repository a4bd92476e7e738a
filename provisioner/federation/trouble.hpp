#pragma once

#include <chrono>
#include <string>

namespace provisioner::federation {

/// Why an identity provider was of no use.
struct Trouble {
    enum class Kind {
        /// It does not answer, or says that it cannot.
        away,
        /// It answers, and says no.
        refused,
        /// What it says is not right: a wrong certificate, a document without what it needs.
        wrong
    };

    Kind kind = Kind::away;
    /// For operators; without secrets and without what people typed.
    std::string reason{};
    /// The certificate of the server is not accepted. Why is not known yet.
    bool is_certificate = false;
    /// The setting of the provider that helps (model::identity_fields()); empty: not known.
    std::string setting{};
    /// Of a directory: whether another of its servers is asked instead.
    bool may_ask_next = false;
};

/// Until when everything that is asked of a provider for one sign-in has to be answered.
class Deadline {
 public:
    explicit Deadline(std::chrono::milliseconds length)
        : end_(std::chrono::steady_clock::now() + length) {}

    /// What is left; at least a millisecond.
    std::chrono::milliseconds left() const {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end_ - std::chrono::steady_clock::now());
        return std::max(left, std::chrono::milliseconds{1});
    }
    bool is_over() const { return std::chrono::steady_clock::now() >= end_; }

 private:
    std::chrono::steady_clock::time_point end_;
};

/// Limits for a person who waits: connecting, and all of it.
constexpr std::chrono::milliseconds connect_limit{3'000};
constexpr std::chrono::milliseconds whole_limit{8'000};

}  // namespace provisioner::federation
