#pragma once

#include <string>

namespace fcgi::pages {

/// A QR code as the data of an SVG path.
struct QrPicture {
    /// Width and height in modules, with the quiet zone.
    int size = 0;
    /// Path data: a square of side 1 for each dark module. Empty if the text does not fit.
    std::string path{};
};

/// The QR code of a text, with error correction of level M. Pure (libqrencode).
QrPicture qr_picture(const std::string& text);

}  // namespace fcgi::pages
