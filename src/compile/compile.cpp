#include "compile/compile.hpp"

#include "compile/compilation.hpp"
#include "compile/derivative_array.hpp"
#include "compile/problem_jacobian.hpp"
#include "compile/sample_check.hpp"
#include "compile/signal_check.hpp"
#include "compile/starts.hpp"
#include "expr/evaluate.hpp"
#include "problem/finite_difference.hpp"
#include "structure/pantelides.hpp"
#include "structure/work_count.hpp"
#include "transform/alias_elimination.hpp"
#include "transform/inline_definitions.hpp"
#include "transform/structural_diagnostics.hpp"
#include "transform/structural_repair.hpp"
#include "transform/time_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_set>

namespace daedalus::compile {

namespace {

using transform::ReducedSystem;
using transform::System;

std::string count(std::size_t n, const char* word) { return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s"); }

/// Runs a pass and records how long it took.
class Recorder {
public:
    explicit Recorder(std::vector<PassRecord>& passes) : passes_(passes) {}
    template <class Pass>
    void operator()(const char* name, Pass&& pass) {
        const auto begin = std::chrono::steady_clock::now();
        PassRecord record;
        record.name = name;
        pass(record);
        record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        passes_.push_back(std::move(record));
    }

private:
    std::vector<PassRecord>& passes_;
};

/// Structure of a system, repaired where a combination of equations hides it.
struct Structured {
    System system;
    ReducedSystem reduced;
    transform::RepairOutcome repair;
    std::optional<int> index_as_given; ///< where it was repaired: what structure says without
};

Expected<Structured> analyze_structure(System system, const std::vector<std::vector<int>>& dependent) {
    const structure::SignatureMatrix sigma = system.signature();
    if (const auto diagnosis = structure::diagnose(sigma);
        !diagnosis.regular() || sigma.equations() != sigma.variables())
        return Unexpected{transform::explain(system, diagnosis)};
    Structured result;
    result.system = std::move(system);
    const System as_given = result.system;
    result.repair = transform::repair_structure(result.system, dependent);
    if (!result.repair.regular)
        if (Diagnostics errors = transform::explain(result.system, result.repair); !errors.empty())
            return Unexpected{std::move(errors)};
    if (!result.repair.regular && !result.repair.repairs.empty() && result.repair.singular_rows.empty())
        result.system = as_given; // combining led nowhere: keep the author's equations
    if (!result.repair.repairs.empty()) {
        const structure::SignatureMatrix given = as_given.signature();
        result.index_as_given = structural_index(given, structure::signature_method(given));
    }
    structure::SignatureMatrix final_sigma = result.system.signature();
    structure::SignatureAnalysis analysis = structure::signature_method(final_sigma);
    result.reduced = transform::reduce_index(result.system, std::move(final_sigma), std::move(analysis));
    return result;
}

void describe_aliases(PassRecord& record, const System& system, const transform::AliasCounts& counts) {
    record.summary =
        counts.aliases + counts.derivatives + counts.known == 0
            ? "no variable is only another name"
            : fmt::format("removed {}: {} of the form x = ±y, {} of the form u = der(x), {} known in advance",
                          count(system.eliminations.size(), "variable"), counts.aliases, counts.derivatives,
                          counts.known);
    record.reason = "fewer unknowns; x' = u, u' = … becomes the second-order equation that it abbreviates";
    for (std::size_t k = 0; k < system.eliminations.size() && k < 50; ++k) {
        const auto& e = system.eliminations[k];
        record.details.push_back(fmt::format("{} = {}",
                                             system.model->variables[static_cast<std::size_t>(e.variable)].name,
                                             system.model->text(e.value, 120)));
    }
}

void describe_structure(PassRecord& record, const Structured& s) {
    const auto& a = s.reduced.analysis;
    const long differentiations = std::accumulate(a.c.begin(), a.c.end(), 0L);
    record.summary = fmt::format("structural index {}, {}, {}", structural_index(s.reduced),
                                 count(static_cast<std::size_t>(a.value), "degree") + " of freedom",
                                 count(static_cast<std::size_t>(s.reduced.blocks.count()), "block"));
    record.reason = differentiations == 0
                        ? "no equation has to be differentiated"
                        : fmt::format("{} of equations uncover the hidden constraints",
                                      count(static_cast<std::size_t>(differentiations), "differentiation"));
    std::size_t listed = 0;
    for (std::size_t i = 0; i < a.c.size() && listed < 50; ++i)
        if (a.c[i] > 0) {
            record.details.push_back(fmt::format("differentiate {} time{}: {}", a.c[i], a.c[i] == 1 ? "" : "s",
                                                 s.system.text(static_cast<int>(i), 120)));
            ++listed;
        }
}

void describe_repair(PassRecord& record, const Structured& s) {
    if (s.repair.repairs.empty() && s.repair.regular) {
        record.summary = s.repair.unchecked == 0
                             ? "the system Jacobian is regular: structure can be trusted"
                             : fmt::format("not checked in {}, whose elimination fills in too much; regular elsewhere",
                                           count(static_cast<std::size_t>(s.repair.unchecked), "block"));
        return;
    }
    using transform::RepairMethod;
    const auto number = [&](RepairMethod method) {
        return static_cast<std::size_t>(std::count_if(s.repair.repairs.begin(), s.repair.repairs.end(),
                                                      [&](const auto& r) { return r.method == method; }));
    };
    const std::size_t combined = number(RepairMethod::linear_combination);
    const std::size_t substituted = number(RepairMethod::expression_substitution);
    const std::size_t eliminated = number(RepairMethod::leading_elimination);
    const auto also = [&] { return record.summary.empty() ? "" : "; "; };
    if (combined > 0) record.summary = fmt::format("replaced {} by a combination", count(combined, "equation"));
    if (substituted > 0)
        record.summary += fmt::format("{}introduced variables for combinations {}", also(),
                                      substituted == 1 ? "once" : fmt::format("{} times", substituted));
    if (eliminated > 0)
        record.summary += fmt::format("{}replaced {} by what is left when leading derivatives are eliminated", also(),
                                      count(eliminated, "equation"));
    if (s.repair.repairs.empty()) record.summary = "the system Jacobian is singular, and no conversion applies";
    record.reason = "a combination of equations cancels all leading derivatives, so the system Jacobian was singular";
    for (const auto& repair : s.repair.repairs)
        record.details.push_back(
            repair.text +
            (repair.method != RepairMethod::expression_substitution
                 ? "   replaces " +
                       s.system.model->text(s.system.model->equations[static_cast<std::size_t>(
                                                s.system.equations[static_cast<std::size_t>(repair.row)].origin)],
                                            80)
                 : ""));
    if (!s.repair.regular) record.details.push_back("not resolved: " + s.repair.why_not);
}

std::vector<std::string> reliability_warnings(const Structured& s) {
    if (s.repair.regular) return {};
    std::string list;
    for (std::size_t k = 0; k < s.repair.singular_rows.size() && k < 5; ++k)
        list += (k ? "; " : "") + s.system.text(s.repair.singular_rows[k], 80);
    std::string text = fmt::format(
        "the system Jacobian is singular at every point tried although the structure is regular ({}): index, "
        "degrees of freedom and hidden constraints found by structure may be wrong. Equations involved: {}",
        s.repair.why_not, list);
    if (!s.repair.singular_combination.empty())
        text += ". Leading derivatives cancel in " + s.repair.singular_combination;
    return {std::move(text)};
}

/// With aliases removed, for the problem; facts for people are as written.
struct FrontHalf {
    Structured reduced;
    std::vector<transform::Quadrature> quadratures;
    StructuralReport report;
};

/// Variables that something outside the equations asks for.
std::unordered_set<int> asked_for(const model::Model& model) {
    const expr::Graph& g = *model.graph;
    std::vector<expr::NodeId> list;
    for (const model::Equation& e : model.initial_equations) {
        list.push_back(e.left);
        list.push_back(e.right);
    }
    for (const model::DiscreteVariable& v : model.discrete) list.push_back(v.value);
    for (const model::Memory& m : model.memories) list.push_back(m.value);
    for (const auto e : model.past_expressions()) list.push_back(e);
    for (const model::When& when : model.clauses)
        for (const model::WhenBranch& branch : when.branches) {
            list.insert(list.end(), branch.conditions.begin(), branch.conditions.end());
            for (const auto& setting : branch.settings) list.push_back(setting.value);
            for (const auto& a : branch.assertions) list.push_back(a.holds);
            for (const auto& r : branch.reinits) {
                list.push_back(r.variable);
                list.push_back(r.value);
            }
        }
    std::unordered_set<int> result;
    for (const expr::NodeId leaf : g.reachable(list))
        if (g.op(leaf) == expr::Op::variable) result.insert(g.variable_id(leaf));
    return result;
}

void describe_quadratures(PassRecord& record, const model::Model& model,
                          const std::vector<transform::Quadrature>& list) {
    record.summary = list.empty()
                         ? "no variable is only an integral of others"
                         : fmt::format("{} integrated along the solution, outside the linear algebra",
                                       list.size() == 1 ? "1 variable is" : count(list.size(), "variable") + " are");
    record.reason = "nothing depends on them";
    for (std::size_t k = 0; k < list.size() && k < 50; ++k)
        record.details.push_back(fmt::format("der({}) = {}",
                                             model.variables[static_cast<std::size_t>(list[k].variable)].name,
                                             model.text(list[k].rate, 120)));
}

void describe_pantelides(PassRecord& record, const Structured& s, StructuralReport& report) {
    // Worst-case cost is quadratic; a larger model is left to the signature method alone.
    constexpr int largest = 20'000;
    if (s.reduced.sigma.equations() > largest) {
        record.summary = fmt::format("not asked: more than {} equations", largest);
        return;
    }
    const structure::PantelidesResult p = structure::pantelides(s.reduced.sigma);
    report.pantelides_agrees = p.regular && p.differentiations == s.reduced.analysis.c &&
                               p.structural_index == s.reduced.analysis.structural_index;
    record.summary = *report.pantelides_agrees ? "Pantelides' algorithm differentiates the same equations as often"
                                               : "Pantelides' algorithm disagrees with the signature method";
    record.reason = "two independent methods seldom err alike";
    if (!*report.pantelides_agrees)
        report.warnings.emplace_back(
            "Pantelides' algorithm and the signature method disagree: please report this model");
}

void describe_code(PassRecord& record, const Compilation& c, const CompiledModel& compiled) {
    const std::size_t entries = c.jacobian.entries.size(), varying = c.jacobian.varying.size();
    std::size_t nonzero = varying;
    KernelSet kernels = c.kernels;
    kernels.constant_entries.set_parameters(c.parameters);
    update_constant_entries(c, kernels);
    for (std::size_t k = 0, next = 0; k < entries; ++k) {
        if (next < varying && static_cast<std::size_t>(c.jacobian.varying[next]) == k)
            ++next;
        else
            nonzero += kernels.values[k] != 0.0;
    }
    record.summary = fmt::format(
        "{} per residual, {} with the Jacobian: {} partial derivatives, {} constant; {}",
        count(compiled.residual_instructions, "operation"), compiled.jacobian_instructions, nonzero, nonzero - varying,
        compiled.backend == "interpreter" || compiled.backend.empty() ? std::string("interpreted")
                                                                      : fmt::format("{} code", compiled.backend));
    record.reason = compiled.jacobian_forward
                        ? "rows share much: derivatives are carried forward with every value, which costs least"
                        : "derivatives row by row in reverse: rows share little, or this costs least";
    if (c.kernels.roots.outputs() > 0)
        record.details.push_back(fmt::format(
            "{} in one piece: {}", count(static_cast<std::size_t>(c.kernels.roots.outputs()), "root function"),
            count(compiled.root_instructions, "operation")));
    // Three times the operations of the function for each group of columns (codegen/derivatives.hpp).
    constexpr int largest = 20'000;
    if (compiled.problem.pattern().cols > largest) return;
    const int groups = problem::group_columns(compiled.problem.pattern()).count;
    record.details.push_back(fmt::format("by directional derivatives of {} of columns: about {} operations",
                                         count(static_cast<std::size_t>(groups), "group"),
                                         3 * static_cast<std::size_t>(groups) * compiled.residual_instructions));
}

void describe_tearing(PassRecord& record, const model::Model& model, StructuralReport& report) {
    report.torn = true;
    std::size_t torn = 0, among = 0;
    for (std::size_t k = 0; k < report.blocks.size(); ++k)
        if (const Block b = report.blocks[k]; !b.torn.empty()) {
            torn += b.torn.size();
            among += b.variables.size();
            std::string list;
            for (const int v : b.torn)
                list += (list.empty() ? "" : ", ") + model.variables[static_cast<std::size_t>(v)].name;
            if (record.details.size() < 50)
                record.details.push_back(fmt::format("{} of size {}: guess {}", "block", b.variables.size(), list));
        }
    record.summary =
        torn == 0 ? "no block to tear"
                  : fmt::format("{} of {} unknowns in blocks are guessed, the others follow one by one", torn, among);
    record.reason = "the start iterates on what is guessed; the integrator factors the sparse matrix of all blocks";
}

/// der(clock) = 1, so that there is something to integrate.
void add_clock(System& system) {
    const int clock = system.introduce("(clock)");
    expr::Graph& g = system.graph();
    system.equations.push_back({g.variable(clock, 1), g.constant(1.0), -1, "der(clock) = 1"});
}

Expected<FrontHalf> front_half(const model::Model& model, std::vector<double> parameters, const CompileOptions& options,
                               std::vector<PassRecord>& passes) {
    Recorder pass(passes);
    FrontHalf half;
    Structured written; // for the report alone
    std::optional<Diagnostics> error;
    System system = transform::make_system(model, std::move(parameters));
    pass("structure as written", [&](PassRecord& record) {
        auto structured = analyze_structure(system, options.dependent);
        if (!structured) {
            error = std::move(structured.error());
            return;
        }
        written = *std::move(structured);
        describe_structure(record, written);
    });
    if (error) return Unexpected{*std::move(error)};
    // For people: velocities get their names back, while prescribed values stay the constraints they are.
    System described = system;
    transform::eliminate_aliases(described, transform::KnownValues::keep);
    auto described_structure = analyze_structure(std::move(described), options.dependent);
    if (!described_structure) return Unexpected{std::move(described_structure.error())};
    pass("alias elimination", [&](PassRecord& record) {
        if (!options.eliminate_aliases) {
            record.summary = "switched off";
            return;
        }
        const transform::AliasCounts counts = transform::eliminate_aliases(system);
        describe_aliases(record, system, counts);
    });
    if (system.variables.empty() && model.event_part())
        pass("clock", [&](PassRecord& record) {
            add_clock(system);
            record.summary = "one unknown that grows as time does";
            record.reason = "every variable is a known function of time, and yet something happens on the way: events "
                            "are found where steps are made";
        });
    pass("signature method", [&](PassRecord& record) {
        auto structured = analyze_structure(std::move(system), options.dependent);
        if (!structured) {
            error = std::move(structured.error());
            return;
        }
        half.reduced = *std::move(structured);
        describe_structure(record, half.reduced);
    });
    if (error) return Unexpected{*std::move(error)};
    if (options.quadratures && half.reduced.repair.regular && half.reduced.repair.repairs.empty() &&
        half.reduced.system.replaced.empty())
        pass("quadratures", [&](PassRecord& record) {
            std::unordered_set<int> kept = asked_for(model);
            for (const StartOverride& s : options.starts) // der(q) = … is asked of the start
                if (s.name.starts_with("der("))
                    kept.insert(half.reduced.system.variables.begin(), half.reduced.system.variables.end());
            System smaller = half.reduced.system;
            half.quadratures = transform::extract_quadratures(smaller, kept);
            if (!half.quadratures.empty()) {
                auto structured = analyze_structure(std::move(smaller), {});
                if (structured && structured->repair.regular)
                    half.reduced = *std::move(structured);
                else
                    half.quadratures.clear();
            }
            describe_quadratures(record, model, half.quadratures);
        });
    pass("structural repair", [&](PassRecord& record) { describe_repair(record, half.reduced); });
    half.report = structural_report(model, written.system, written.reduced, described_structure->system,
                                    described_structure->reduced, options.tear);
    for (const transform::Elimination& e : half.reduced.system.eliminations)
        half.report.of_variables[static_cast<std::size_t>(e.variable)].eliminated_as = e.value;
    half.report.index_as_written = written.index_as_given.value_or(half.report.structural_index);
    half.report.structure_reliable = half.reduced.repair.regular;
    half.report.uncovered = half.reduced.repair.eliminated;
    half.report.warnings = reliability_warnings(half.reduced);
    if (options.cross_check)
        pass("Pantelides", [&](PassRecord& record) { describe_pantelides(record, written, half.report); });
    if (options.tear) pass("tearing", [&](PassRecord& record) { describe_tearing(record, model, half.report); });
    return half;
}

bool differentiates(const transform::ReducedSystem& reduced) {
    return std::any_of(reduced.equations.begin(), reduced.equations.end(),
                       [](const transform::DifferentiatedEquation& e) { return e.order > 0; });
}

void choose_reduction(const FrontHalf& half, const transform::ReducedSystem& reduced, const CompileOptions& options,
                      CompiledModel& compiled) {
    // What is known in advance may uncover more than the equations show as written: z = 0, put into the others.
    const int nu = std::max(half.report.structural_index, structural_index(reduced));
    compiled.reduce = options.reduce;
    if (options.reduce != Reduction::automatic) {
        compiled.reduce_reason = "as asked";
    } else if (compiled.model->known_index >= 0 && compiled.model->known_index <= 2) {
        compiled.reduce = Reduction::none;
        compiled.reduce_reason = fmt::format("the graph of the circuit says index {}: implicit methods difference "
                                             "charges and fluxes as they stand",
                                             compiled.model->known_index);
    } else if (!half.reduced.repair.regular && half.report.equations <= largest_for_arrays) {
        compiled.reduce = Reduction::derivative_array;
        compiled.reduce_reason = "structure cannot be trusted here (" + half.reduced.repair.why_not +
                                 "): the index is found from derivative arrays, and reduced with them";
    } else if (nu == 1 && options.needs_states && half.reduced.repair.regular && differentiates(reduced)) {
        compiled.reduce = Reduction::dummy;
        compiled.reduce_reason =
            "the index is 1, but not all that occurs differentiated is a state, as this method asks: "
            "with dummy derivatives it is";
    } else if (nu <= 1) {
        compiled.reduce = Reduction::none;
        compiled.reduce_reason =
            fmt::format("the index is {}: implicit methods integrate the equations as written", nu);
    } else if (!half.reduced.repair.regular) {
        compiled.reduce = Reduction::none;
        compiled.reduce_reason = "structure cannot be trusted here, so nothing is built on it";
    } else {
        compiled.reduce = Reduction::dummy;
        compiled.reduce_reason = fmt::format("the index is {}: with dummy derivatives it is 1, all hidden constraints "
                                             "hold at every step and nothing drifts",
                                             nu);
    }
}

const char* description(Reduction reduce) {
    switch (reduce) {
    case Reduction::automatic:
    case Reduction::none: return "as written";
    case Reduction::dummy: return "dummy derivatives";
    case Reduction::underlying_ode: return "most differentiated equations, constraints left to drift";
    case Reduction::projection: return "most differentiated equations, projected onto the constraints after each step";
    case Reduction::ggl: return "constraints with multipliers (index 2)";
    case Reduction::baumgarte: return "most differentiated equations with Baumgarte's stabilisation";
    case Reduction::index2: return "constraints of velocities (index 2), positions left to drift";
    case Reduction::stabilised_index1: return "constraints of all levels with multipliers";
    case Reduction::overdetermined: return "constraints of all levels with multipliers in the metric of the masses";
    case Reduction::project_position: return "most differentiated equations, positions projected after each step";
    case Reduction::project_velocity: return "most differentiated equations, velocities projected after each step";
    case Reduction::partition: return "independent coordinates, exchanged where needed";
    case Reduction::minimal: return "minimal coordinates";
    case Reduction::tangent: return "coordinates of the tangent space";
    case Reduction::penalty: return "stiff springs in the place of constraints";
    case Reduction::knorrenschild: return "constraints a little ahead of the positions (Knorrenschild)";
    case Reduction::hanke: return "constraints a little ahead of the positions (Hanke)";
    case Reduction::derivative_array:
    case Reduction::campbell_moore: return "as written, until derivative arrays replace it";
    }
    return "";
}

/// The model has no equations of motion, or no such formulation of them.
std::optional<Diagnostic> no_mechanism(const Compilation& c, Reduction reduce, bool takes_index_two) {
    const std::string what =
        of_mechanisms(reduce) ? fmt::format("the formulation '{}'", to_string(reduce)) : std::string("the method");
    if (c.motion && !c.motion->found())
        return make_error("no-mechanism",
                          fmt::format("{} needs equations of motion, M v' = f - L λ with constraints on positions or "
                                      "velocities, and {} has none: {}",
                                      what, c.model->name, c.motion->why_not),
                          takes_index_two
                              ? "without --reduce the method takes any model of index 2, in the formulation index2"
                              : "`--reduce dummy` and methods such as 'radau' or 'dop853' are for any model");
    if (!c.formulation.impossible.empty())
        return make_error(
            "no-formulation",
            fmt::format("{} has no formulation '{}': {}", c.model->name, to_string(reduce), c.formulation.impossible),
            "`daedalus analyze` tells what the model is; `--reduce projection` is for any of them");
    return std::nullopt;
}

/// Of the formulation that was asked for: "index of the unknowns: x 1, u 2, lambda 3".
std::string index_of_unknowns(const problem::ImplicitProblem& problem) {
    constexpr int most = 50;
    std::string list;
    for (int i = 0; i < std::min(problem.size(), most); ++i)
        list += fmt::format("{}{} {}", i == 0 ? "" : ", ", problem.names().variable(i),
                            problem.unknowns()[static_cast<std::size_t>(i)].index);
    return fmt::format("index of the unknowns: {}{}", list, problem.size() > most ? ", …" : "");
}

void describe_quantities(PassRecord& record, const std::vector<QuantityFate>& fates) {
    std::size_t differenced = 0;
    for (const QuantityFate& fate : fates) {
        differenced += fate.why_not.empty();
        if (record.details.size() < 50)
            record.details.push_back(
                fate.why_not.empty() ? fmt::format("der({}): differences of the quantity itself", fate.text)
                                     : fmt::format("der({}): by the chain rule, since {}", fate.text, fate.why_not));
    }
    record.summary = fmt::format("{} of {} derivatives of expressions by differences of the expression itself",
                                 differenced, fates.size());
    record.reason = "what is conserved in a quantity stays, whatever the steps; methods that difference unknowns only "
                    "(explicit, Rosenbrock, extrapolation) go on with the chain rule";
}

/// What is integrated where some variables never vary.
struct Running {
    transform::TimeConstants varying;
    ReducedSystem reduced;
};

std::optional<Running> without_constants(Compilation& c, const CompileOptions& options, bool possible,
                                         PassRecord& record) {
    record.reason = "what never varies is solved for at the start and is a number from then on";
    if (!options.eliminate_aliases || !possible) {
        record.summary = options.eliminate_aliases ? "not looked for: structure is not relied upon" : "switched off";
        return std::nullopt;
    }
    auto varying = transform::hold_time_constants(c.system, c.reduced);
    if (!varying) {
        record.summary = "nothing that the integrator need not carry along";
        return std::nullopt;
    }
    if (varying->system.variables.empty() && c.model->event_part()) {
        record.summary = "nothing would be left to integrate, and something happens on the way";
        return std::nullopt;
    }
    structure::SignatureMatrix sigma = varying->system.signature();
    structure::SignatureAnalysis analysis = structure::signature_method(sigma);
    Running running{*std::move(varying), {}};
    running.reduced = transform::reduce_index(running.varying.system, std::move(sigma), std::move(analysis));
    c.parameters = running.varying.system.parameters;
    record.summary = fmt::format("{} solved for once, at the start", count(c.system.held.size(), "variable"));
    for (std::size_t k = 0; k < c.system.held.size() && k < 50; ++k)
        record.details.push_back(c.system.model->variables[static_cast<std::size_t>(c.system.held[k].variable)].name +
                                 " never varies");
    return running;
}

// Rows are numbered as in the system that they were part of: legends speak of that one.
transform::Formulation formulate_running(const Running& running, Reduction reduction,
                                         const transform::EquationsOfMotion* motion) {
    transform::Formulation f = transform::formulate(running.varying.system, running.reduced, reduction, motion);
    for (auto* list : {&f.rows, &f.hidden, &f.constraints})
        for (transform::DifferentiatedEquation& e : *list)
            if (e.row >= 0) e.row = running.varying.rows[static_cast<std::size_t>(e.row)];
    f.hidden.insert(f.hidden.end(), running.varying.settled.begin(), running.varying.settled.end());

    return f;
}

/// Where nothing is differentiated any more and yet something happens on the way: an unknown that stays, so that steps
/// are made. Not for assertions alone. −1: there is no need.
int kept_for_steps(const Compilation& c) {
    bool acts = !c.quadratures.empty() || c.model->has_past();
    for (const model::When& when : c.model->clauses)
        for (const model::WhenBranch& branch : when.branches)
            acts = acts || !branch.settings.empty() || !branch.reinits.empty() || branch.terminates;
    if (!acts || !c.model->event_part() || c.formulation.unknowns.empty()) return -1;
    const expr::Graph& g = c.system.graph();
    std::vector<expr::NodeId> rows;
    for (const transform::DifferentiatedEquation& e : c.formulation.rows) rows.push_back(e.residual);
    for (const expr::NodeId leaf : g.reachable(rows))
        if (g.op(leaf) == expr::Op::variable && g.derivative_order(leaf) > 0) return -1;
    return c.formulation.unknowns.front().variable;
}

int inline_definitions_of(Compilation& c, const CompileOptions& options, PassRecord& record) {
    const auto& variables = c.model->variables;
    std::vector<expr::NodeId> rates;
    for (const transform::Quadrature& q : c.quadratures) rates.push_back(q.rate);
    rates = in_remaining_variables(c, std::move(rates));
    // What is projected onto is told in positions, velocities and multipliers: there they stay unknowns.
    std::set<int> of_motion;
    if (c.formulation.projected_level > 0 && c.motion)
        for (const auto* entries : {&c.motion->y, &c.motion->v, &c.motion->lambda})
            for (const transform::JetEntry& e : *entries) of_motion.insert(e.variable);
    const int stays = kept_for_steps(c);
    const int count_of = transform::inline_definitions(c.system, c.formulation, rates, [&](int v) {
        const auto at = static_cast<std::size_t>(v);
        if (at >= variables.size()) return false; // introduced by a repair
        return v == stays || of_motion.count(v) != 0 || variables[at].min != expr::no_node ||
               variables[at].max != expr::no_node ||
               std::find(options.kept.begin(), options.kept.end(), variables[at].name) != options.kept.end();
    });
    record.reason = "what an equation defines need not be solved for";
    record.summary = count_of == 0 ? "no unknown is defined by an equation alone"
                                   : fmt::format("{} put into the equations that mention them: {} left",
                                                 count(static_cast<std::size_t>(count_of), "unknown"),
                                                 count(c.formulation.unknowns.size(), "unknown"));
    for (std::size_t k = 0; k < c.formulation.inlined.size() && k < 50; ++k)
        record.details.push_back(c.system.name(c.formulation.inlined[k].entry));
    return count_of;
}

void describe_outputs(const model::Model& model, const StructuralReport& report, CompiledModel& compiled) {
    compiled.outputs.reserve(model.variables.size() + model.discrete.size());
    for (const StructuralReport::OfVariable& v : report.of_variables)
        compiled.outputs.push_back({v.highest_derivative > 0, v.eliminated_as != expr::no_node});
    compiled.outputs.resize(compiled.outputs.size() + model.discrete.size(), {false, false, true});
}

} // namespace

Expected<AnalyzedModel> analyze(const model::Model& model, const CompileOptions& given) {
    const CompileOptions options = with_guesses(model, given);
    auto parameters = model::parameter_values(model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    if (auto trouble = check_samples(model, *parameters)) return fail(*std::move(trouble));
    if (auto trouble = check_inputs(model)) return fail(*std::move(trouble));
    AnalyzedModel result;
    auto half = front_half(model, *std::move(parameters), options, result.passes);
    if (!half) return Unexpected{std::move(half.error())};
    result.structure = std::move(half->report);
    return result;
}

Expected<CompiledModel> compile(std::shared_ptr<const model::Model> model, const CompileOptions& given) {
    ++structure::work_count().compilations;
    const CompileOptions options = with_guesses(*model, given);
    auto parameters = model::parameter_values(*model, options.parameters);
    if (!parameters) return Unexpected{std::move(parameters.error())};
    if (auto trouble = check_samples(*model, *parameters)) return fail(*std::move(trouble));
    if (auto trouble = check_inputs(*model)) return fail(*std::move(trouble));
    auto starts = given_starts(*model, options.starts);
    if (!starts) return Unexpected{std::move(starts.error())};
    CompiledModel compiled;
    compiled.model = model;
    compiled.parameters = *parameters;
    auto half = front_half(*model, *std::move(parameters), options, compiled.passes);
    if (!half) return Unexpected{std::move(half.error())};

    auto c = std::make_shared<Compilation>();
    c->model = model;
    if (!options.machine_code) c->backend = tape::Backend::interpreter;
    c->parameters = compiled.parameters;
    c->system = std::move(half->reduced.system);
    c->system.regular_alone.reset();
    if (c->system.extended) c->model = c->system.extended; // with the variables that a repair introduced
    c->reduced = std::move(half->reduced.reduced);
    c->quadratures = std::move(half->quadratures);
    c->quadrature_start = quadrature_starts(*model, c->quadratures, c->parameters, *starts);
    Recorder pass(compiled.passes);
    choose_reduction(*half, c->reduced, options, compiled);
    const bool takes_index_two = options.or_index_two && half->report.structural_index >= 2;
    std::optional<Running> running;
    pass("constants", [&](PassRecord& record) {
        running = without_constants(*c, options, half->reduced.repair.regular && !by_arrays(compiled.reduce), record);
    });
    pass("formulation", [&](PassRecord& record) {
        if (options.mechanics || of_mechanisms(compiled.reduce)) {
            c->motion = running ? transform::equations_of_motion(running->varying.system, running->reduced)
                                : transform::equations_of_motion(c->system, c->reduced);
            if (!c->motion->found()) {
                if (!takes_index_two || compiled.reduce != Reduction::index2) return;
                c->motion.reset();
            }
        }
        const transform::EquationsOfMotion* motion = c->motion ? &*c->motion : nullptr;
        c->formulation = running ? formulate_running(*running, compiled.reduce, motion)
                                 : transform::formulate(c->system, c->reduced, compiled.reduce, motion);
        c->eliminations = running ? running->varying.system.eliminations : c->system.eliminations;
        record.summary =
            fmt::format("{}: {}, {} and {} in {}", description(compiled.reduce),
                        count(c->formulation.unknowns.size(), "unknown"), count(c->formulation.rows.size(), "equation"),
                        count(c->formulation.unknowns.size() - c->formulation.rows.size(), "derivative link"),
                        count(c->formulation.choices.size(), "block") + " with a choice of states");
        record.reason = compiled.reduce_reason;
        if (!c->formulation.remark.empty()) record.details.push_back(c->formulation.remark);
        for (const expr::NodeId own : {c->formulation.alpha, c->formulation.second})
            if (own != expr::no_node) c->parameters.push_back(1.0); // until the start is known
    });
    if (auto trouble = no_mechanism(*c, compiled.reduce, takes_index_two)) return fail(*std::move(trouble));
    if (options.inline_definitions && options.eliminate_aliases &&
        (((compiled.reduce == Reduction::dummy || compiled.reduce == Reduction::minimal ||
           compiled.reduce == Reduction::partition) &&
          !options.mechanics) ||
         (compiled.reduce == Reduction::none && half->reduced.repair.regular && half->report.structural_index <= 1)))
        pass("definitions",
             [&](PassRecord& record) { compiled.definitions = inline_definitions_of(*c, options, record); });
    model::set_signals(model->signals, problem::just_after(options.start_time, true), c->parameters.data());
    c->initial = transform::initialize(c->system, c->reduced, *starts, options.start_time, options.steady_state);
    if (auto trouble = missing_derivative(*c)) return fail(*std::move(trouble));
    c->start_time = options.start_time;
    c->quantities_wanted =
        !options.mechanics && (compiled.reduce == Reduction::none || compiled.reduce == Reduction::dummy);
    pass("derivatives and code", [&](PassRecord& record) {
        build_problem(c, options, compiled);
        describe_code(record, *c, compiled);
        if (options.reduce != Reduction::automatic) record.details.push_back(index_of_unknowns(compiled.problem));
    });
    if (!c->quantity_fates.empty())
        pass("differentiated quantities", [&](PassRecord& record) { describe_quantities(record, c->quantity_fates); });
    pass("initial value system", [&](PassRecord& record) {
        build_initial_problem(c, compiled, options.start_time);
        record.summary = fmt::format("{} for {}", count(c->initial.rows.size(), "equation"),
                                     count(c->initial.unknowns.size(), "unknown"));
        record.reason = "the equations and every hidden constraint must hold at the start";
    });
    c->system_jacobian = system_jacobian(*c);
    describe_outputs(*model, half->report, compiled);
    compiled.structure = std::move(half->report);
    compiled.compilation = std::move(c);
    return compiled;
}

} // namespace daedalus::compile
