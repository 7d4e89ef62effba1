// Writes JSON (RFC 8259) piece by piece, without building a tree: results can be large. Doubles read back as the same
// double; NaN and infinities, which JSON cannot express, become null. Text that is not UTF-8 is repaired.
//
//     JsonWriter json(sink);
//     json.begin_object();
//     json.field("name", model.name);
//     json.key("time");
//     json.numbers(trajectory.time);
//     json.end_object();
#pragma once

#include "output/sink.hpp"

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace daedalus::output {

struct JsonStyle {
    bool pretty = true;       ///< one member per line; arrays of numbers stay on one
    bool script_safe = false; ///< for the inside of an HTML <script> element: no '<', '>' or '&' in the output
};

class JsonWriter {
public:
    explicit JsonWriter(const Sink& sink, JsonStyle style = {}) : out_(sink), style_(style) {}

    void begin_object() { open('{'); }
    void end_object() { close('}'); }
    void begin_array() { open('['); }
    void end_array() { close(']'); }
    void key(std::string_view name);

    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(double number);
    void value(bool flag);
    template <std::integral I>
    void value(I number) {
        integer(static_cast<std::int64_t>(number));
    }
    void null();

    void numbers(std::span<const double> numbers);

    template <class T>
    void field(std::string_view name, const T& content) {
        key(name);
        value(content);
    }

private:
    void open(char bracket);
    void close(char bracket);
    void separate();
    void new_line();
    void quote(std::string_view text);
    void integer(std::int64_t number);

    BufferedSink out_;
    JsonStyle style_;
    std::vector<bool> has_members_; ///< per open bracket
    bool after_key_ = false;
};

} // namespace daedalus::output
