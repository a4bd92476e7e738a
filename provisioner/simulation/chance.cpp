#include "provisioner/simulation/chance.hpp"

#include <algorithm>

#include "provisioner/base/fnv1a.hpp"

namespace provisioner::simulation {

namespace {

/// A final byte that no UTF-8 text contains separates the parts, so that "ab","c" differs from
/// "a","bc".
std::uint64_t mix_in(std::uint64_t hash, std::string_view text) {
    return base::fnv1a("\xff", base::fnv1a(text, hash));
}

/// The last step of SplitMix64 (Steele, Lea, Flood): every input bit affects every output bit.
std::uint64_t scatter(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
}

}  // namespace

double chance(std::int64_t seed, std::string_view what, std::string_view who, int attempt) {
    constexpr std::uint64_t offset = 0xcbf29ce484222325;
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
    std::uint64_t hash = scatter(offset ^ (static_cast<std::uint64_t>(seed) * golden));
    hash = mix_in(mix_in(hash, what), who);
    hash = scatter(hash + static_cast<std::uint64_t>(attempt) * golden);
    return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

bool happens(int percent, double draw) {
    return draw * 100 < percent;
}

std::chrono::milliseconds spread_around(std::chrono::milliseconds middle,
                                        std::chrono::milliseconds spread, double draw) {
    const auto shift =
        static_cast<std::int64_t>(static_cast<double>(spread.count()) * (2 * draw - 1));
    return std::max(std::chrono::milliseconds{0}, middle + std::chrono::milliseconds{shift});
}

}  // namespace provisioner::simulation
