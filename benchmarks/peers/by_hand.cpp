// Rows of the table for equations eliminated by hand, integrated by an explicit code of fixed size.
#include "peers/eliminated_by_hand.hpp"
#include "peers/peer_code.hpp"
#include "peers/straight_runge_kutta.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::benchmarks {

namespace {

template <class Mechanism>
PeerCode make(const TestProblem& problem, tableau::ExplicitName method) {
    struct Call {
        StraightRungeKutta<Mechanism::size> code;
        std::vector<std::size_t> to; ///< per value of the mechanism: unknown of the problem
        double t0, t1;
        std::size_t unknowns;

        std::vector<double> operator()(double tolerance) {
            auto y = Mechanism::start();
            std::array<double, Mechanism::size> absolute{};
            absolute.fill(tolerance);
            if (!code.run(Mechanism::slope, t0, t1, y, tolerance, absolute)) return {};
            const std::vector<double> found = Mechanism::unknowns(t1, y.data());
            std::vector<double> values(unknowns, NAN); // forces of constraints are not asked for
            for (std::size_t i = 0; i < found.size(); ++i) values[to[i]] = found[i];
            return values;
        }
    };
    const bool eighth = method == tableau::ExplicitName::dop853;
    PeerCode code{std::string(eighth ? "DOP853" : "DOPRI5") + ", eliminated by hand", "by hand", {}, {}, {}};
    auto call = std::make_shared<Call>(
        Call{StraightRungeKutta<Mechanism::size>(method), {}, problem.t0, problem.t1, problem.unknowns.size()});
    for (const std::string& name : Mechanism::names())
        call->to.push_back(static_cast<std::size_t>(problem.position(name)));
    code.run = [call](double tolerance) { return (*call)(tolerance); };
    code.work = [call] { return Work{call->code.counts.steps, call->code.counts.evaluations, 0, 0, 0, 0, 0}; };
    return code;
}

} // namespace

PeerCode make_by_hand(const TestProblem& problem, ByHand method) {
    const auto name = method == ByHand::dop853 ? tableau::ExplicitName::dop853 : tableau::ExplicitName::dopri5;
    if (problem.name == PendulumByHand::name) return make<PendulumByHand>(problem, name);
    if (problem.name == CarAxisByHand::name) return make<CarAxisByHand>(problem, name);
    if (problem.name == AndrewsByHand::name) return make<AndrewsByHand>(problem, name);
    return {};
}

} // namespace daedalus::benchmarks
