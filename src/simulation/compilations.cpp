#include "simulation/compilations.hpp"

#include "compile/renumber.hpp"
#include "simulation/extend_model.hpp"
#include "simulation/input_signals.hpp"
#include "simulation/private_copy.hpp"

#include <utility>

namespace daedalus::simulation {

std::shared_ptr<const compile::CompiledModel> Compilations::find(const std::string& shape) const {
    const std::lock_guard lock(mutex_);
    const auto it = by_shape_.find(shape);
    return it == by_shape_.end() ? nullptr : it->second;
}

// Two threads may compile the same shape at the same time: the first one to finish is kept.
Expected<std::shared_ptr<const compile::CompiledModel>> Compilations::make(const std::string& shape,
                                                                           const compile::CompileOptions& o) const {
    auto compiled = compile::compile(private_copy(*model_), o);
    if (!compiled) return Unexpected{std::move(compiled.error())};
    auto made = std::make_shared<const compile::CompiledModel>(*std::move(compiled));
    const std::lock_guard lock(mutex_);
    by_shape_.emplace(shape, made);
    return made;
}

Diagnostics Compilations::ensure(const compile::CompileOptions& options) const {
    const auto shape = compile::shape_of(*model_, options);
    if (!shape) return shape.error();
    if (find(*shape)) return {};
    auto made = make(*shape, options);
    return made ? Diagnostics{} : std::move(made.error());
}

/// Where equations and unknowns do not match, the class that has too few or too many says most: it comes first.
Diagnostics Compilations::with_classes(Diagnostics errors) const {
    Diagnostics all;
    for (const Diagnostic& warning : model_->warnings)
        if (warning.code == "unbalanced-class" && all.size() < 5) {
            all.push_back(warning);
            all.back().severity = Severity::error;
        }
    all.insert(all.end(), errors.begin(), errors.end());
    return all;
}

/// What the first compilation makes in the model's own graph, later ones do not see.
std::shared_ptr<const model::Model> Compilations::to_build_in() const {
    if (!own_) return private_copy(*model_);
    own_->as_read = own_->graph->extent();
    return std::exchange(own_, nullptr);
}

Expected<compile::CompiledModel> Compilations::get(const compile::CompileOptions& options) const {
    const auto shape = compile::shape_of(*model_, options);
    if (!shape) return Unexpected{shape.error()};
    if (const auto known = find(*shape)) {
        auto same = compile::renumber(*known, options);
        if (!same) return Unexpected{std::move(same.error())};
        if (*same) return **std::move(same);
    }
    if (use_ == For::one_run) {
        compile::CompileOptions how = options;
        how.for_one_run = true;
        auto made = compile::compile(to_build_in(), how);
        if (!made) return Unexpected{with_classes(std::move(made.error()))};
        made->model->graph->rest();
        return made;
    }
    auto made = make(*shape, options);
    if (!made) return Unexpected{with_classes(std::move(made.error()))};
    return **made;
}

Expected<std::shared_ptr<const Compilations>> Compilations::extended(const SolveOptions& options) const {
    std::string key;
    for (const std::string& condition : options.stop_when) key += "stop " + condition + "\n";
    for (const auto& [name, expression] : options.integrals) key += "integral " + name + " = " + expression + "\n";
    for (const Input& input : options.inputs) key += text_key(input);
    if (key.empty()) return std::shared_ptr<const Compilations>(std::shared_ptr<void>(), this);
    const std::lock_guard lock(mutex_);
    if (const auto it = extended_.find(key); it != extended_.end()) return it->second;
    auto model = extend_model(*model_, options);
    if (!model) return Unexpected{std::move(model.error())};
    auto made = use_ == For::one_run ? std::make_shared<const Compilations>(Own{*std::move(model)})
                                     : std::make_shared<const Compilations>(*std::move(model), use_);
    extended_.emplace(std::move(key), made);
    return made;
}

const std::vector<model::NodeId>& Compilations::structural_conditions() const {
    std::call_once(structure_once_, [this] { conditions_ = compile::structural_conditions(*model_); });
    return conditions_;
}

std::shared_ptr<const Compilations> Compilations::in_mode(const std::vector<bool>& truth,
                                                          compile::Beginning beginning) const {
    const std::vector<model::NodeId>& conditions = structural_conditions();
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Compilations>& mode = modes_[{truth, beginning}];
    if (!mode)
        mode = std::make_shared<const Compilations>(compile::model_in_mode(*model_, conditions, truth, beginning));
    return mode;
}

} // namespace daedalus::simulation
