// The numerical part of an analysis, as text and as JSON.
#include "facade/analysis_numbers.hpp"

#include <fmt/format.h>

namespace daedalus::facade {

namespace {

std::string line(const char* name, const IndexFinding& f, const output::Paint& paint) {
    return fmt::format("  {:<19} {}  {}\n", name, f.value ? std::to_string(*f.value) : "–",
                       paint.dim((f.inferred ? "inferred: " : "") + f.reason));
}

void write_finding(output::JsonWriter& json, const std::string& key, const IndexFinding& f) {
    json.key(key);
    if (f.value)
        json.value(*f.value);
    else
        json.null();
    json.field(key + "_reason", f.reason);
    if (f.value) json.field(key + "_inferred", f.inferred);
}

void write_optional(output::JsonWriter& json, const char* key, const std::optional<double>& value) {
    json.key(key);
    if (value)
        json.value(*value);
    else
        json.null();
}

void write_conditioning(output::JsonWriter& json, const ConditioningFacts& c) {
    json.key("conditioning");
    json.begin_object();
    write_optional(json, "kappa1", c.kappa1);
    write_optional(json, "kappa2", c.kappa2);
    json.field("reason", c.reason);
    if (!c.estimates.empty()) json.field("estimates", c.estimates);
    json.key("iteration_matrix");
    json.begin_object();
    json.field("predicted_power", c.predicted_power);
    write_optional(json, "observed_power", c.observed_power);
    json.key("steps");
    json.begin_array();
    for (const StepCondition& s : c.steps) {
        json.begin_object();
        json.field("h", s.h);
        json.field("condition", s.condition);
        json.field("effective_index", s.effective_index);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    json.key("effective_index_at_noise");
    json.begin_array();
    for (const NoiseIndex& x : c.at_noise) {
        json.begin_object();
        json.field("noise", x.noise);
        json.key("index");
        if (x.index)
            json.value(*x.index);
        else
            json.null();
        json.end_object();
    }
    json.end_array();
    write_optional(json, "distance_to_singular", c.distance_to_singular);
    if (!c.singular_combination.empty()) json.field("singular_combination", c.singular_combination);
    json.field("advice", c.advice);
    json.end_object();
}

void write_evidence(output::JsonWriter& json, const std::vector<ArrayEvidence>& list) {
    json.key("derivative_arrays");
    json.begin_array();
    for (const ArrayEvidence& e : list) {
        json.begin_object();
        json.field("order", e.order);
        json.field("rows", e.rows);
        json.field("columns", e.columns);
        json.field("rank", e.rank);
        json.field("smallest_kept", e.smallest_kept);
        json.field("largest_dropped", e.largest_dropped);
        json.field("one_full", e.determines_derivatives);
        json.field("full_row_rank", e.full_row_rank);
        json.field("strangeness_free", e.strangeness_free);
        json.field("decided", e.decided);
        json.end_object();
    }
    json.end_array();
}

/// "1; 2 from noise 1e-6 on", where it depends on the accuracy at all.
std::string effective_index_text(const ConditioningFacts& c, const output::Paint& paint) {
    std::string list;
    std::optional<std::optional<int>> last;
    constexpr double coarse = 2e-4; // coarser data are nobody's
    for (const NoiseIndex& x : c.at_noise)
        if (x.noise < coarse && (!last || *last != x.index)) {
            list += list.empty() ? "" : fmt::format(", from relative noise {:.0e} on ", x.noise);
            list += x.index ? std::to_string(*x.index) : "singular";
            last = x.index;
        }
    std::string out;
    if (list.find(',') != std::string::npos) out += "  effective index     " + list + "\n";
    for (std::size_t k = 1; k < c.steps.size(); ++k)
        if (c.steps[k].effective_index != c.predicted_power && c.steps[k].effective_index > 0 &&
            k + 1 < c.steps.size() && c.steps[k + 1].effective_index == c.predicted_power && c.predicted_power > 0) {
            out += fmt::format("                      {} for steps above about {:.0e}\n", c.steps[k].effective_index,
                               c.steps[k].h);
            break;
        }
    if (!c.singular_combination.empty())
        out += fmt::format("  nearly singular     {} {}\n", c.singular_combination,
                           paint.dim(fmt::format("hardly depends on the algebraic variables: distance {:.1g}",
                                                 c.distance_to_singular.value_or(0.0))));
    return out;
}

std::string local_index_text(const std::vector<LocalIndex>& list, const output::Paint& paint) {
    if (list.empty()) return "";
    std::string text;
    for (std::size_t k = 0; k < list.size(); ++k)
        if (k == 0 || list[k].index != list[k - 1].index)
            text += fmt::format("{}{} from t = {:.4g}", k ? ", " : "",
                                list[k].index ? std::to_string(*list[k].index) : "none", list[k].t);
    return fmt::format("  local index         {}  {}\n", text,
                       paint.dim("of the matrices at each time alone, which may mislead (HW (1.8))"));
}

} // namespace

std::string indices_text(const Analysis& a, const output::Paint& paint) {
    std::string out = line("differentiation", a.differentiation_index, paint);
    out += line("strangeness index", a.strangeness_index, paint);
    out += line("tractability index", a.tractability_index, paint);
    out += line("perturbation index", a.perturbation_index, paint);
    if (!a.agreement.empty()) out += "  agreement           " + a.agreement + "\n";
    if (!a.free_initial_values.empty()) {
        std::string list;
        for (std::size_t k = 0; k < a.free_initial_values.size() && k < 20; ++k)
            list += (k ? ", " : "") + a.free_initial_values[k];
        if (a.free_initial_values.size() > 20)
            list += fmt::format(", … and {} more", a.free_initial_values.size() - 20);
        out += "  free to choose      " + list + "\n";
    }
    const ConditioningFacts& c = a.conditioning;
    if (c.kappa1 && c.kappa2)
        out += fmt::format("  conditioning        κ₁ = {:.3g}, κ₂ = {:.3g}  {}\n", *c.kappa1, *c.kappa2,
                           paint.dim(c.reason));
    else
        out += fmt::format("  conditioning        –  {}\n", paint.dim(c.reason));
    if (!c.estimates.empty()) out += "                      " + c.estimates + "\n";
    if (c.observed_power)
        out += fmt::format("  iteration matrix    condition grows as h^-{:.1f} {}\n", *c.observed_power,
                           paint.dim(fmt::format("(predicted: h^-{})", c.predicted_power)));
    out += effective_index_text(c, paint);
    out += local_index_text(a.local_index, paint);
    return out;
}

std::string advice_text(const Analysis& a, const output::Paint& paint) {
    return a.recommendation.empty() ? "" : "\n" + paint.bold("Recommendation") + "\n  " + a.recommendation + "\n";
}

void write_indices(output::JsonWriter& json, const Analysis& a) {
    json.field("structural_index_reason", a.structural_index_reason);
    write_finding(json, "differentiation_index", a.differentiation_index);
    write_finding(json, "strangeness_index", a.strangeness_index);
    write_finding(json, "tractability_index", a.tractability_index);
    write_finding(json, "perturbation_index", a.perturbation_index);
    json.field("agreement", a.agreement);
    json.key("free_initial_values");
    json.begin_array();
    for (const std::string& name : a.free_initial_values) json.value(name);
    json.end_array();
    write_conditioning(json, a.conditioning);
    if (a.eigenvalues) {
        json.key("finite_eigenvalues");
        json.begin_array();
        for (const std::complex<double>& z : *a.eigenvalues) {
            json.begin_array();
            json.value(z.real());
            json.value(z.imag());
            json.end_array();
        }
        json.end_array();
    }
    if (!a.local_index.empty()) {
        json.key("local_index");
        json.begin_array();
        for (const LocalIndex& x : a.local_index) {
            json.begin_object();
            json.field("t", x.t);
            json.key("index");
            if (x.index)
                json.value(*x.index);
            else
                json.null();
            json.end_object();
        }
        json.end_array();
    }
    if (!a.cancellation.empty()) json.field("cancellation", a.cancellation);
    write_evidence(json, a.array_evidence);
    json.field("recommendation", a.recommendation);
}

} // namespace daedalus::facade
