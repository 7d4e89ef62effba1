#include "facade/analysis_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus::facade {

namespace {

std::string hiding_combinations(const Analysis& a) {
    std::string list;
    for (const AnalyzedEquation& e : a.equations)
        if (!e.replaced_by.empty() && list.size() < 300) list += (list.empty() ? "" : "; ") + e.replaced_by;
    return list.empty() ? a.cancellation : list;
}

/// "structural, differentiation and tractability", those that were computed on their own.
std::string independent(const Analysis& a) {
    std::vector<std::string> names{"structural"};
    const auto add = [&](const char* name, const IndexFinding& f) {
        if (f.value && !f.inferred) names.emplace_back(name);
    };
    add("differentiation", a.differentiation_index);
    add("tractability", a.tractability_index);
    add("perturbation", a.perturbation_index);
    std::string text;
    for (std::size_t k = 0; k < names.size(); ++k)
        text += (k == 0 ? "" : k + 1 == names.size() ? " and " : ", ") + names[k];
    return text;
}

void compare(Analysis& a) {
    a.structural_index_reason = "signature method: the largest index of a variable";
    if (!a.structure_reliable)
        a.structural_index_reason = "signature method, but its system Jacobian is singular: not to be trusted";
    else if (a.repaired_index)
        a.structural_index_reason =
            fmt::format("signature method on the equations as written, whose system Jacobian is singular: not to be "
                        "trusted; {} when a combination of equations takes the place of one",
                        *a.repaired_index);
    const auto& nu = a.differentiation_index.value;
    if (!nu) {
        a.agreement = "structure alone: " + a.differentiation_index.reason;
        return;
    }
    std::string differ;
    const std::string combinations = hiding_combinations(a);
    if (*nu != a.structural_index)
        differ += fmt::format(
            "The structural index is {} but the differentiation index is {}: structure counts which derivatives occur, "
            "not whether they cancel.{} ",
            a.structural_index, *nu,
            combinations.empty()
                ? " No combination of equations loses them: a factor of a derivative vanishes along the "
                  "solution."
                : fmt::format(" They cancel in the combination {}.{}", combinations,
                              a.repaired_index == nu ? " With it in the place of one of them, structure agrees." : ""));
    else if (!combinations.empty())
        differ += fmt::format("The equations as written mislead structure: leading derivatives cancel in {}. With that "
                              "combination in their place all agree. ",
                              combinations);
    if (a.tractability_index.value && *a.tractability_index.value != *nu)
        differ += fmt::format("The tractability index is {}, the differentiation index {}: the chain sees the "
                              "linearisation at the start only, where terms may vanish. ",
                              *a.tractability_index.value, *nu);
    // Kunkel & Mehrmann 2006, theorem 3.50: one less for a square system with constraints.
    if (a.strangeness_index.value && *a.strangeness_index.value != std::max(0, *nu - 1))
        differ += fmt::format("The strangeness index is {}, where index {} makes one expect {}. ",
                              *a.strangeness_index.value, *nu, std::max(0, *nu - 1));
    if (a.perturbation_index.value && *a.perturbation_index.value != *nu)
        differ += fmt::format(
            "The perturbation index is {}, the differentiation index {}: a perturbation makes terms that vanish on the "
            "solution take part, and they need more derivatives of it (HW (1.31), (1.32)). ",
            *a.perturbation_index.value, *nu);
    if (a.array_degrees_of_freedom && *a.array_degrees_of_freedom != a.degrees_of_freedom)
        differ += fmt::format("Structure counts {} degrees of freedom, derivative arrays {}. ", a.degrees_of_freedom,
                              *a.array_degrees_of_freedom);
    if (!differ.empty()) differ.pop_back();
    a.agreement =
        differ.empty() ? fmt::format("{} index, each found in its own way, agree: {}", independent(a), *nu) : differ;
    if (*nu != a.structural_index) a.warnings.push_back(a.agreement);
}

void recommend(Analysis& a) {
    const int by_structure = a.repaired_index.value_or(a.structural_index);
    const int nu = a.differentiation_index.value.value_or(by_structure);
    const bool misled = a.differentiation_index.value && *a.differentiation_index.value != by_structure;
    if (!a.structure_reliable || (misled && *a.differentiation_index.value > by_structure))
        a.recommendation = "do not rely on structure here: solve with --reduce derivative-array";
    else if (misled)
        a.recommendation = fmt::format("structure differentiates more often than index {} needs; the default works, "
                                       "--reduce derivative-array is the smaller system",
                                       nu);
    else if (nu <= 1)
        a.recommendation = "integrate the equations as written (the default)";
    else
        a.recommendation =
            fmt::format("index {}: let dummy derivatives reduce it (the default); --reduce projection or ggl keep all "
                        "variables as states",
                        nu);
    if (!misled && by_structure != a.structural_index)
        a.recommendation += ". Equations are combined for that, since structure misleads as they are written; --reduce "
                            "derivative-array does without structure";
    if (!a.conditioning.advice.empty()) a.recommendation += ". " + a.conditioning.advice;
    if (a.perturbation_index.value && *a.perturbation_index.value > nu)
        a.recommendation += fmt::format(". Small fast perturbations are amplified as in index {}: keep inputs smooth",
                                        *a.perturbation_index.value);
}

} // namespace

void explain_numbers(Analysis& a) {
    compare(a);
    recommend(a);
}

} // namespace daedalus::facade
