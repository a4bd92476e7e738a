#include "fcgi/pages/profile/qr_picture.hpp"

#include <qrencode.h>

#include <memory>

namespace fcgi::pages {

QrPicture qr_picture(const std::string& text) {
    constexpr int quiet_zone = 4;
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M), &QRcode_free);
    if (!code) return {};
    QrPicture picture{.size = code->width + 2 * quiet_zone};
    for (int y = 0; y < code->width; ++y) {
        for (int x = 0; x < code->width; ++x) {
            const bool is_dark = (code->data[y * code->width + x] & 1U) != 0;
            if (!is_dark) continue;
            picture.path += 'M' + std::to_string(x + quiet_zone) + ' ' +
                            std::to_string(y + quiet_zone) + "h1v1h-1z";
        }
    }
    return picture;
}

}  // namespace fcgi::pages
