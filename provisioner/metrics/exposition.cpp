#include "provisioner/metrics/exposition.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "provisioner/base/utf8.hpp"

namespace provisioner::metrics {

namespace {

std::string_view word_of(Type type) {
    switch (type) {
        case Type::counter:
            return "counter";
        case Type::gauge:
            return "gauge";
        case Type::histogram:
            return "histogram";
    }
    return "untyped";
}

/// The format knows three escapes; in help texts a quote needs none.
std::string escaped_text(std::string_view bytes, bool is_label) {
    std::string text;
    for (const char c : base::to_utf8(bytes)) {
        if (c == '\n') {
            text += "\\n";
        } else if (c == '\\') {
            text += "\\\\";
        } else if (c == '"' && is_label) {
            text += "\\\"";
        } else {
            text += c;
        }
    }
    return text;
}

std::string number_text(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
    char digits[64];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return error == std::errc() ? std::string(digits, end) : "NaN";
}

/// {a="1",b="2"}; `more` is a label of its own, already as text. Empty without labels.
std::string label_text(const Family& family, const Sample& sample, const std::string& more = "") {
    std::string text;
    for (std::size_t i = 0; i < family.labels.size() && i < sample.labels.size(); ++i) {
        text += (text.empty() ? "" : ",") + family.labels[i] + "=\"" +
                escaped_text(sample.labels[i], true) + '"';
    }
    if (!more.empty()) text += (text.empty() ? "" : ",") + more;
    return text.empty() ? "" : '{' + text + '}';
}

void write_histogram(std::string& text, const Family& family, const Sample& sample) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < sample.buckets.size(); ++i) {
        count += sample.buckets[i];
        const std::string bound =
            i < family.bounds.size() ? number_text(family.bounds[i]) : std::string("+Inf");
        text += family.name + "_bucket" + label_text(family, sample, "le=\"" + bound + '"') + ' ' +
                std::to_string(count) + '\n';
    }
    const std::string labels = label_text(family, sample);
    text += family.name + "_sum" + labels + ' ' + number_text(sample.value) + '\n';
    text += family.name + "_count" + labels + ' ' + std::to_string(count) + '\n';
}

}  // namespace

std::string to_text(const Families& families) {
    std::string text;
    for (const Family& family : families) {
        if (family.samples.empty()) continue;
        text += "# HELP " + family.name + ' ' + escaped_text(family.help, false) + '\n';
        text.append("# TYPE ").append(family.name).append(" ").append(word_of(family.type));
        text += '\n';
        for (const Sample& sample : family.samples) {
            if (family.type == Type::histogram) {
                write_histogram(text, family, sample);
            } else {
                text += family.name + label_text(family, sample) + ' ' + number_text(sample.value) +
                        '\n';
            }
        }
    }
    return text;
}

}  // namespace provisioner::metrics
