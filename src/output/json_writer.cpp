#include "output/json_writer.hpp"

#include "output/number_text.hpp"

#include <cassert>
#include <cmath>

namespace daedalus::output {

void JsonWriter::new_line() {
    if (!style_.pretty) return;
    out_.buffer += '\n';
    out_.buffer.append(2 * has_members_.size(), ' ');
}

void JsonWriter::separate() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (has_members_.empty()) return;
    if (has_members_.back()) out_.buffer += ',';
    has_members_.back() = true;
    new_line();
}

void JsonWriter::open(char bracket) {
    separate();
    out_.buffer += bracket;
    has_members_.push_back(false);
}

void JsonWriter::close(char bracket) {
    assert(!has_members_.empty() && !after_key_);
    const bool any = has_members_.back();
    has_members_.pop_back();
    if (any) new_line();
    out_.buffer += bracket;
    if (has_members_.empty() && style_.pretty) out_.buffer += '\n';
    out_.flush_if_full();
}

void JsonWriter::quote(std::string_view raw) {
    static constexpr char hex[] = "0123456789abcdef";
    const std::string text = valid_utf8(raw);
    std::string& out = out_.buffer;
    out += '"';
    for (const char c : text) {
        const unsigned code = static_cast<unsigned char>(c);
        const bool markup = style_.script_safe && (c == '<' || c == '>' || c == '&');
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (code < 0x20 || code == 0x7f || markup) {
            out += "\\u00";
            out += hex[code >> 4U];
            out += hex[code & 15U];
        } else {
            out += c;
        }
    }
    out += '"';
    out_.flush_if_full();
}

void JsonWriter::key(std::string_view name) {
    assert(!has_members_.empty() && !after_key_);
    separate();
    quote(name);
    out_.buffer += style_.pretty ? ": " : ":";
    after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
    separate();
    quote(text);
}

void JsonWriter::value(double number) {
    separate();
    if (std::isfinite(number))
        append_number(out_.buffer, number);
    else
        out_.buffer += "null";
}

void JsonWriter::value(bool flag) {
    separate();
    out_.buffer += flag ? "true" : "false";
}

void JsonWriter::integer(std::int64_t number) {
    separate();
    out_.buffer += std::to_string(number);
}

void JsonWriter::null() {
    separate();
    out_.buffer += "null";
}

void JsonWriter::numbers(std::span<const double> numbers) {
    separate();
    out_.buffer += '[';
    bool first = true;
    for (const double number : numbers) {
        if (!first) out_.buffer += ',';
        first = false;
        if (std::isfinite(number))
            append_number(out_.buffer, number);
        else
            out_.buffer += "null";
        out_.flush_if_full();
    }
    out_.buffer += ']';
}

} // namespace daedalus::output
