// A model with the compilations that its runs need. One is made for each shape that options can have (formulation,
// which start values are given, …); runs that differ in numbers only share it. May be used by several threads at once.
#pragma once

#include "base/expected.hpp"
#include "compile/compile.hpp"
#include "compile/structural_modes.hpp"
#include "daedalus/options.hpp"
#include "model/model.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace daedalus::simulation {

class Compilations {
public:
    /// Whether compilations are kept for later runs. One run gets its own, which is half the memory of a large model.
    enum class For { many_runs, one_run };
    /// Of a model that nobody changes any more.
    explicit Compilations(std::shared_ptr<const model::Model> model, For use = For::many_runs)
        : model_(std::move(model)), use_(use) {}
    /// A model that one run has to itself: it is compiled where it is, without a copy.
    struct Own {
        std::shared_ptr<model::Model> model;
    };
    explicit Compilations(Own own) : model_(own.model), use_(For::one_run), own_(std::move(own.model)) {}

    [[nodiscard]] const std::shared_ptr<const model::Model>& model() const { return model_; }
    /// The model compiled for a run of its own.
    [[nodiscard]] Expected<compile::CompiledModel> get(const compile::CompileOptions& options) const;
    /// Compiles for options of this shape, unless that was done before.
    [[nodiscard]] Diagnostics ensure(const compile::CompileOptions& options) const;
    /// Those of the model with the stop conditions and integrals of the options.
    [[nodiscard]] Expected<std::shared_ptr<const Compilations>> extended(const SolveOptions& options) const;
    /// Conditions that decide the structure (structural_modes.hpp); usually none.
    [[nodiscard]] const std::vector<model::NodeId>& structural_conditions() const;
    /// Those of the model in the mode in which structural condition k is truth[k].
    [[nodiscard]] std::shared_ptr<const Compilations> in_mode(const std::vector<bool>& truth,
                                                              compile::Beginning beginning) const;

private:
    [[nodiscard]] Diagnostics with_classes(Diagnostics errors) const;
    [[nodiscard]] std::shared_ptr<const compile::CompiledModel> find(const std::string& shape) const;
    [[nodiscard]] Expected<std::shared_ptr<const compile::CompiledModel>> make(const std::string& shape,
                                                                               const compile::CompileOptions& o) const;

    /// The model for a compilation to build in.
    [[nodiscard]] std::shared_ptr<const model::Model> to_build_in() const;

    std::shared_ptr<const model::Model> model_;
    For use_;
    mutable std::shared_ptr<model::Model> own_; ///< until it is compiled
    mutable std::mutex mutex_;
    mutable std::map<std::string, std::shared_ptr<const compile::CompiledModel>> by_shape_;
    mutable std::map<std::string, std::shared_ptr<const Compilations>> extended_;
    mutable std::once_flag structure_once_;
    mutable std::vector<model::NodeId> conditions_;
    mutable std::map<std::pair<std::vector<bool>, compile::Beginning>, std::shared_ptr<const Compilations>> modes_;
};

} // namespace daedalus::simulation
