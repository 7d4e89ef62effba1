#include "base/text_file.hpp"
#include "daedalus/modelica.hpp"
#include "facade/access.hpp"
#include "modelica/flat_text.hpp"
#include "modelica/format.hpp"
#include "modelica/read_modelica.hpp"

namespace daedalus {

Expected<std::string> flatten(const Model& model) { return modelica::flat_text(*model.impl().model); }

namespace {

/// `read` is given options that ask for counts.
template <class Read>
ModelCheck check(const CheckOptions& options, const Read& read) {
    std::vector<modelica::ClassBalance> balances;
    modelica::ReadOptions asked{.model = options.model_class, .libraries = options.libraries};
    asked.check_units = options.units;
    asked.balances = &balances;
    const Expected<model::Model> m = read(asked);
    ModelCheck result;
    for (const modelica::ClassBalance& b : balances)
        result.classes.push_back({b.class_name, b.component, b.components, b.unknowns, b.equations, !b.unclear});
    if (!m) {
        result.diagnostics = m.error();
        return result;
    }
    result.model = m->name;
    result.diagnostics = m->warnings;
    for (const model::Variable& v : m->variables) result.unknowns += v.is_input ? 0U : 1U;
    result.equations = m->equations.size();
    const bool square = result.unknowns == result.equations;
    for (const modelica::ClassBalance& b : balances) {
        if (b.balanced()) continue;
        Diagnostic found = modelica::unbalanced(b);
        if (square) found.severity = Severity::warning; // what one class lacks another one has
        result.diagnostics.push_back(std::move(found));
    }
    if (!square)
        result.diagnostics.push_back(make_error("not-square", "the model '" + m->name + "' has " +
                                                                  std::to_string(result.unknowns) +
                                                                  " unknowns that vary continuously, but " +
                                                                  std::to_string(result.equations) + " equations"));
    return result;
}

} // namespace

ModelCheck check_file(const std::string& path, const CheckOptions& options) {
    return check(options, [&](const auto& asked) { return modelica::read_modelica_file(path, asked); });
}
ModelCheck check_text(const std::string& text, const std::string& file_name, const CheckOptions& options) {
    return check(options, [&](const auto& asked) {
        return modelica::read_modelica(std::make_shared<const SourceFile>(file_name, text), asked);
    });
}
ModelCheck check_class(const std::string& class_name, const CheckOptions& options) {
    return check(options, [&](const auto& asked) { return modelica::read_modelica_class(class_name, asked); });
}

Expected<std::string> format_modelica(const std::string& text, const std::string& file_name) {
    return modelica::format(SourceFile(file_name, text));
}

} // namespace daedalus
