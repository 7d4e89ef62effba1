// What a mechanism does, for the page that shows it moving: its scene evaluated along a solution.
#pragma once

#include "daedalus/options.hpp"
#include "mechanics/scene.hpp"
#include "model/model.hpp"
#include "output/scene.hpp"
#include "output/trajectory.hpp"
#include "simulation/compilations.hpp"
#include "simulation/record.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace daedalus::facade {

/// How a solution came by what can be seen: bodies of a mechanism, or points whose coordinates have names like x and y.
struct Visible {
    std::shared_ptr<const mechanics::Scene> scene;
    std::shared_ptr<const model::Model> model;
    std::vector<double> parameters;
};

/// The motion of a model that was solved with these options, found when somebody asks for it. `scene` null: points are
/// looked for.
using Show = std::function<output::Scene(const output::Trajectory&)>;
[[nodiscard]] Show show(std::shared_ptr<const mechanics::Scene> scene, std::shared_ptr<const model::Model> model,
                        const SolveOptions& options);

/// Empty where the trajectory lacks a variable that positions depend on.
[[nodiscard]] output::Scene motion(const Visible& visible, const output::Trajectory& trajectory);

/// Kinetic and potential energy from the model's variables; empty where the scene has none.
[[nodiscard]] std::function<double(double t, std::span<const double> y)> energy_of(const Visible& visible);

/// Warnings about change points go to the record of a mechanism with closed loops. `scene` null: none.
void look_for_change_points(const mechanics::Scene* scene, const simulation::Compilations& compilations,
                            const SolveOptions& options, simulation::Record& record);

/// Points of a model that has coordinates of points among these variables, or null: "x" and "y", "p.x" and "p.y", "x1"
/// and "y1", in space with z.
[[nodiscard]] std::shared_ptr<const mechanics::Scene> points_of(const model::Model& model,
                                                                const std::vector<std::string>& positions);

} // namespace daedalus::facade
