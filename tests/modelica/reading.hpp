// Helpers of the front-end tests: read a text, print what came of it.
#pragma once

#include "modelica/read_modelica.hpp"

#include <memory>
#include <string>

namespace daedalus::modelica {

inline Expected<model::Model> read_text(const std::string& text, const ReadOptions& options = {}) {
    return read_modelica(std::make_shared<const SourceFile>("m.mo", text), options);
}

/// All messages as the user sees them; empty if the model was read.
inline std::string messages(const std::string& text) {
    const auto model = read_text(text);
    return model ? std::string{} : render(model.error());
}

/// A model around declarations and equations.
inline std::string around(const std::string& declarations, const std::string& equations) {
    return "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n";
}

/// The equations of the model in one string, "a = b; c = d", or the messages.
inline std::string equations_of(const std::string& text) {
    const auto model = read_text(text);
    if (!model) return render(model.error());
    std::string out;
    for (const model::Equation& e : model->equations) out += (out.empty() ? "" : "; ") + model->text(e);
    return out;
}

} // namespace daedalus::modelica
