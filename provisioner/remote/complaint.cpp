#include "provisioner/remote/complaint.hpp"

#include <cstddef>

namespace provisioner::remote {

namespace {

constexpr std::size_t kept_of_complaint = 2000;

}  // namespace

void Complaint::add(std::string_view piece) {
    text_ += piece;
    if (text_.size() > kept_of_complaint) text_.erase(0, text_.size() - kept_of_complaint);
}

std::string Complaint::with_exit_code(int code) const {
    const std::size_t end = text_.find_last_not_of("\r\n ") + 1;
    return "exit code " + std::to_string(code) + (end > 0 ? ", " : "") + text_.substr(0, end);
}

}  // namespace provisioner::remote
