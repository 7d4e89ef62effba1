#include "study/change_points.hpp"

#include "base/diagnostic.hpp"
#include "study/motion_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace daedalus::study {

namespace {

constexpr int looks = 400;         // samples of a run
constexpr double operations = 2e8; // that all decompositions together may take
constexpr double same = 0.7;       // cosine between left singular vectors that belong together
constexpr double flat = 1e-2;      // σ of a run that ended: the loop counts as flat;
constexpr double soon = 20.0;      // or it would have been so after as many samples more, a twentieth of the run
constexpr std::size_t most = 5;    // change points that are told

struct Sample {
    double t = 0.0;
    std::vector<double> y;
    linalg::Matrix W; // NOLINT(readability-identifier-naming): letter of the literature
    std::vector<double> u;
    double sigma = 0.0;
};

/// Samples of the run, from the solution that was kept or from output points.
class Samples {
public:
    Samples(const simulation::Record& record, std::size_t variables) : record_(record), variables_(variables) {
        const bool kept = record.dense && !record.dense->given_up() && !record.dense->empty();
        dense_ = kept ? record.dense.get() : nullptr;
        const std::size_t points = record.trajectory.points();
        complete_ = kept ? static_cast<std::size_t>(dense_->outputs()) >= variables
                         : record.trajectory.values.size() >= variables && !record.pending;
        count_ = kept ? looks + 1 : std::min<std::size_t>(points, looks + 1);
    }
    [[nodiscard]] std::size_t count() const { return complete_ ? count_ : 0; }
    [[nodiscard]] double time(std::size_t k) const {
        if (dense_ != nullptr)
            return dense_->begin() + (dense_->end() - dense_->begin()) * static_cast<double>(k) / looks;
        return record_.trajectory.time[point(k)];
    }
    void values(std::size_t k, std::vector<double>& y) const {
        if (dense_ != nullptr) return dense_->evaluate(time(k), y);
        y.resize(variables_);
        for (std::size_t i = 0; i < variables_; ++i) y[i] = record_.trajectory.values[i][point(k)];
    }

private:
    [[nodiscard]] std::size_t point(std::size_t k) const {
        return count_ < 2 ? 0 : k * (record_.trajectory.points() - 1) / (count_ - 1);
    }

    const simulation::Record& record_;
    std::size_t variables_, count_ = 0;
    const simulation::DenseSolution* dense_ = nullptr;
    bool complete_ = false;
};

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
}

std::vector<double> combined(const std::vector<double>& u, const linalg::Matrix& W) {
    std::vector<double> row(static_cast<std::size_t>(W.cols()));
    for (int j = 0; j < W.cols(); ++j) row[static_cast<std::size_t>(j)] = dot(u, W.column(j));
    return row;
}

bool decompose(Sample& s) {
    const linalg::SingularValues d = linalg::singular_values(s.W);
    if (!d.converged || d.values.empty()) return false;
    const int last = static_cast<int>(d.values.size()) - 1;
    s.sigma = d.values.back();
    const auto column = d.u.column(last);
    s.u.assign(column.begin(), column.end());
    return true;
}

std::string configuration(const std::vector<std::string>& names, const std::vector<std::size_t>& places,
                          std::span<const double> y) {
    constexpr std::size_t shown = 9;
    std::string text;
    for (std::size_t k = 0; k < names.size() && k < shown; ++k)
        text += fmt::format("{}{} = {:.5g}", k ? ", " : "", names[k], y[places[k]]);
    return names.size() > shown ? text + ", …" : text;
}

/// Unknowns of the forces that the dependent constraints leave open, as far as one combination names them.
std::string open_forces(MotionMeasures& measures, const Sample& s) {
    const std::vector<std::string> names = measures.undetermined_forces(s.t, s.y);
    std::string text;
    constexpr std::size_t shown = 6;
    for (std::size_t k = 0; k < names.size() && k < shown; ++k) text += (k ? ", " : "") + names[k];
    return names.size() > shown ? text + ", …" : text;
}

Diagnostic warning(MotionMeasures& measures, const Sample& at, bool ended) {
    const std::string forces = open_forces(measures, at);
    Diagnostic d = make_error(
        "change-point",
        fmt::format(
            "at t = {:.5g} the constraints of the mechanism depend on each other{}: a change point, beyond which "
            "it can move in more than one way; {}",
            at.t, forces.empty() ? "" : ", and do not determine " + forces,
            ended ? "the run ended there" : "the run went on as its velocities point"),
        "a mechanism that passes such a point by chance of its lengths is not determined by its joints alone: slightly "
        "other lengths, or a joint more, decide");
    d.severity = Severity::warning;
    d.notes.push_back({Severity::note,
                       "",
                       "there " + configuration(measures.position_names(), measures.position_places(), at.y),
                       std::nullopt,
                       "",
                       {}});
    return d;
}

/// Where on the straight line through two samples uᵀW = σ zᵀ, with singular vectors that vary smoothly, vanishes: as a
/// share of the way from one to the other. Nothing where it does not, or where the samples are too far apart to tell.
std::optional<double> zero(const Sample& a, const Sample& b) {
    constexpr double far = 0.7; // |change| of a row of length 1, about 40 degrees: turning may look like reversal
    constexpr double near =
        0.05; // of the change, past the zero: what straight lines between samples cannot tell from 0
    for (int i = 0; i < a.W.rows(); ++i) {
        double change = 0.0;
        for (int j = 0; j < a.W.cols(); ++j) change = std::hypot(change, b.W(i, j) - a.W(i, j));
        if (change > far) return std::nullopt;
    }
    const std::vector<double> then = combined(a.u, a.W);
    std::vector<double> now = combined(b.u, b.W);
    if (dot(a.u, b.u) < 0.0)
        for (double& component : now) component = -component;
    std::vector<double> step(now.size()), closest(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) step[k] = now[k] - then[k];
    const double share = -dot(then, step) / dot(step, step);
    for (std::size_t k = 0; k < now.size(); ++k) closest[k] = then[k] + share * step[k];
    const double way = std::max(1.0, std::abs(share));
    if (dot(closest, closest) > near * near * way * way * dot(step, step)) return std::nullopt;
    return share;
}

Sample on_line(const Sample& a, const Sample& b, double share) {
    Sample between;
    between.t = a.t + share * (b.t - a.t);
    for (std::size_t i = 0; i < b.y.size(); ++i) between.y.push_back(a.y[i] + share * (b.y[i] - a.y[i]));
    return between;
}

/// Where a run that ended was going: coordinates as their last two samples lead on, the zero by secants.
std::optional<Sample> ahead_of(MotionMeasures& measures, const Sample& a, const Sample& b) {
    constexpr int steps = 4;
    auto share = zero(a, b);
    for (int k = 0; k < steps && share && *share >= 1.0 && *share <= 1.0 + soon; ++k) {
        Sample there = on_line(a, b, *share);
        if (!measures.constraint_matrix(there.t, there.y, there.W) || !decompose(there)) return std::nullopt;
        const auto from_end = zero(b, there);
        if (!from_end) return there;
        share = 1.0 + *from_end * (*share - 1.0);
    }
    if (!share || !(*share >= 1.0 && *share <= 1.0 + soon)) return std::nullopt;
    return on_line(a, b, *share);
}

/// The first one in words, the others by their times.
void tell(MotionMeasures& measures, const Sample& at, bool ended, Diagnostics& found) {
    if (found.empty() || ended) return found.push_back(warning(measures, at, ended));
    Diagnostic& first = found.front();
    if (first.notes.size() == most)
        first.notes.push_back({Severity::note, "", "and others later", std::nullopt, "", {}});
    else if (first.notes.size() < most)
        first.notes.push_back(
            {Severity::note, "", fmt::format("another one at t = {:.5g}", at.t), std::nullopt, "", {}});
}

} // namespace

Diagnostics change_points(const simulation::Compilations& compilations, const SolveOptions& options,
                          const simulation::Record& record) {
    MotionMeasures measures(compilations, options);
    if (measures.constraints() == 0) return {};
    const Samples samples(record, compilations.model()->variables.size());
    const double each = std::pow(static_cast<double>(measures.constraints()), 2.0) * 20.0 * measures.velocities();
    const auto affordable = static_cast<std::size_t>(std::max(2.0, operations / each));
    const std::size_t stride = samples.count() / affordable + 1;
    Diagnostics found;
    Sample earlier, before, here;
    for (std::size_t k = 0; k < samples.count(); k += stride) {
        here.t = samples.time(k);
        samples.values(k, here.y);
        if (!measures.constraint_matrix(here.t, here.y, here.W) || !decompose(here)) return found;
        const bool first = before.u.empty();
        if (!first && std::abs(dot(before.u, here.u)) > same) {
            const auto share = zero(before, here);
            if (share && *share > 0.0 && *share < 1.0) tell(measures, on_line(before, here, *share), false, found);
        }
        earlier = std::move(before);
        before = here;
    }
    const bool ended = record.outcome == Outcome::ended || record.outcome == Outcome::failed;
    if (!ended || before.u.empty()) return found;
    const auto ahead = earlier.u.empty() ? std::nullopt : ahead_of(measures, earlier, before);
    if (ahead || before.sigma < flat) tell(measures, ahead ? *ahead : before, true, found);
    return found;
}

} // namespace daedalus::study
