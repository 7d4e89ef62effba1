// libFuzzer target: any bytes → a model or errors that can be printed, in little processor time; a model has a flat
// text that reads back to itself, and formatting is stable. A timer on processor time judges slow and endless inputs
// alike; libFuzzer's own -timeout is on wall time, which on a busy machine also counts waiting and then blames a
// harmless input.
#include "modelica/flat_text.hpp"
#include "modelica/format.hpp"
#include "modelica/read_modelica.hpp"

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sys/time.h>

namespace {

// Inputs are at most 4 kB and take milliseconds; seconds mean an endless loop or a stage that is not linear.
constexpr int max_cpu_seconds = 5;

void arm(int seconds) {
    const itimerval timer{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    std::signal(SIGVTALRM, [](int) { std::abort(); }); // libFuzzer keeps the input of an abort
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace daedalus;
    arm(max_cpu_seconds);
    std::string text(reinterpret_cast<const char*>(data), size);
    const auto file = std::make_shared<const SourceFile>("fuzz.mo", std::move(text));
    if (const auto once = modelica::format(*file)) { // stable: formatting twice is formatting once
        const auto twice = modelica::format(SourceFile("fuzz.mo", *once));
        if (!twice || *twice != *once) std::abort();
    }
    const auto result = modelica::read_modelica(file);
    if (result) {
        if (const auto flat = modelica::flat_text(*result)) { // which can be read, and is the same again
            const auto again = modelica::read_modelica(std::make_shared<const SourceFile>("flat.mo", *flat));
            if (!again) std::abort();
            const auto second = modelica::flat_text(*again); // the first may stem from the reader of flat models
            if (!second) std::abort();
            const auto third = modelica::read_modelica(std::make_shared<const SourceFile>("flat.mo", *second));
            if (!third || modelica::flat_text(*third).value() != *second) std::abort();
        }
        for (const model::Equation& e : result->equations)
            if (result->text(e, 1000).empty()) std::abort();
        if (const auto values = model::parameter_values(*result); !values && values.error().empty()) std::abort();
    } else if (!has_errors(result.error()) || render(result.error()).empty()) {
        std::abort();
    }
    arm(0);
    return 0;
}
