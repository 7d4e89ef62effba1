// How well a run keeps what a mechanism keeps: its constraints on positions and velocities, HW (2.4a,b), and its
// energy. All is evaluated from the model's own variables, so that every formulation is judged by the same functions.
#pragma once

#include "daedalus/options.hpp"
#include "linalg/singular_values.hpp"
#include "simulation/solve_model.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::study {

/// The energy that a description of the model knows, from its variables.
using EnergyFunction = std::function<double(double t, std::span<const double> y)>;

class MotionMeasures {
public:
    /// Of a model with these options; what of it can be measured depends on whether it is a mechanism.
    MotionMeasures(const simulation::Compilations& compilations, const SolveOptions& options,
                   EnergyFunction described = {});

    [[nodiscard]] bool is_mechanism() const { return prepared_ != nullptr; }
    [[nodiscard]] int constraints() const { return is_mechanism() ? parts().constraints : 0; }
    [[nodiscard]] bool hamiltonian() const;
    [[nodiscard]] int velocities() const { return is_mechanism() ? parts().velocities : 0; }
    /// Variables of the model that are positions, and where they are among its variables (if all of them are).
    [[nodiscard]] std::vector<std::string> position_names() const;
    [[nodiscard]] const std::vector<std::size_t>& position_places() const { return of_y_; }
    /// W = ∂w/∂v in the metric of the masses, rows of length 1. False: it has no value.
    [[nodiscard]] bool constraint_matrix(double t, std::span<const double> y,
                                         linalg::Matrix& W); // NOLINT(readability-identifier-naming)
    /// Multipliers that no force depends on at this point, as a combination of them.
    [[nodiscard]] std::vector<std::string> undetermined_forces(double t, std::span<const double> y);
    /// Where the energy comes from, in words; empty: there is none.
    [[nodiscard]] const std::string& energy() const { return energy_; }

    /// Sizes of constraints, from points of a solution: `scale` is that of each variable.
    void learn(double t, std::span<const double> y, std::span<const double> scale);

    /// NaN where there is nothing to measure. Constraints are in units of what errors of the size of `scale` make of
    /// them; the energy is less that of the reference, in the model's own units.
    struct Reading {
        double position, velocity, energy;
    };
    [[nodiscard]] Reading read(double t, std::span<const double> y, std::span<const double> reference);

private:
    [[nodiscard]] const problem::MechanicalStructure& parts() const;
    void find_places(const std::vector<std::string>& names);
    void find_energy(const model::Model& model);
    /// A block of [M L; W 0], scaled by the masses of its velocities.
    void block(bool lower, linalg::Matrix& result) const;
    [[nodiscard]] bool gather(std::span<const double> y);
    [[nodiscard]] double violation(double t, bool of_positions);
    [[nodiscard]] double energy_difference(double t, std::span<const double> y, std::span<const double> reference);
    [[nodiscard]] double kinetic_energy(double t);
    void force_at(double t, std::span<const double> position, std::vector<double>& force);

    std::unique_ptr<simulation::Prepared> prepared_; ///< null: no mechanism
    std::vector<std::size_t> of_y_, of_v_;           ///< variables of the model that they are
    bool positions_known_ = false, velocities_known_ = false;
    EnergyFunction described_;
    std::vector<std::size_t> named_energy_; ///< variables whose sum is the energy
    bool by_forces_ = false;
    std::string energy_;
    std::vector<double> y_, v_, result_, position_size_, velocity_size_, dynamics_, other_y_, between_, force_;
};

} // namespace daedalus::study
