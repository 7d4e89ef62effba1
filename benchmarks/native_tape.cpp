#include "native_tape.hpp"

#include "tape/liveness.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>
#include <unordered_map>

namespace daedalus::benchmarks {

namespace {

using tape::Code;

// g++ takes more than linear time in the length of a function.
constexpr std::uint32_t chunk_length = 2000;

std::string expression(const tape::Tape& tape, const tape::Instruction& i, const std::string& a, const std::string& b,
                       const std::string& d) {
    switch (i.code) {
    case Code::copy: return a;
    case Code::neg: return fmt::format("-{}", a);
    case Code::add: return fmt::format("{} + {}", a, b);
    case Code::add_product: return fmt::format("__builtin_fma({}, {}, {})", a, b, d);
    case Code::sub_product: return fmt::format("__builtin_fma(-{}, {}, {})", a, b, d);
    case Code::sub: return fmt::format("{} - {}", a, b);
    case Code::mul: return fmt::format("{} * {}", a, b);
    case Code::div: return fmt::format("{} / {}", a, b);
    case Code::sqrt: return fmt::format("std::sqrt({})", a);
    case Code::abs: return fmt::format("std::abs({})", a);
    case Code::min: return fmt::format("{1} < {0} ? {1} : {0}", a, b);
    case Code::max: return fmt::format("{1} > {0} ? {1} : {0}", a, b);
    case Code::lt: return fmt::format("{} < {}", a, b);
    case Code::le: return fmt::format("{} <= {}", a, b);
    case Code::eq: return fmt::format("{} == {}", a, b);
    case Code::ne: return fmt::format("{} != {}", a, b);
    case Code::logical_and: return fmt::format("{} != 0 && {} != 0", a, b);
    case Code::logical_or: return fmt::format("{} != 0 || {} != 0", a, b);
    case Code::logical_not: return fmt::format("{} == 0", a);
    case Code::select: return fmt::format("{} != 0 ? {} : {}", a, b, d);
    case Code::call1: return fmt::format("std::{}({})", tape.functions[i.f].name, a);
    case Code::call2: return fmt::format("std::{}({}, {})", tape.functions[i.f].name, a, b);
    default: return "";
    }
}

std::size_t print(const tape::Tape& tape, const std::string& path) {
    const auto& part = tape.main_part;
    const auto analysis = tape::analyze_part(tape, part, tape::persistent_slots(tape), chunk_length, false);
    std::string text = "#include <cmath>\nnamespace std { inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? "
                       "-1.0 : x; } }\n";
    auto to = std::back_inserter(text);
    std::unordered_map<std::uint32_t, std::uint32_t> defined; // slot → instruction, in this chunk
    const auto value = [&](std::uint32_t slot) {
        const auto it = defined.find(slot);
        return it == defined.end() ? fmt::format("w[{}]", slot) : fmt::format("v{}", it->second);
    };
    const std::size_t chunks = analysis.chunk_begin.size() - 1;
    for (std::size_t c = 0; c < chunks; ++c) {
        defined.clear();
        fmt::format_to(to, "extern \"C\" void chunk{}(double* __restrict w, double* __restrict out) {{\n", c);
        const std::uint32_t end = analysis.chunk_begin[c + 1];
        for (std::uint32_t k = analysis.chunk_begin[c]; k < end; ++k) {
            const tape::Instruction& i = part[k];
            if (i.code == Code::store) {
                fmt::format_to(to, "out[{}] = {};\n", i.d, value(i.a));
            } else if (!analysis.reads[k].dead) {
                fmt::format_to(to, "const double v{} = {};\n", k,
                               expression(tape, i, value(i.a), value(i.b), value(i.d)));
                defined[i.d] = k;
                if (analysis.reads[k].d >= end) fmt::format_to(to, "w[{}] = v{};\n", i.d, k);
            }
        }
        text += "}\n";
    }
    std::ofstream(path) << text;
    return chunks;
}

} // namespace

NativeTape::NativeTape(const tape::Tape& tape) {
    char folder[] = "/tmp/daedalus_codegen_XXXXXX";
    if (mkdtemp(folder) == nullptr) return;
    const std::string source = std::string(folder) + "/tape.cpp", object = std::string(folder) + "/tape.so";
    const std::size_t chunks = print(tape, source);
    const auto begin = std::chrono::steady_clock::now();
    const std::string command =
        fmt::format("g++ -O2 -march=native -ffp-contract=off -fPIC -shared -o {} {}", object, source);
    if (std::system(command.c_str()) == 0) library_ = dlopen(object.c_str(), RTLD_NOW);
    build_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t c = 0; library_ != nullptr && c < chunks; ++c)
        chunks_.push_back(
            reinterpret_cast<void (*)(double*, double*)>(dlsym(library_, fmt::format("chunk{}", c).c_str())));
    std::filesystem::remove_all(folder);
}

NativeTape::~NativeTape() {
    if (library_ != nullptr) dlclose(library_);
}

} // namespace daedalus::benchmarks
