// The steps of a translation, and its messages.
#include "modelica/unit_check.hpp"

#include <algorithm>
#include <sstream>

namespace daedalus::modelica {

namespace {
constexpr int shown_errors = 20;
}

Translator::Translator(Library& library) : library_(library), g_(*model_.graph), time_derivative_(g_) {
    global_ = new_instance(nullptr, nullptr, nullptr);
    global_->state = Instance::State::ready;
    const auto predefined = [&](std::string_view name, Kind kind) {
        ast::ClassDefinition& d = predefined_.emplace_back();
        d.kind = ast::ClassKind::type;
        d.name = name;
        Element* e = &elements_.emplace_back();
        e->name = name;
        e->definition = &d;
        e->node = e->owner = global_;
        static const ast::Element plain{};
        e->element = &plain;
        e->class_instance = new_instance(nullptr, nullptr, global_);
        e->class_instance->kind = kind;
        e->class_instance->state = Instance::State::ready;
        e->class_instance->path = name;
        global_->table.emplace(name, e);
        return e;
    };
    (void)predefined("Real", Kind::real);
    (void)predefined("Integer", Kind::integer);
    (void)predefined("Boolean", Kind::boolean);
    (void)predefined("String", Kind::string);
    (void)predefined("ExternalObject", Kind::object);
    (void)predefined("Clock", Kind::clock);
    const auto enumeration = [&](std::string_view name, std::initializer_list<std::string_view> literals) {
        Element* e = predefined(name, Kind::enumeration);
        ast::ClassDefinition& d = predefined_.back();
        d.form = ast::ClassForm::enumeration;
        for (const std::string_view literal : literals) {
            ast::Component one;
            one.name = literal;
            d.literals.push_back(std::move(one));
        }
        e->class_instance->definition = &d;
    };
    enumeration("StateSelect", {"never", "avoid", "default", "prefer", "always"});
    enumeration("AssertionLevel", {"warning", "error"});
}

void Translator::fail(const std::string& code, const Unit* unit, Span span, std::string message,
                      std::string hint) const {
    if (unit == nullptr) throw TranslationError{make_error(code, std::move(message), std::move(hint))};
    throw TranslationError{make_error(code, std::move(message), place(unit, span), std::move(hint))};
}

void Translator::unsupported(const Unit* unit, Span span, const std::string& what, std::string hint) const {
    fail("not-supported", unit, span, "not supported yet: " + what, std::move(hint));
}

void Translator::keep(const TranslationError& error, const std::string& path) {
    for (const Diagnostic& d : diagnostics_)
        if (d.message == error.diagnostic.message && d.where == error.diagnostic.where) return; // of another instance
    if (++errors_ > shown_errors) return;
    Diagnostic d = error.diagnostic;
    if (!path.empty()) {
        Diagnostic note = make_error("note", "in the component '" + path + "'");
        note.severity = Severity::note;
        d.notes.push_back(std::move(note));
    }
    diagnostics_.push_back(std::move(d));
}

std::optional<model::Model> Translator::translate(const std::string& class_name) {
    try {
        ast::Reference name;
        std::istringstream parts(class_name);
        for (std::string part; std::getline(parts, part, '.');) {
            ast::NamePart one;
            one.name = names_.emplace_back(part);
            name.parts.push_back(one);
        }
        std::string wrong;
        Instance* found = try_class(name, global_, nullptr, &wrong);
        if (found == nullptr || found->definition == nullptr) {
            for (const Diagnostic& problem : library_.problems()) diagnostics_.push_back(problem);
            if (!diagnostics_.empty()) return std::nullopt;
            std::vector<std::string> known = library_.top_level_names();
            const auto best = closest(std::string(name.parts.empty() ? "" : name.parts[0].name), known);
            diagnostics_.push_back(make_error("no-model",
                                              "there is no class '" + class_name + "'" +
                                                  (wrong != class_name ? " (no '" + wrong + "')" : ""),
                                              best && *best != wrong ? "did you mean '" + *best + "'?"
                                                                     : "--library names a folder that holds packages"));
            return std::nullopt;
        }
        if (found->is_package() || found->is_function() || found->is_record() || found->kind != Kind::none)
            fail("no-model", found->unit, found->definition->name_span,
                 "'" + class_name + "' is a " + std::string(ast::spelling(found->definition->kind)) + ", not a model");
        if (found->definition->is_partial)
            fail("partial-class", found->unit, found->definition->name_span,
                 "'" + class_name + "' is partial and cannot be solved alone");
        top_ = new_instance(found->definition, found->unit, found->outer);
        top_->modifier = found->modifier;
        top_->inherited = found->inherited;
        components_.emplace_back();
        components_.back().instance = top_;
        components_.back().type = found;
        top_->component = &components_.back();
        top_->same_as = found;
        model_.name = class_name;
        model_.description = found->definition->description;
        build(top_);
        read_experiment(top_);
        make_all(top_);
        check_replacements();
        if (errors_ > 0) return std::nullopt;
        for_each_instance([&](Instance* i) { collect_connections(i); });
        fill_expandable();
        for (std::size_t k = 0; k < pairs_.size(); ++k) {
            try {
                const Pair p = pairs_[k];
                if (p.a.element >= 0 || p.b.element >= 0 || p.a.component->kind != Kind::none)
                    connect_leaves(p, p.a, p.b);
                else
                    connect_pair(p, p.a.component, p.b.component);
                connected_.insert(p.a.component);
                connected_.insert(p.b.component);
            } catch (const TranslationError& error) {
                keep(error, pairs_[k].scope->root->path);
            }
        }
        if (errors_ > 0) return std::nullopt;
        solve_connection_graph();
        for_each_instance([&](Instance* i) {
            try {
                mark_when_targets(i);
            } catch (const TranslationError& error) {
                keep(error, i->path);
            }
        });
        if (errors_ > 0) return std::nullopt;
        connection_sets();
        simulating_ = true;
        bindings_.clear();
        std::vector<Component*> all;
        for_each_component([&](Component* c) { all.push_back(c); });
        for (Component* c : all) {
            if (unused_member(c)) continue;
            try {
                write(c);
            } catch (const TranslationError& error) {
                keep(error, c->name);
            }
        }
        connection_equations();
        for_each_instance([&](Instance* i) {
            try {
                write(i);
            } catch (const TranslationError& error) {
                keep(error, i->path);
            }
        });
        count_classes();
        if (errors_ > 0) return std::nullopt;
        if (checks_units_)
            for (Diagnostic& found : UnitCheck(*this).run()) model_.warnings.push_back(std::move(found));
        determine_carried_values();
        resolve_homotopies();
        solve_clocked();
        solve_discrete();
        if (start_time_used_) { // what was computed from the start time holds for that start only
            if (model_.initial_flag < 0) model_.initial_flag = hold("initial()", expr::no_node, nullptr);
            const double start = model_.experiment.start_time.value_or(0.0);
            model::WhenBranch branch;
            branch.conditions.push_back(g_.parameter(model_.initial_flag));
            branch.also_at_start = true;
            branch.assertions.push_back(
                {g_.binary(expr::Op::le, g_.unary(expr::Op::abs, g_.sub(g_.time(), g_.constant(start))),
                           g_.constant(1e-9)),
                 "parameters of this model were computed for another start time; give the start in its experiment "
                 "annotation",
                 place(top_->unit, top_->definition->name_span)});
            model_.clauses.push_back({{std::move(branch)}});
        }
        order_clauses();
        name_initial_derivatives();
        compute_outputs_afterwards();
    } catch (const NoNumber&) {
        keep({make_error("not-supported",
                         "not supported yet: something in '" + class_name + "' that is not a number is used as one")},
             {});
    } catch (const TranslationError& error) {
        keep(error, {});
    } catch (const TooLarge& error) {
        diagnostics_.clear();
        keep({error.diagnostic}, {});
    }
    if (errors_ > 0) {
        if (errors_ > shown_errors) {
            Diagnostic more = make_error("more", "and " + std::to_string(errors_ - shown_errors) + " more errors");
            diagnostics_.push_back(std::move(more));
        }
        return std::nullopt;
    }
    model_.sources = library_.sources();
    return std::move(model_);
}

// A variable that expandable connectors declare and nothing but each other is connected to: it does not exist
// (specification 9.1.3).
bool Translator::unused_member(Component* c) {
    if (c->kind == Kind::none || c->parent == nullptr || c->parent->instance == nullptr ||
        !c->parent->instance->is_expandable)
        return false;
    for (const bool outside : {false, true})
        if (const auto it = leaf_ids_.find({c, 0, outside});
            it != leaf_ids_.end() && unused_sets_[set_index_[it->second]] == 0)
            return false;
    if (c->variability >= ast::Variability::parameter) return false;
    return c->modifier == nullptr || !c->modifier->value.given();
}

void Translator::read_experiment(Instance* instance) {
    std::optional<double> intervals;
    model::Experiment& x = model_.experiment;
    std::vector<Instance*> nodes{instance};
    for (Instance* node : nodes)
        for (const ast::Modification& annotation : node->definition->annotation) {
            if (annotation.name.text() != "experiment") continue;
            for (const ast::Modification& written : annotation.arguments) {
                if (!ast::given(written.value)) continue;
                const Context c{node->unit, node, nullptr, -1};
                const std::string name = written.name.text();
                if (name.starts_with("__")) continue;
                const Quantity q = evaluate(c, written.value);
                if (!is_number(q.kind)) continue;
                const double value = number(c, q, written.span, "'" + name + "'");
                if (name == "StartTime") x.start_time = value;
                if (name == "StopTime") x.stop_time = value;
                if (name == "Tolerance") x.tolerance = value;
                if (name == "Interval") x.interval = value;
                if (name == "NumberOfIntervals") intervals = value;
            }
        }
    if (intervals && *intervals >= 1 && !x.interval && x.stop_time)
        x.interval = (*x.stop_time - x.start_time.value_or(0.0)) / *intervals;
}

} // namespace daedalus::modelica
