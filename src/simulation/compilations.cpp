#include "simulation/compilations.hpp"

#include "compile/renumber.hpp"
#include "simulation/extend_model.hpp"

namespace daedalus::simulation {

Expected<compile::CompiledModel> Compilations::get(const compile::CompileOptions& options) const {
    const auto shape = compile::shape_of(*model_, options);
    if (!shape) return Unexpected{shape.error()};
    std::shared_ptr<const compile::CompiledModel> known;
    {
        const std::lock_guard lock(mutex_);
        if (const auto it = by_shape_.find(*shape); it != by_shape_.end()) known = it->second;
    }
    if (known) {
        auto same = compile::renumber(*known, options);
        if (!same) return Unexpected{std::move(same.error())};
        if (*same) return **std::move(same);
    }
    auto compiled = compile::compile(model_, options);
    if (!compiled) return compiled;
    const std::lock_guard lock(mutex_);
    by_shape_.emplace(*shape, std::make_shared<const compile::CompiledModel>(*compiled));
    return compiled;
}

Expected<std::shared_ptr<const Compilations>> Compilations::extended(const SolveOptions& options) const {
    std::string key;
    for (const std::string& condition : options.stop_when) key += "stop " + condition + "\n";
    for (const auto& [name, expression] : options.integrals) key += "integral " + name + " = " + expression + "\n";
    if (key.empty()) return std::shared_ptr<const Compilations>(std::shared_ptr<void>(), this);
    const std::lock_guard lock(mutex_);
    if (const auto it = extended_.find(key); it != extended_.end()) return it->second;
    auto model = extend_model(model_, options);
    if (!model) return Unexpected{std::move(model.error())};
    auto made = std::make_shared<const Compilations>(*std::move(model));
    extended_.emplace(std::move(key), made);
    return made;
}

} // namespace daedalus::simulation
