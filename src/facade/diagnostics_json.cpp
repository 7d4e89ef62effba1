#include "daedalus/diagnostic.hpp"
#include "output/json.hpp"
#include "output/json_writer.hpp"

namespace daedalus {

std::string to_json(const Diagnostics& diagnostics) {
    std::string text;
    {
        const output::Sink sink = [&](std::string_view piece) { text += piece; };
        output::JsonWriter json(sink);
        output::write_diagnostics(json, diagnostics);
    }
    return text;
}

} // namespace daedalus
