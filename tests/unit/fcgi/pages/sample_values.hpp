#pragma once

#include "fcgi/pages/frame.hpp"
#include "provisioner/base/clock.hpp"

namespace samples {

// What samples of several rooms share: the time, and who looks.

inline const provisioner::base::Timestamp now = provisioner::base::from_sql("2026-11-20 10:00:00");
inline const fcgi::pages::Viewer visitor{.user = "ada",
                                         .tenant = "demo",
                                         .role = provisioner::model::Role::user,
                                         .csrf = "5f3c",
                                         .once = "0a1b"};
inline const fcgi::pages::Viewer administrator{.user = "admin",
                                               .tenant = "demo",
                                               .role = provisioner::model::Role::admin,
                                               .csrf = "5f3c",
                                               .once = "0a1b"};

}  // namespace samples
