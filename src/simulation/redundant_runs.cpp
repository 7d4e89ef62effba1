#include "simulation/redundant_runs.hpp"

#include "analysis/implied_rows.hpp"
#include "base/diagnostic.hpp"
#include "compile/compilation.hpp"
#include "compile/derivative_array.hpp"
#include "linalg/singular_values.hpp"
#include "simulation/append_record.hpp"
#include "simulation/convert.hpp"
#include "simulation/private_copy.hpp"
#include "tape/machine_code_scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

using linalg::Matrix;

constexpr double degraded = 0.3; // of what a choice was worth where it was made
constexpr int most_choices = 10'000;

/// How far what was chosen is from being singular, as the smaller of two cosines: between the directions left open and
/// those fixed, and between the combinations of equations that vanish and the equations left out.
class Choice {
public:
    Choice(const std::shared_ptr<const model::Model>& model, const compile::CompileOptions& how,
           const Redundancy& found)
        : found_(found), C_(found.least_norm.freedom, static_cast<int>(found.least_norm.variables.size())) {
        if (auto array = compile::derivative_array(private_copy(*model), how)) array_ = array->array;
        if (array_ && !array_->prepare(0)) array_ = nullptr;
        const std::vector<int>& open = found.least_norm.variables;
        for (std::size_t i = 0; i < found.instead.size(); ++i)
            for (const Redundancy::Term& term : found.instead[i])
                C_(static_cast<int>(i),
                   static_cast<int>(std::find(open.begin(), open.end(), term.variable) - open.begin())) = term.factor;
        for (int i = 0; i < C_.rows(); ++i) {
            double norm = 0.0;
            for (int j = 0; j < C_.cols(); ++j) norm = std::hypot(norm, C_(i, j));
            for (int j = 0; j < C_.cols(); ++j) C_(i, j) /= norm;
        }
    }

    /// At a point given by the model's variables, the first of the array's unknowns.
    [[nodiscard]] double worth(double t, std::vector<double> z) {
        if (!array_) return 1.0;
        z.resize(static_cast<std::size_t>(array_->columns(0)), 0.0);
        const int k = found_.least_norm.freedom;
        const auto V = analysis::nearly_open(*array_, t, z, found_.least_norm.variables, k);
        const auto W = analysis::nearly_dependent(*array_, t, z, k);
        if (!V || !W) return 0.0;
        Matrix left_out(k, W->cols());
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < W->cols(); ++j)
                left_out(i, j) = (*W)(found_.implied[static_cast<std::size_t>(i)].equation, j);
        return std::min(smallest(C_ * *V), smallest(left_out));
    }

private:
    static double smallest(const Matrix& a) {
        const linalg::SingularValues s = linalg::singular_values_only(a);
        return s.values.empty() ? 0.0 : s.values.back();
    }

    const Redundancy& found_;
    std::shared_ptr<problem::DerivativeArray> array_;
    Matrix C_;
};

/// When a choice is looked at again: its worth moves smoothly, and a look costs as much as many steps.
class Looks {
public:
    explicit Looks(double first) : limit_(degraded * first), last_(first) {}

    [[nodiscard]] bool due() { return ++since_ >= gap_; }
    /// False: another choice is due. The next look comes after a quarter of the steps to the limit at this pace.
    [[nodiscard]] bool good(double worth) {
        const double pace = std::abs(worth - last_) / static_cast<double>(since_);
        const double ahead = (worth - limit_) / 4;
        gap_ = ahead >= most_steps * pace ? most_steps : std::max(1L, static_cast<long>(ahead / pace));
        since_ = 0;
        last_ = worth;
        return worth >= limit_;
    }

private:
    static constexpr long most_steps = 16;
    double limit_, last_;
    long gap_ = 1, since_ = 0;
};

std::vector<double> outputs_at(const compile::CompiledModel& c, double t, const double* x, const double* dx) {
    std::vector<double> y(static_cast<std::size_t>(c.problem.output_count()));
    (void)c.problem.outputs(t, x, dx, y.data());
    return y;
}

/// Where a run ended, as start values of the next one: what is differentiated is kept, the rest follows.
std::vector<StartValue> values_at_end(const compile::CompiledModel& c, const Record::End& end) {
    std::vector<StartValue> values;
    const std::vector<double> y = outputs_at(c, end.t, end.x.data(), end.dx.data());
    for (std::size_t v = 0; v < c.model->variables.size(); ++v) {
        const StartStrength strength = c.outputs[v].differential ? StartStrength::preferred : StartStrength::guess;
        if (std::isfinite(y[v])) values.push_back({c.model->variables[v].name, y[v], strength});
        const int highest = c.structure.of_variables[v].highest_derivative;
        for (int order = 1; order < highest; ++order) {
            const auto place = c.compilation->formulation.place({static_cast<int>(v), order});
            if (place.unknown < 0) continue;
            const auto at = static_cast<std::size_t>(place.unknown);
            values.push_back({c.model->variable_name(static_cast<int>(v), order),
                              place.derivative ? end.dx[at] : end.x[at], StartStrength::preferred});
        }
    }
    return values;
}

/// One run after the other, each with a choice of its own.
class Runs {
public:
    Runs(const Compilations& compilations, const SolveOptions& options, RegularModel first, Detail detail)
        : compilations_(compilations), options_(options), regular_(std::move(first)), detail_(detail) {}

    /// Nothing where that does not help.
    std::optional<Record> solve() {
        const tape::MachineCodeScope scope(options_.machine_code);
        for (int made = 0; made < most_choices; ++made) {
            Record piece;
            if (!run_once(piece)) return std::nullopt;
            const bool again = piece.end.structure_changes;
            if (begun_)
                append_record(whole_, std::move(piece));
            else
                whole_ = std::move(piece);
            begun_ = true;
            if (!again) return std::move(whole_);
            const double before = options_.from.value_or(-INFINITY);
            options_.from = whole_.end.t;
            options_.until = whole_.report.outcome.t_requested;
            options_.starts = values_;
            options_.initial = {};
            options_.first_step = 0.0;
            if (before == whole_.end.t) return std::nullopt; // no progress
            // Where no better choice can be told, the one at hand goes on until it has degraded as much again.
            if (auto next = regular_model(compilations_, options_); next && *next) regular_ = **std::move(next);
        }
        return std::nullopt;
    }

private:
    bool run_once(Record& piece) {
        auto prepared = prepare(*regular_.compilations, options_, piece, {.detail = detail_});
        if (!prepared) return false;
        compile::CompiledModel& compiled = (*prepared)->compiled;
        Job& job = (*prepared)->job;
        if (!begun_) begin_ = job.t0;
        if (begun_) {
            job.earlier = whole_.dense;
            job.output_from = begin_;
        }
        Choice choice(compilations_.model(), compile_options(options_, job.t0), regular_.found);
        const auto at = [&](double t, const double* x, const double* dx) {
            std::vector<double> y = outputs_at(compiled, t, x, dx);
            y.resize(compilations_.model()->variables.size());
            return choice.worth(t, std::move(y));
        };
        Looks looks(at(job.t0, job.x0.data(), job.dx0.data()));
        job.watch = [&, own = job.watch](const integrate::AcceptedStep& step) -> std::optional<Diagnostic> {
            if (own)
                if (auto found = own(step)) return found;
            if (step.t == job.t1 || !looks.due()) return std::nullopt;
            if (looks.good(at(step.t, step.x.data(), step.dx.data()))) return std::nullopt;
            return make_error(go_on_from_here, "another choice of constraints is better from here on");
        };
        if (!run(job, options_, piece).empty()) return false;
        if (piece.outcome != Outcome::success && piece.outcome != Outcome::terminated &&
            piece.outcome != Outcome::interrupted)
            return false;
        if (piece.end.structure_changes) values_ = values_at_end(compiled, piece.end);
        return true;
    }

    const Compilations& compilations_;
    SolveOptions options_;
    RegularModel regular_;
    Detail detail_;
    Record whole_;
    std::vector<StartValue> values_;
    bool begun_ = false;
    double begin_ = 0.0;
};

} // namespace

Expected<Record> solve_regular(const Compilations& compilations, const SolveOptions& options, RegularModel first,
                               Detail detail) {
    const Diagnostic note = first.note;
    const std::shared_ptr<const Compilations> at_start = first.compilations;
    // What clauses hold is not carried from run to run here.
    const bool plain = !compilations.model()->event_part() && options.stop_when.empty() && options.checkpoint.empty() &&
                       options.resume.empty();
    const auto by_runs = [&] { return Runs(compilations, options, first, detail).solve(); };
    std::optional<Record> watched;
    if (const bool turns = first.found.least_norm.varies; plain && turns) watched = by_runs();
    Expected<Record> solved = watched ? *std::move(watched) : solve_model(*at_start, options, detail);
    const bool done = solved && (solved->outcome == Outcome::success || solved->outcome == Outcome::terminated ||
                                 solved->outcome == Outcome::interrupted);
    if (!done && solved && plain && !first.found.least_norm.varies)
        if (auto whole = by_runs()) solved = *std::move(whole);
    if (solved) solved->report.diagnostics.push_back(note);
    return solved;
}

} // namespace daedalus::simulation
