// What reading Modelica costs: the whole standard library parsed, an electrical example and a mechanism from their
// names to the first step, and equations written as loops over arrays. Processor time, best of a few runs, and memory.
//     modelica            with the library in a folder of MODELICAPATH; without it, only what needs none
// Goals: the library 0.5 s; 50 components 100 ms; Fourbar1 1 s; 100,000 equations from arrays 2 s and 500 MB, with an
// exponent of at most 1.05.
#include "daedalus/daedalus.hpp"
#include "measure.hpp"
#include "modelica/parse.hpp"
#include "modelica/read_modelica.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace daedalus;
namespace fs = std::filesystem;

template <class T>
T must(Expected<T> value) {
    if (value) return *std::move(value);
    for (const Diagnostic& d : value.error()) std::fprintf(stderr, "%s\n", d.message.c_str());
    std::exit(1);
}

void line(const char* what, double seconds, double goal) {
    std::printf("%-62s %9.1f ms %7.2f of the goal\n", what, 1e3 * seconds, seconds / goal);
    std::fflush(stdout);
}

/// The folder of MODELICAPATH that holds Modelica; empty: none.
std::string library_folder() {
    const char* path = std::getenv("MODELICAPATH");
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(fs::path(folder) / "Modelica" / "package.mo")) return folder;
    return {};
}

void parse_library(const std::string& folder) {
    std::vector<SourceFile> files;
    double megabytes = 0.0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".mo") continue;
        std::ifstream stream(entry.path(), std::ios::binary);
        std::ostringstream text;
        text << stream.rdbuf();
        files.emplace_back(entry.path().string(), std::move(text).str());
        megabytes += 1e-6 * static_cast<double>(files.back().text().size());
    }
    std::size_t classes = 0;
    const double seconds = benchmarks::best_cpu_seconds(
        [&] {
            for (const SourceFile& file : files) classes += modelica::parse(file).tree.classes.size();
        },
        2.0);
    std::printf("%zu files, %.1f MB\n", files.size(), megabytes);
    line("all of them parsed", seconds, 0.5);
    if (classes == 0) std::exit(1);
}

/// A run so short that it is a step.
const SolveOptions one_step{.until = 1e-9, .points = 2};

/// From the name of a class to the end of the first step.
double first_step(const std::string& name) {
    const Model model = must(Model::from_library(name));
    const double before = benchmarks::cpu_seconds();
    (void)must(solve(model, one_step));
    return benchmarks::cpu_seconds() - before;
}

void example(const std::string& name, double goal) {
    double compiled = 1e300;
    const double read = benchmarks::best_cpu_seconds([&] { (void)must(Model::from_library(name)); });
    for (int k = 0; k < 5; ++k) compiled = std::min(compiled, first_step(name));
    line((name + ": read").c_str(), read, goal);
    line((name + ": to the first step").c_str(), read + compiled, goal);
}

/// A ladder of n cells in two loops: 2 n equations.
std::string ladder(int n) {
    return "model Ladder\n  parameter Integer n = " + std::to_string(n) + R"(;
  Real v[n](each start = 0, each fixed = true), i[n];
equation
  for k in 1:n loop
    der(v[k]) = i[k] - (if k < n then i[k + 1] else 0);
    i[k] = (if k == 1 then sin(time) else v[k - 1]) - v[k];
  end for;
end Ladder;
)";
}

void arrays() {
    std::vector<double> sizes, read, all;
    for (const int cells : {6'250, 12'500, 25'000, 50'000}) {
        const std::string text = ladder(cells);
        sizes.push_back(2.0 * cells);
        read.push_back(benchmarks::best_cpu_seconds([&] { (void)must(Model::from_string(text)); }));
        all.push_back(
            benchmarks::best_cpu_seconds([&] { (void)must(solve(must(Model::from_string(text)), one_step)); }));
    }
    line("100,000 equations from arrays: read", read.back(), 2.0);
    line("100,000 equations from arrays: to the first step", all.back(), 2.0);
    std::printf("exponents of time: read %.2f, to the first step %.2f; largest memory %.0f MB\n",
                benchmarks::fitted_exponent(sizes, read), benchmarks::fitted_exponent(sizes, all),
                benchmarks::peak_megabytes());
}

} // namespace

int main() {
    if (const std::string folder = library_folder(); !folder.empty()) {
        parse_library(folder);
        example("Modelica.Electrical.Analog.Examples.CauerLowPassOPV", 0.1);
        example("Modelica.Mechanics.MultiBody.Examples.Loops.Fourbar1", 1.0);
    } else {
        std::printf("no Modelica/package.mo in a folder of MODELICAPATH: the library is left out\n");
    }
    arrays();
}
