// libFuzzer target: any bytes → a model or errors that can be printed.
#include "modelica/read_modelica.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace daedalus;
    std::string text(reinterpret_cast<const char*>(data), size);
    const auto result = modelica::read_modelica(std::make_shared<const SourceFile>("fuzz.mo", std::move(text)));
    if (result) {
        for (const model::Equation& e : result->equations)
            if (result->text(e, 1000).empty()) std::abort();
        if (const auto values = model::parameter_values(*result); !values && values.error().empty()) std::abort();
    } else if (!has_errors(result.error()) || render(result.error()).empty()) {
        std::abort();
    }
    return 0;
}
