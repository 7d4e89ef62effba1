#include "random_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace attack {

namespace {

/// Text in the variables, and the same text with the solution in their place.
struct Term {
    std::string in_variables, in_solution;
};

Term operator+(const Term& a, const Term& b) {
    return {a.in_variables + " + " + b.in_variables, a.in_solution + " + " + b.in_solution};
}
Term operator*(const std::string& factor, const Term& a) {
    return {factor + "*(" + a.in_variables + ")", factor + "*(" + a.in_solution + ")"};
}
Term operator*(const Term& a, const Term& b) {
    return {"(" + a.in_variables + ")*(" + b.in_variables + ")", "(" + a.in_solution + ")*(" + b.in_solution + ")"};
}
Term call(const std::string& function, const Term& a) {
    return {function + "(" + a.in_variables + ")", function + "(" + a.in_solution + ")"};
}
/// R(u) − R(u*), which vanishes on the solution.
std::string row_text(const Term& a) { return "(" + a.in_variables + " - (" + a.in_solution + "))"; }

class Generator {
public:
    explicit Generator(std::uint64_t seed) : random_(seed * 0x9E3779B97F4A7C15ULL + 12345) {
        model_.seed = seed;
        static const char* const families[] = {
            "plain",         "product", "dense rows",    "dense basis", "varying",      "state mixed", "bad scaling",
            "near singular", "kinks",   "index changes", "no dynamics", "state events", "jumps",       "pulses"};
        model_.family = families[seed % std::size(families)];
    }

    RandomModel make() {
        const bool is_product = family("product");
        model_.index = family("index changes") ? 1 : family("kinks") ? whole(0, 2) : whole(is_product ? 2 : 0, 5);
        if (family("near singular")) model_.index = whole(0, 3);
        if (family("state events")) model_.index = whole(0, 2);
        if (family("jumps") || family("pulses")) model_.index = whole(family("pulses") ? 1 : 0, 1);
        states_ = family("no dynamics") ? 0 : whole(model_.index == 0 ? 1 : 0, 3);
        // The first state is monotonous: a clock that conditions can look at.
        has_clock_ = family("state events") || (family("jumps") && coin());
        if (has_clock_ || family("jumps")) states_ = std::max(states_, 2);
        if (states_ + model_.index == 0) model_.index = 1;
        const int n = states_ + model_.index;
        for (int i = 0; i < n; ++i) choose_variable(i);
        choose_basis(n);
        canonical_rows();
        hide(n);
        write(n);
        return std::move(model_);
    }

private:
    [[nodiscard]] bool family(const char* name) const { return model_.family == name; }
    int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
    double real(double low, double high) {
        return std::round(std::uniform_real_distribution<double>(low, high)(random_) * 100.0) / 100.0;
    }
    bool coin(double chance = 0.5) { return std::uniform_real_distribution<double>(0, 1)(random_) < chance; }
    static std::string text(double v) { return fmt::format("({:.17g})", v); }
    double nonzero(double low, double high) { return (coin() ? 1.0 : -1.0) * real(low, high); }

    void choose_variable(int i) {
        Exact e;
        const double a = nonzero(0.5, 2), w = real(0.5, 3), shift = real(-1, 1);
        double p = real(0, 3);
        const bool clock = has_clock_ && i == 0;
        const bool event = !clock && ((family("kinks") && coin(0.6)) || (family("state events") && (i == 1 || coin())));
        const bool jump = !clock && family("jumps") && i < states_, pulse = family("pulses") && i == states_;
        const int kind = clock ? whole(1, 2) : event ? 4 : jump ? 5 : pulse ? 6 : whole(0, 3);
        e.coefficients[0] = a;
        e.coefficients[1] = w;
        e.coefficients[2] = p;
        e.coefficients[3] = shift;
        switch (kind) {
        case 0:
            e.value = fmt::format("({}*sin({}*time + {}) + {})", text(a), w, p, text(shift));
            e.derivative = fmt::format("({}*cos({}*time + {}))", text(a * w), w, p);
            e.number = [](double t, const double* c) { return c[0] * std::sin(c[1] * t + c[2]) + c[3]; };
            break;
        case 1:
            e.value = fmt::format("({}*exp(-{}*time) + {})", text(a), w, text(shift));
            e.derivative = fmt::format("({}*exp(-{}*time))", text(-a * w), w);
            e.number = [](double t, const double* c) { return c[0] * std::exp(-c[1] * t) + c[3]; };
            break;
        case 2:
            e.value = fmt::format("({}/(1 + {}*time))", text(a), w);
            e.derivative = fmt::format("({}/(1 + {}*time)^2)", text(-a * w), w);
            e.number = [](double t, const double* c) { return c[0] / (1 + c[1] * t); };
            break;
        case 3:
            e.value = fmt::format("({}*time^2 + {}*time + {})", text(a), text(shift), p);
            e.derivative = fmt::format("({}*time + {})", text(2 * a), text(shift));
            e.number = [](double t, const double* c) { return c[0] * t * t + c[3] * t + c[2]; };
            break;
        case 4: { // continuous, with a jump of the derivative
            e.coefficients[2] = p = instant(p);
            const std::string before = happens_after(p);
            e.value = fmt::format("({}*sin({}*time) + (if {} then 0 else {}*(time - {})))", text(a), w, before,
                                  text(2 * shift), text(p));
            e.derivative =
                fmt::format("({}*cos({}*time) + (if {} then 0 else {}))", text(a * w), w, before, text(2 * shift));
            e.number = [](double t, const double* c) {
                return c[0] * std::sin(c[1] * t) + (t < c[2] ? 0.0 : 2 * c[3] * (t - c[2]));
            };
            break;
        }
        case 5: { // set to another value
            e.coefficients[2] = p = instant(p);
            const std::string before = happens_after(p);
            e.value = fmt::format("({}*sin({}*time) + (if {} then 0 else {}))", text(a), w, before, text(2 * shift));
            e.derivative = fmt::format("({}*cos({}*time))", text(a * w), w);
            e.number = [](double t, const double* c) {
                return c[0] * std::sin(c[1] * t) + (t < c[2] ? 0.0 : 2 * c[3]);
            };
            clauses_ += fmt::format("  when not ({}) then\n    reinit(u{}, {}*sin({}*time) + {});\n  end when;\n",
                                    before, i + 1, text(a), w, text(2 * shift));
            break;
        }
        default: { // a short pulse
            e.coefficients[2] = p = instant(p);
            const double end = p + std::pow(10.0, -real(0.5, 4));
            e.coefficients[4] = end;
            e.value = fmt::format("({}*sin({}*time) + (if time < {} then 0 else if time < {} then {} else 0))", text(a),
                                  w, text(p), text(end), text(2 * shift));
            e.derivative = fmt::format("({}*cos({}*time))", text(a * w), w);
            e.number = [](double t, const double* c) {
                return c[0] * std::sin(c[1] * t) + (t < c[2] || t >= c[4] ? 0.0 : 2 * c[3]);
            };
        }
        }
        const bool scaled = family("bad scaling") && coin(0.7);
        model_.scale.push_back(scaled ? std::pow(10.0, whole(-12, 12)) : 1.0);
        model_.nominal.push_back(scaled && (model_.scale.back() < 1e-2 || coin()) ? model_.scale.back() : 1.0);
        model_.exact.push_back(e);
        model_.names.push_back(fmt::format("u{}", i + 1));
    }

    /// Between 0.3 and 1.3, and at no output point.
    static double instant(double p) { return p / 3 + 0.30217; }
    /// A condition that holds up to this time.
    [[nodiscard]] std::string happens_after(double p) const {
        if (!has_clock_) return fmt::format("time < {}", text(p));
        const Exact& clock = model_.exact.front();
        return fmt::format("u1 {} {}", clock(2.0) > clock(0.0) ? "<" : ">", text(clock(p)));
    }

    // y = Q u, Q = I or L U with |entries| ≤ 1, perhaps varying in time.
    void choose_basis(int n) {
        const bool dense = family("dense basis") || (family("varying") && coin());
        const bool varying = family("varying");
        const auto size = static_cast<std::size_t>(n);
        std::vector<std::vector<double>> Q(size, std::vector<double>(size, 0.0)), L = Q, U = Q;
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j) {
                L[i][j] = i == j ? 1.0 : i > j && dense ? real(-0.8, 0.8) : 0.0;
                U[i][j] = i == j ? 1.0 : i < j && dense ? real(-0.8, 0.8) : 0.0;
            }
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t j = 0; j < size; ++j)
                for (std::size_t k = 0; k < size; ++k) Q[i][j] += L[i][k] * U[k][j];
        // The first row is moved in time: Q stays nonsingular, det (I + s e₁ vᵀ) = 1 where v₁ = 0.
        const double w = real(0.5, 2);
        for (std::size_t i = 0; i < size; ++i) {
            Term value, slope;
            for (std::size_t j = 0; j < size; ++j) {
                double moving = 0.0;
                if (i == 0 && varying)
                    for (std::size_t k = 1; k < size; ++k) moving += 0.3 * Q[k][j];
                if (Q[i][j] == 0.0 && moving == 0.0) continue;
                const double s = model_.scale[j];
                const std::string factor =
                    moving == 0.0 ? text(Q[i][j] / s)
                                  : fmt::format("({} + {}*sin({}*time))", text(Q[i][j] / s), text(moving / s), w);
                const std::string exact = text(s) + "*" + model_.exact[j].value,
                                  exact_slope = text(s) + "*" + model_.exact[j].derivative;
                append(value, factor + "*" + model_.names[j], factor + "*" + exact);
                append(slope, factor + "*der(" + model_.names[j] + ")", factor + "*" + exact_slope);
                if (moving != 0.0) {
                    const std::string turning = fmt::format("({}*cos({}*time))", text(moving * w / s), w);
                    append(slope, turning + "*" + model_.names[j], turning + "*" + exact);
                }
            }
            y_.push_back({"(" + value.in_variables + ")", "(" + value.in_solution + ")"});
            dy_.push_back({"(" + slope.in_variables + ")", "(" + slope.in_solution + ")"});
        }
    }

    static void append(Term& sum, const std::string& in_variables, const std::string& in_solution) {
        sum.in_variables += (sum.in_variables.empty() ? "" : " + ") + in_variables;
        sum.in_solution += (sum.in_solution.empty() ? "" : " + ") + in_solution;
    }

    Term smooth(const Term& a) {
        switch (whole(0, 3)) {
        case 0: return call("sin", a);
        case 1: return text(0.2) * (a * a);
        default: return a;
        }
    }

    void canonical_rows() {
        const auto x = [&](int i) -> const Term& { return y_[static_cast<std::size_t>(i)]; };
        const int chain = model_.index;
        const bool constraint_sees_x = coin();
        const bool hard = family("near singular");
        for (int i = 0; i < states_; ++i) {
            // Start values are given in 17 digits: k derivatives of an unknown with ε before its derivative follow from
            // them to 1e-16/εᵏ, whoever computes. That is kept below the smallest tolerance.
            const double smallest = chain > 2 ? 3 : chain > 1 ? 6 : 9;
            const std::string leading = hard && i == 0 ? text(std::pow(10.0, -real(2, smallest))) : "1.0";
            Term row = leading * dy_[static_cast<std::size_t>(i)] + text(real(0.5, 2)) * x(i);
            if (states_ > 1) row = row + text(real(-0.4, 0.4)) * smooth(x((i + 1) % states_));
            if (chain > 0) row = row + text(real(-0.5, 0.5)) * smooth(x(states_ + (constraint_sees_x ? 0 : chain - 1)));
            rows_.push_back(row_text(row));
        }
        for (int k = 0; k < chain; ++k) {
            Term row = k == 0
                           ? text(nonzero(0.5, 1.5)) * x(states_)
                           : dy_[static_cast<std::size_t>(states_ + k - 1)] + text(nonzero(0.5, 1.5)) * x(states_ + k);
            if (k == 0 && states_ > 0 && constraint_sees_x) row = row + text(real(-0.4, 0.4)) * smooth(x(0));
            if (k > 0) row = row + text(real(-0.5, 0.5)) * smooth(x(states_ + whole(0, k - 1)));
            if (k == 0 && family("index changes")) {
                // A differential equation that becomes algebraic, and the other way round.
                const Term slow = dy_[static_cast<std::size_t>(states_)] + row;
                const bool first = coin();
                rows_.push_back(fmt::format("(if time < {} then {} else {})", real(0.4, 1.6),
                                            row_text(first ? slow : row), row_text(first ? row : slow)));
                continue;
            }
            rows_.push_back(row_text(row));
        }
    }

    // Elementary operations on rows: row i += factor · row j. Each can be undone, so nothing is lost.
    void hide(int n) {
        const auto combine = [&](int i, int j, const std::string& factor) {
            if (i != j)
                rows_[static_cast<std::size_t>(i)] += " + " + factor + "*(" + rows_[static_cast<std::size_t>(j)] + ")";
        };
        const std::string& last = model_.names.back();
        const double size = model_.scale.back();
        const std::string state = fmt::format("({}*{})", text(1.0 / size), last);
        if (family("product")) // as in  z·(der(x) + z − f) + x = g
            combine(states_, states_ + model_.index - 1, state);
        if (family("dense rows") || family("dense basis") || family("varying")) {
            for (int i = 1; i < n; ++i)
                for (int j = 0; j < i; ++j) combine(i, j, factor());
            for (int j = n - 1; j > 0; --j) combine(0, j, factor());
        }
        if (family("state mixed"))
            for (int k = 0; k < std::min(n, 3); ++k) {
                const int i = whole(0, n - 1), j = whole(0, n - 1);
                const std::string& v = model_.names[static_cast<std::size_t>(whole(0, n - 1))];
                combine(i, j, coin() ? fmt::format("(1 + 0.3*sin({}))", v) : v);
            }
        if (family("bad scaling"))
            for (std::string& row : rows_) row = text(std::pow(10.0, whole(-12, 12))) + "*(" + row + ")";
    }
    std::string factor() {
        const std::string constant = text(nonzero(0.2, 0.8));
        return family("varying") ? fmt::format("({} + 0.2*cos({}*time))", constant, real(0.5, 2)) : constant;
    }

    void write(int n) {
        std::string& m = model_.text;
        m = fmt::format("model Attack{} // {}, index {}\n", model_.seed, model_.family, model_.index);
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const double start = model_.scale[k] * model_.exact[k](0.0);
            m += fmt::format("  Real {}(start = {:.17g}", model_.names[k], start);
            if (model_.nominal[k] != 1.0) m += fmt::format(", nominal = {:.3g}", model_.nominal[k]);
            m += ");\n";
        }
        m += "equation\n";
        for (const std::string& row : rows_) m += "  " + row + " = 0;\n";
        m += clauses_;
        m += fmt::format("  annotation(experiment(StopTime = {}));\nend Attack{};\n", model_.until, model_.seed);
    }

    std::mt19937_64 random_;
    RandomModel model_;
    int states_ = 0;
    bool has_clock_ = false;
    std::string clauses_;
    std::vector<Term> y_, dy_;
    std::vector<std::string> rows_;
};

} // namespace

RandomModel random_model(std::uint64_t seed) { return Generator(seed).make(); }

} // namespace attack
