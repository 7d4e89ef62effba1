#include "reference_problems.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace daedalus::benchmarks {

std::vector<ReferenceProblem> reference_problems(const std::vector<std::string>& names) {
    const std::string folder = DAEDALUS_SOURCE_DIR "/tests/problems/";
    const nlohmann::json references = nlohmann::json::parse(std::ifstream(folder + "refs.json"));
    std::vector<ReferenceProblem> problems;
    for (const auto& [name, reference] : references.items()) {
        if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
        auto model = Model::from_file(folder + name + ".mo");
        if (!model) {
            std::fprintf(stderr, "%s", render(model.error()).c_str());
            std::exit(8);
        }
        ReferenceProblem p{name, *std::move(model), reference.at("t0"), reference.at("t1"), {}, 0.0};
        p.known = std::pow(10.0, -reference.at("digits_trusted").get<double>());
        for (const auto& variable : reference.at("significant")) {
            const auto& value = reference.at("variables").value(variable.get<std::string>(), nlohmann::json{});
            if (value.is_number()) p.end.emplace_back(variable.get<std::string>(), value.get<double>());
        }
        problems.push_back(std::move(p));
    }
    return problems;
}

} // namespace daedalus::benchmarks
