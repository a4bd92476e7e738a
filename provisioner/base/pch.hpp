#pragma once
// Precompiled header of every target (target cooperage_pch in CMakeLists.txt). Only headers that
// change with the compiler belong here: a header of this project would rebuild everything when it
// changes. Files still include what they use, so that each compiles without this header. A header
// that is missing here costs only time.
#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>
