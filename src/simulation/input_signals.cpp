#include "simulation/input_signals.hpp"

#include "base/expected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

using expr::NodeId;

std::string place(const Input& input, std::size_t k) {
    if (input.origin.empty()) return fmt::format("entry {}", k + 1);
    return k < input.lines.size() ? fmt::format("{}:{}", input.origin, input.lines[k]) : input.origin;
}

Diagnostic bad_table(const Input& input, std::string what, std::string hint) {
    return make_error("bad-input", fmt::format("the table of the input '{}' {}", input.name, what), std::move(hint));
}

std::optional<Diagnostic> check_table(const Input& input) {
    if (input.values.empty()) return bad_table(input, "has no values", "give times and values, or a function");
    if (input.times.empty() && input.values.size() == 1) {
        if (std::isfinite(input.values[0])) return std::nullopt;
        return bad_table(input, fmt::format("is {}", input.values[0]), "give a finite number");
    }
    if (input.times.size() != input.values.size())
        return bad_table(input, fmt::format("has {} times and {} values", input.times.size(), input.values.size()),
                         "every time needs a value");
    for (std::size_t k = 0; k < input.times.size(); ++k) {
        if (!std::isfinite(input.times[k]) || !std::isfinite(input.values[k]))
            return bad_table(input,
                             fmt::format("has a number that is not finite at {}: {}, {}", place(input, k),
                                         input.times[k], input.values[k]),
                             "leave the line out: values between are interpolated");
        if (k > 0 && input.times[k] < input.times[k - 1])
            return bad_table(input,
                             fmt::format("goes back in time at {}: from {} to {}", place(input, k), input.times[k - 1],
                                         input.times[k]),
                             "times must ascend");
        if (k > 1 && input.times[k] == input.times[k - 2])
            return bad_table(input, fmt::format("has the time {} three times, at {}", input.times[k], place(input, k)),
                             "twice is a jump");
        if (k > 0 && input.times[k] == input.times[k - 1] && input.between == Interpolation::cubic)
            return bad_table(input, fmt::format("jumps at {}, which no spline does", place(input, k)),
                             "interpolate linearly, or leave one of the values out");
    }
    return std::nullopt;
}

/// Second derivatives of the natural cubic spline at its knots: with h_k = t_{k+1} − t_k,
///     h_{k−1} M_{k−1} + 2 (h_{k−1} + h_k) M_k + h_k M_{k+1} = 6 (Δ_k − Δ_{k−1}) ,  M_0 = M_n = 0
/// (Stoer & Bulirsch 2002, §2.5), solved by elimination without pivoting: the matrix is diagonally dominant.
std::vector<double> spline_moments(const std::vector<double>& t, const std::vector<double>& y) {
    const std::size_t n = t.size();
    std::vector<double> moment(n, 0.0), diagonal(n, 1.0), right(n, 0.0);
    for (std::size_t k = 1; k + 1 < n; ++k) {
        const double before = t[k] - t[k - 1], behind = t[k + 1] - t[k];
        diagonal[k] = 2 * (before + behind);
        right[k] = 6 * ((y[k + 1] - y[k]) / behind - (y[k] - y[k - 1]) / before);
        if (k == 1) continue;
        const double factor = before / diagonal[k - 1];
        diagonal[k] -= factor * before;
        right[k] -= factor * right[k - 1];
    }
    for (std::size_t k = n - 1; k-- > 1;) moment[k] = (right[k] - (t[k + 1] - t[k]) * moment[k + 1]) / diagonal[k];
    return moment;
}

/// The table as pieces. Its ends are knots only where values are held beyond them: a run that ends there ends on the
/// last piece, with its slope.
void make_pieces(const Input& input, model::Signal& signal) {
    const std::vector<double>&t = input.times, &y = input.values;
    const auto add = [&](double origin, std::initializer_list<double> coefficients) {
        signal.pieces.push_back(origin);
        for (int k = 0; k < signal.known; ++k)
            signal.pieces.push_back(static_cast<std::size_t>(k) < coefficients.size() ? coefficients.begin()[k] : 0.0);
    };
    signal.known = input.between == Interpolation::cubic ? 4 : 2;
    if (t.size() < 2) {
        signal.differentiable = -1;
        add(0.0, {y[0]});
        return;
    }
    signal.differentiable = input.between == Interpolation::hold ? 0 : signal.known - 1;
    for (std::size_t k = 1; k < t.size(); ++k)
        if (t[k] == t[k - 1]) signal.differentiable = 0;
    const std::vector<double> moment =
        input.between == Interpolation::cubic ? spline_moments(t, y) : std::vector<double>();
    if (input.hold_ends) add(t[0], {y[0]});
    for (std::size_t k = 0; k + 1 < t.size(); ++k) {
        const double h = t[k + 1] - t[k];
        if (h == 0.0) continue;
        const double slope = (y[k + 1] - y[k]) / h;
        if (!signal.pieces.empty()) signal.knots.push_back(t[k]);
        switch (input.between) {
        case Interpolation::hold: add(t[k], {y[k]}); break;
        case Interpolation::linear: add(t[k], {y[k], slope}); break;
        case Interpolation::cubic:
            add(t[k], {y[k], slope - h * (2 * moment[k] + moment[k + 1]) / 6, moment[k] / 2,
                       (moment[k + 1] - moment[k]) / (6 * h)});
            break;
        }
    }
    if (!input.hold_ends && input.between != Interpolation::hold && !signal.pieces.empty()) return;
    if (!signal.pieces.empty()) signal.knots.push_back(t.back());
    add(t.back(), {y.back()});
}

void add_equation(model::Model& model, model::Signal signal) {
    expr::Graph& g = *model.graph;
    const auto held = [&](const std::string& what, double generic) {
        model::Parameter p;
        p.name = fmt::format("{} of the input {}", what, signal.name);
        p.binding = g.constant(generic);
        p.is_held = true;
        return model.add_parameter(std::move(p));
    };
    // Until a run begins they are numbers that make nothing vanish, for what is decided by sampling.
    signal.first_parameter = held("origin", 0.37);
    std::vector<NodeId> coefficients;
    for (int k = 0; k < signal.known; ++k)
        coefficients.push_back(g.parameter(held(fmt::format("coefficient {}", k), 0.61 + 0.23 / (k + 1))));
    const NodeId no_derivative = g.parameter(held("what is not known", 0.43));
    (void)held("whether a run has replaced the table", 0.0);
    const auto degree = static_cast<std::size_t>(std::max(0, signal.differentiable + 1));
    if (signal.differentiable >= 0) {
        if (coefficients.size() <= degree) coefficients.resize(degree + 1, g.constant(0.0));
        coefficients[degree] = g.add(coefficients[degree], no_derivative);
    }
    const NodeId s = g.sub(g.time(), g.parameter(signal.first_parameter));
    NodeId u = coefficients.back();
    for (std::size_t k = coefficients.size() - 1; k-- > 0;) u = g.add(coefficients[k], g.mul(s, u));
    const model::Variable& v = model.variables[static_cast<std::size_t>(signal.variable)];
    model.equations.push_back({g.variable(signal.variable), u, "input " + signal.name, v.span});
    model.signals.push_back(std::move(signal));
}

} // namespace

std::optional<Diagnostic> add_signals(model::Model& model, const std::vector<Input>& inputs) {
    std::vector<std::string> names;
    for (const model::Variable& v : model.variables)
        if (v.is_input) names.push_back(v.name);
    for (const Input& input : inputs) {
        if (std::find(names.begin(), names.end(), input.name) == names.end()) {
            const auto close = closest(input.name, names);
            const bool known = model.find_variable(input.name) || model.find_parameter(input.name);
            return make_error("unknown-input",
                              known
                                  ? fmt::format("'{}' is no input of {} that waits for a value", input.name, model.name)
                                  : fmt::format("{} has no input '{}'", model.name, input.name),
                              close           ? fmt::format("did you mean '{}'?", *close)
                              : names.empty() ? "declare it: input Real " + input.name + ";"
                                              : fmt::format("its inputs are: {}", fmt::join(names, ", ")));
        }
        model::Signal signal;
        signal.name = input.name;
        signal.variable = *model.find_variable(input.name);
        for (const model::Signal& other : model.signals)
            if (other.variable == signal.variable)
                return make_error("bad-input", fmt::format("the input '{}' is given twice", input.name));
        if (input.function) {
            if (!input.function->value)
                return make_error("bad-input", fmt::format("the function of the input '{}' is empty", input.name));
            signal.functions.push_back(input.function->value);
            for (const auto& f : input.function->derivatives) signal.functions.push_back(f);
            signal.known = static_cast<int>(signal.functions.size());
            signal.differentiable = signal.known - 1;
            signal.knots = input.function->breaks;
            std::sort(signal.knots.begin(), signal.knots.end());
        } else {
            if (auto trouble = check_table(input)) return trouble;
            make_pieces(input, signal);
        }
        add_equation(model, std::move(signal));
    }
    return std::nullopt;
}

std::optional<Diagnostic> check_range(const std::vector<Input>& inputs, double t0, double t1) {
    if (!inputs.empty() && t1 < t0)
        return make_error("backward-inputs", "inputs are followed forward in time only",
                          "write the input as an equation of the model to solve it backward");
    for (const Input& input : inputs) {
        if (input.times.empty() || input.hold_ends) continue;
        if (t0 >= input.times.front() && t1 <= input.times.back()) continue;
        return bad_table(input,
                         fmt::format("reaches from t = {} to {}{}, the run from {} to {}", input.times.front(),
                                     input.times.back(), input.origin.empty() ? "" : " (" + input.origin + ")", t0, t1),
                         "--hold-inputs keeps the first and the last value beyond its ends");
    }
    return std::nullopt;
}

std::string text_key(const Input& input) {
    if (input.function) // kept alive by the model that is made with it, so that no other has its address
        return fmt::format("input {} function {}\n", input.name, static_cast<const void*>(input.function.get()));
    std::string key = fmt::format("input {} {} {:d}", input.name, static_cast<int>(input.between), input.hold_ends);
    for (std::size_t k = 0; k < input.values.size(); ++k)
        key += fmt::format(" {:a},{:a}", k < input.times.size() ? input.times[k] : 0.0, input.values[k]);
    return key + "\n";
}

} // namespace daedalus::simulation
