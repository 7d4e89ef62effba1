// `solve` as users get it: initial values, integration, 500 output points, the certificate and a solution that can be
// evaluated anywhere. The model is compiled before.
#include "peers/peer_code.hpp"

#include <daedalus/daedalus.hpp>

#include <algorithm>

namespace daedalus::benchmarks {

PeerCode make_solve(const TestProblem& problem) {
    PeerCode code{"Daedalus solve", "Daedalus solve", {}, {}, {}};
    struct Call {
        CompiledModel model;
        SolveOptions options;
        std::vector<std::string> unknowns;
        std::vector<double> scale;
        Work work = {};

        std::vector<double> operator()(double tolerance) {
            options.rtol = options.atol = tolerance;
            options.atol_each.clear();
            for (std::size_t i = 0; i < unknowns.size(); ++i)
                if (scale[i] != 1.0) options.atol_each.emplace_back(unknowns[i], tolerance * scale[i]);
            const auto solution = model.solve(options);
            if (!solution || !solution->success()) return {};
            for (const auto& [name, count] : solution->statistics())
                if (name == "steps") work.steps = count;
            std::vector<double> values;
            for (const std::string& name : unknowns) values.push_back(solution->final(name));
            return values;
        }
    };
    const auto read = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/" + problem.name + ".mo");
    if (!read) return code;
    auto compiled = read->compile();
    if (!compiled) return code;
    auto call = std::make_shared<Call>(Call{*std::move(compiled), {}, problem.unknowns, problem.scale});
    call->options.from = problem.t0;
    call->options.until = problem.t1;
    code.run = [call](double tolerance) { return (*call)(tolerance); };
    code.work = [call] { return call->work; };
    return code;
}

} // namespace daedalus::benchmarks
