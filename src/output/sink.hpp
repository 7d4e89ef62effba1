// Where text goes, piece by piece: a file, a string, a terminal. Writers hand over pieces of about 64 KiB so that a
// result larger than memory never exists as one string. A sink cannot refuse; a file reports its error at commit.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace daedalus::output {

using Sink = std::function<void(std::string_view)>;

/// Collects small pieces and passes them on in large ones.
class BufferedSink {
public:
    explicit BufferedSink(Sink sink) : sink_(std::move(sink)) { buffer.reserve(capacity + capacity / 4); }
    ~BufferedSink() { flush(); }
    BufferedSink(const BufferedSink&) = delete;
    BufferedSink& operator=(const BufferedSink&) = delete;

    void flush_if_full() {
        if (buffer.size() >= capacity) flush();
    }
    void flush() {
        if (!buffer.empty()) sink_(buffer);
        buffer.clear();
    }

    std::string buffer; ///< append here, then call flush_if_full() now and then

private:
    static constexpr std::size_t capacity = std::size_t{1} << 16;
    Sink sink_; // a copy: the argument is often a temporary
};

} // namespace daedalus::output
