// libFuzzer target: any bytes → a model or errors that can be printed, in little processor time. The limit is on
// processor time because libFuzzer's own -timeout is on wall time, which on a busy machine also counts waiting; that
// one stays, long, for what never ends.
#include "modelica/read_modelica.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>

namespace {
// Inputs are at most 4 kB and take milliseconds; seconds mean that some stage is not linear.
constexpr double max_cpu_seconds = 5.0;
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace daedalus;
    const std::clock_t begin = std::clock();
    std::string text(reinterpret_cast<const char*>(data), size);
    const auto result = modelica::read_modelica(std::make_shared<const SourceFile>("fuzz.mo", std::move(text)));
    if (result) {
        for (const model::Equation& e : result->equations)
            if (result->text(e, 1000).empty()) std::abort();
        if (const auto values = model::parameter_values(*result); !values && values.error().empty()) std::abort();
    } else if (!has_errors(result.error()) || render(result.error()).empty()) {
        std::abort();
    }
    if (static_cast<double>(std::clock() - begin) > max_cpu_seconds * CLOCKS_PER_SEC) std::abort();
    return 0;
}
