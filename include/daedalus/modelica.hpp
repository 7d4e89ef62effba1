// What can be done with a Modelica text without solving it: flat text, a check, one style.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/model.hpp"

#include <string>
#include <vector>

namespace daedalus {

/// The model as flat Modelica text: no classes, no arrays, no connections; it reads back to the same model. Fails where
/// something has no such text (loops whose end depends on variables, clocked equations).
[[nodiscard]] Expected<std::string> flatten(const Model& model);

/// How many unknowns a class declares and how many equations it has; flows and inputs of its connectors count as
/// determined from outside.
struct ClassCount {
    std::string class_name;
    std::string component; ///< the first one of it; empty: the model itself
    int components = 1;
    int unknowns = 0;
    int equations = 0;
    bool counted = true; ///< not where overdetermined or expandable connectors belong to no class alone
};

struct ModelCheck {
    std::string model; ///< its name, if it could be read
    std::vector<ClassCount> classes;
    std::size_t unknowns = 0;
    std::size_t equations = 0;
    Diagnostics diagnostics; ///< everything that is wrong, and warnings

    [[nodiscard]] bool passed() const { return !has_errors(diagnostics); }
};

struct CheckOptions {
    std::string model_class; ///< which model of the file; empty: the last one
    std::vector<std::string> libraries;
    bool units = false; ///< compare units, too
};

/// Reads, instantiates and counts, and reports everything; nothing is solved.
[[nodiscard]] ModelCheck check_file(const std::string& path, const CheckOptions& options = {});
[[nodiscard]] ModelCheck check_text(const std::string& text, const std::string& file_name,
                                    const CheckOptions& options = {});
/// A class of the libraries, by its full name.
[[nodiscard]] ModelCheck check_class(const std::string& class_name, const CheckOptions& options = {});

/// Modelica text in one style: indentation and blanks follow from the words, lines and comments stay.
[[nodiscard]] Expected<std::string> format_modelica(const std::string& text, const std::string& file_name = "text");

} // namespace daedalus
