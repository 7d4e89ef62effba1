#include "simulation/dc_sweep.hpp"

#include "base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

using Sweep = spice::Analysis::Sweep;

std::vector<double> values_of(const Sweep& s) {
    if (!s.list.empty()) return s.list;
    std::vector<double> list;
    constexpr double close = 1e-9; // of counts that rounding makes
    constexpr double most = 1e7;
    const double count = std::floor((s.to - s.from) / s.step + close);
    if (!(count >= 0.0 && count < most)) return list;
    for (int k = 0; k <= static_cast<int>(count); ++k) list.push_back(s.from + k * s.step);
    return list;
}

bool is_temperature(const Sweep& s) { return s.element < 0 && (s.source == "temp" || s.source == "TEMP"); }

std::shared_ptr<const circuit::Circuit> at_temperature(const circuit::Circuit& circuit, double celsius,
                                                       Diagnostics& errors) {
    auto changed = std::make_shared<spice::Netlist>(*circuit.netlist);
    changed->temperature = celsius;
    auto made = circuit::make_circuit(std::move(changed));
    if (made) return std::make_shared<const circuit::Circuit>(*std::move(made));
    errors = std::move(made.error());
    return nullptr;
}

} // namespace

Expected<DcSweep> dc_sweep(std::shared_ptr<const circuit::Circuit> circuit, const spice::Analysis& analysis,
                           const std::vector<model::ParameterOverride>& parameters,
                           const std::function<bool(double)>& progress) {
    DcSweep result{.circuit = circuit};
    std::vector<std::vector<double>> axes;
    std::size_t all = 1;
    for (const Sweep& s : analysis.sweeps) {
        axes.push_back(values_of(s));
        all *= axes.back().size();
        const bool is_value =
            s.element >= 0 && circuit->operating_point.value_parameter[static_cast<std::size_t>(s.element)] >= 0;
        if (!is_value && !is_temperature(s))
            return fail(make_error("dc-sweep", fmt::format("'{}' cannot be swept", s.source), s.span,
                                   "sources, resistances and temp can"));
        if (axes.back().empty())
            return fail(make_error("dc-sweep", fmt::format("the sweep of {} has no points", s.source), s.span,
                                   "the step must lead from the first value to the last"));
    }
    auto solver = std::make_unique<OperatingPoint>(circuit);
    OperatingPoint::Request request{.parameters = parameters};
    double temperature = circuit->netlist->temperature;
    for (std::size_t k = 0; k < all; ++k) {
        DcPoint point;
        request.numbers.clear();
        std::size_t rest = k;
        double wanted = temperature;
        for (std::size_t axis = 0; axis < axes.size(); ++axis) {
            const double value = axes[axis][rest % axes[axis].size()];
            // Where an outer value changes, the inner sweep begins anew, from its own beginning.
            if (axis == 0 && rest % axes[0].size() == 0) request.guess.clear();
            rest /= axes[axis].size();
            point.swept.push_back(value);
            const Sweep& s = analysis.sweeps[axis];
            if (is_temperature(s))
                wanted = value;
            else
                request.numbers.emplace_back(
                    circuit->operating_point.value_parameter[static_cast<std::size_t>(s.element)], value);
        }
        if (wanted != temperature) {
            Diagnostics errors;
            const auto changed = at_temperature(*circuit, wanted, errors);
            if (!changed) return Unexpected{std::move(errors)};
            solver = std::make_unique<OperatingPoint>(changed);
            temperature = wanted;
        }
        auto found = solver->find(request);
        if (!found) {
            found.error().front().message += fmt::format(" at {} = {:.6g}", analysis.sweeps[0].source, point.swept[0]);
            return Unexpected{std::move(found.error())};
        }
        request.guess = found->values;
        point.values = std::move(found->values);
        result.points.push_back(std::move(point));
        if (progress && !progress(static_cast<double>(k + 1) / static_cast<double>(all))) break;
    }
    return result;
}

} // namespace daedalus::simulation
