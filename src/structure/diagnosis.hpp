// What is wrong with a structurally singular system, as integers from which sentences are made.
// For a free equation e of a maximum matching, the equations E on alternating paths from e contain only |E| − 1
// variables V: they cannot hold independently. Every proper subset of E can be matched (flip the path from e to the one
// left out), so E is a minimal structurally singular subset in the sense of Pantelides (1988): one of its equations is
// too many, any of them. The transposed statement holds for a free variable.
#pragma once

#include "structure/dulmage_mendelsohn.hpp"
#include "structure/incidence.hpp"

#include <vector>

namespace daedalus::structure {

struct StructuralDiagnosis {
    int equations = 0;
    int variables = 0;
    DulmageMendelsohn parts;

    /// One per surplus equation (at most 64), smallest first: |equations| = |variables| + 1.
    std::vector<Part> surplus_equations;
    /// One per surplus variable (at most 64), smallest first: |variables| = |equations| + 1.
    std::vector<Part> surplus_variables;
    std::vector<int> variables_in_no_equation;
    std::vector<int> equations_without_variable;
    /// Groups of over-determined equations with the same variables in the same orders: probably written twice.
    std::vector<std::vector<int>> equations_alike;

    [[nodiscard]] int surplus_equation_count() const { return equations - parts.matching.size; }
    [[nodiscard]] int surplus_variable_count() const { return variables - parts.matching.size; }
    [[nodiscard]] bool regular() const { return parts.structurally_regular(); }
};

[[nodiscard]] StructuralDiagnosis diagnose(const SignatureMatrix& sigma);

} // namespace daedalus::structure
