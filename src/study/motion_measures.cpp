#include "study/motion_measures.hpp"

#include "integrate/methods/registry.hpp"
#include "problem/mechanical_structure.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace daedalus::study {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Any method that works with the parts of the equations of motion: its compilations offer them.
std::string method_for_mechanisms() {
    for (const integrate::Method& m : integrate::methods())
        if (m.can.mechanics == integrate::MechanicalLevel::velocity && !m.can.constant_steps_only) return m.name;
    return {};
}

std::string last_part(const std::string& name) {
    std::string part = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
    std::transform(part.begin(), part.end(), part.begin(), [](unsigned char c) { return std::tolower(c); });
    return part;
}

} // namespace

MotionMeasures::MotionMeasures(const simulation::Compilations& compilations, const SolveOptions& options,
                               EnergyFunction described)
    : described_(std::move(described)) {
    SolveOptions o = options;
    o.method = method_for_mechanisms();
    o.reduction = Reduction::automatic;
    simulation::Record record;
    auto prepared = simulation::prepare(compilations, o, record, {.detail = simulation::Detail::numbers});
    std::vector<std::string> names;
    for (const model::Variable& v : compilations.model()->variables) names.push_back(v.name);
    if (prepared && !(*prepared)->compiled.problem.facet<problem::MechanicalStructure>().empty()) {
        prepared_ = *std::move(prepared);
        find_places(names);
    }
    find_energy(*compilations.model());
}

const problem::MechanicalStructure& MotionMeasures::parts() const {
    return prepared_->compiled.problem.facet<problem::MechanicalStructure>();
}

bool MotionMeasures::hamiltonian() const {
    return is_mechanism() && prepared_->compiled.problem.facet<problem::Hamiltonian>().present;
}

std::vector<std::string> MotionMeasures::position_names() const {
    std::vector<std::string> names;
    if (is_mechanism())
        for (const int unknown : parts().y) names.push_back(prepared_->compiled.problem.names().variable(unknown));
    return names;
}

void MotionMeasures::find_places(const std::vector<std::string>& names) {
    const auto place = [&](int unknown, std::vector<std::size_t>& list) {
        const auto at = std::find(names.begin(), names.end(), prepared_->compiled.problem.names().variable(unknown));
        if (at != names.end()) list.push_back(static_cast<std::size_t>(at - names.begin()));
        return at != names.end();
    };
    positions_known_ = velocities_known_ = true;
    for (const int unknown : parts().y) positions_known_ = place(unknown, of_y_) && positions_known_;
    for (const int unknown : parts().v) velocities_known_ = place(unknown, of_v_) && velocities_known_;
    y_.resize(static_cast<std::size_t>(parts().positions));
    v_.resize(static_cast<std::size_t>(parts().velocities));
    position_size_.assign(static_cast<std::size_t>(parts().holonomic), 0.0);
    velocity_size_.assign(static_cast<std::size_t>(parts().constraints), 0.0);
    dynamics_.resize(static_cast<std::size_t>(parts().matrix.nonzeros()) + v_.size() + velocity_size_.size());
}

void MotionMeasures::find_energy(const model::Model& model) {
    std::optional<std::size_t> total, kinetic, potential;
    for (std::size_t k = 0; k < model.variables.size(); ++k) {
        const std::string part = last_part(model.variables[k].name);
        if ((part == "energy" || part == "total_energy") && !total) total = k;
        if (part == "kinetic_energy" && !kinetic) kinetic = k;
        if (part == "potential_energy" && !potential) potential = k;
    }
    if (described_) {
        energy_ = "kinetic energy of the bodies, with the potential of gravity and springs";
    } else if (total) {
        named_energy_ = {*total};
        energy_ = "the variable " + model.variables[*total].name;
    } else if (kinetic && potential) {
        named_energy_ = {*kinetic, *potential};
        energy_ = "the variables " + model.variables[*kinetic].name + " + " + model.variables[*potential].name;
    } else if (is_mechanism() && prepared_->compiled.problem.facet<problem::Hamiltonian>().separable &&
               parts().identity_kinematics && positions_known_ && velocities_known_) {
        by_forces_ = true;
        energy_ = "kinetic energy of the recognised masses and the potential of the forces";
    }
}

bool MotionMeasures::gather(std::span<const double> y) {
    if (!is_mechanism() || !positions_known_) return false;
    for (std::size_t k = 0; k < y_.size(); ++k) y_[k] = y[of_y_[k]];
    for (std::size_t k = 0; k < v_.size() && velocities_known_; ++k) v_[k] = y[of_v_[k]];
    return true;
}

/// g_i and w_i change by about |∂g_i/∂y| |δy| where variables change by their own size; differences will do.
void MotionMeasures::learn(double t, std::span<const double> y, std::span<const double> scale) {
    constexpr double small = 1e-6;
    if (!gather(y)) return;
    const problem::MechanicalStructure& p = parts();
    const problem::Call call = prepared_->compiled.problem.call();
    const auto measure = [&](std::vector<double>& sizes, const auto& evaluate) {
        std::vector<double> base(sizes.size()), moved(sizes.size()), sum(sizes.size(), 0.0);
        if (sizes.empty() || evaluate(base.data()) != problem::EvalStatus::ok) return;
        const auto move = [&](std::vector<double>& values, const std::vector<std::size_t>& places) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                const double kept = values[k], by = small * scale[places[k]];
                values[k] += by;
                if (by > 0.0 && evaluate(moved.data()) == problem::EvalStatus::ok)
                    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::abs(moved[i] - base[i]) / small;
                values[k] = kept;
            }
        };
        move(y_, of_y_);
        if (velocities_known_) move(v_, of_v_);
        for (std::size_t i = 0; i < sum.size(); ++i) sizes[i] = std::max(sizes[i], sum[i]);
    };
    measure(position_size_, [&](double* g) { return p.position(call, t, y_.data(), g); });
    if (velocities_known_)
        measure(velocity_size_, [&](double* w) { return p.velocity(call, t, y_.data(), v_.data(), w); });
}

double MotionMeasures::violation(double t, bool of_positions) {
    const problem::MechanicalStructure& p = parts();
    const problem::Call call = prepared_->compiled.problem.call();
    const std::vector<double>& sizes = of_positions ? position_size_ : velocity_size_;
    if (sizes.empty()) return none;
    result_.resize(sizes.size());
    const auto status = of_positions ? p.position(call, t, y_.data(), result_.data())
                                     : p.velocity(call, t, y_.data(), v_.data(), result_.data());
    if (status != problem::EvalStatus::ok) return none;
    double worst = 0.0;
    for (std::size_t i = 0; i < sizes.size(); ++i)
        worst = std::max(worst, std::abs(result_[i]) / (sizes[i] > 0.0 ? sizes[i] : 1.0));
    return worst;
}

/// W, or Lᵀ, of the matrices that are in `dynamics_`; columns divided by the roots of the masses.
void MotionMeasures::block(bool lower, linalg::Matrix& result) const {
    const SparsityPattern& pattern = parts().matrix;
    const auto n = static_cast<int>(v_.size());
    const int m = parts().constraints;
    std::vector<double> mass(v_.size(), 0.0);
    result = linalg::Matrix(m, n);
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[static_cast<std::size_t>(j)];
             k < pattern.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const int i = pattern.row_index[static_cast<std::size_t>(k)];
            const double value = dynamics_[static_cast<std::size_t>(k)];
            if (i == j && i < n) mass[static_cast<std::size_t>(i)] = std::abs(value);
            if (lower && i >= n && j < n) result(i - n, j) = value;
            if (!lower && i < n && j >= n) result(j - n, i) = value;
        }
    for (int j = 0; j < n; ++j)
        if (const double root = std::sqrt(mass[static_cast<std::size_t>(j)]); root > 0.0)
            for (int i = 0; i < m; ++i) result(i, j) /= root;
    for (int i = 0; i < m; ++i) {
        double length = 0.0;
        for (int j = 0; j < n; ++j) length = std::hypot(length, result(i, j));
        for (int j = 0; j < n && length > 0.0; ++j) result(i, j) /= length;
    }
}

bool MotionMeasures::constraint_matrix(double t, std::span<const double> y,
                                       linalg::Matrix& W) { // NOLINT(readability-identifier-naming)
    if (!gather(y) ||
        parts().matrices(prepared_->compiled.problem.call(), t, y_.data(), dynamics_.data()) != problem::EvalStatus::ok)
        return false;
    block(true, W);
    return std::all_of(W.entries().begin(), W.entries().end(), [](double x) { return std::isfinite(x); });
}

std::vector<std::string> MotionMeasures::undetermined_forces(double t, std::span<const double> y) {
    constexpr double visible = 0.05; // of the largest component
    linalg::Matrix forces;
    std::vector<std::string> names;
    if (!constraint_matrix(t, y, forces)) return names;
    block(false, forces); // the multipliers of its dependent rows
    const linalg::SingularValues d = linalg::singular_values(forces);
    if (!d.converged || d.values.empty()) return names;
    const auto u = d.u.column(static_cast<int>(d.values.size()) - 1);
    double largest = 0.0;
    for (const double component : u) largest = std::max(largest, std::abs(component));
    for (std::size_t k = 0; k < u.size(); ++k)
        if (std::abs(u[k]) > visible * largest)
            names.push_back(prepared_->compiled.problem.names().variable(parts().lambda[k]));
    return names;
}

double MotionMeasures::kinetic_energy(double t) {
    const problem::MechanicalStructure& p = parts();
    if (p.dynamics(prepared_->compiled.problem.call(), t, y_.data(), v_.data(), dynamics_.data()) !=
        problem::EvalStatus::ok)
        return none;
    double twice = 0.0;
    for (std::size_t j = 0; j < v_.size(); ++j)
        for (auto k = static_cast<std::size_t>(p.matrix.column_start[j]);
             k < static_cast<std::size_t>(p.matrix.column_start[j + 1]); ++k) {
            const auto i = static_cast<std::size_t>(p.matrix.row_index[k]);
            if (i < v_.size()) twice += v_[i] * dynamics_[k] * v_[j];
        }
    return 0.5 * twice;
}

void MotionMeasures::force_at(double t, std::span<const double> position, std::vector<double>& force) {
    const problem::MechanicalStructure& p = parts();
    const auto status = p.dynamics(prepared_->compiled.problem.call(), t, position.data(), v_.data(), dynamics_.data());
    const double* f = dynamics_.data() + p.matrix.nonzeros();
    force.assign(f, f + v_.size());
    if (status != problem::EvalStatus::ok) std::fill(force.begin(), force.end(), none);
}

/// H = T + U with f = -U_q, HW (2.14): the potential between the reference and a point beside it is an integral along
/// the straight line from one to the other (two points of Gauss, exact to third degree).
double MotionMeasures::energy_difference(double t, std::span<const double> y, std::span<const double> reference) {
    if (described_) return described_(t, y) - described_(t, reference);
    if (!named_energy_.empty()) {
        double difference = 0.0;
        for (const std::size_t k : named_energy_) difference += y[k] - reference[k];
        return difference;
    }
    if (!by_forces_ || !gather(reference)) return none;
    const double before = kinetic_energy(t);
    other_y_ = y_;
    (void)gather(y);
    double difference = kinetic_energy(t) - before;
    between_.resize(y_.size());
    for (const double share : {0.5 - 0.5 / std::sqrt(3.0), 0.5 + 0.5 / std::sqrt(3.0)}) {
        for (std::size_t k = 0; k < y_.size(); ++k) between_[k] = other_y_[k] + share * (y_[k] - other_y_[k]);
        force_at(t, between_, force_);
        for (std::size_t k = 0; k < y_.size(); ++k) difference -= 0.5 * force_[k] * (y_[k] - other_y_[k]);
    }
    return difference;
}

MotionMeasures::Reading MotionMeasures::read(double t, std::span<const double> y, std::span<const double> reference) {
    Reading reading{none, none, energy_difference(t, y, reference)};
    if (!gather(y)) return reading;
    reading.position = violation(t, true);
    if (velocities_known_) reading.velocity = violation(t, false);
    return reading;
}

} // namespace daedalus::study
