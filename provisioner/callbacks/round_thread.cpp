#include "provisioner/callbacks/round_thread.hpp"

#include <chrono>

namespace provisioner::callbacks {

namespace {

constexpr std::chrono::seconds idle_pause{1};

}  // namespace

RoundThread::RoundThread(std::function<int()> round, const base::Log& log, std::string_view failed,
                         std::string_view works_again)
    : round_(std::move(round)), failures_(log, failed, works_again) {
    thread_ = std::thread([this] { run(); });
}

RoundThread::~RoundThread() {
    stop();
    thread_.join();
}

void RoundThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_all();
}

// The mutex is released during a round, so that stop() never waits for the network.
void RoundThread::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        lock.unlock();
        int sent = 0;
        try {
            sent = round_();
            failures_.worked();
        } catch (const std::exception& error) {
            failures_.failed(error.what());
        }
        lock.lock();
        if (sent == 0) wake_.wait_for(lock, idle_pause, [this] { return stopping_; });
    }
}

}  // namespace provisioner::callbacks
