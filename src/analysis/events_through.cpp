#include "analysis/events_through.hpp"

namespace daedalus::analysis {

namespace {

using problem::Call;
using problem::Environment;
using problem::EvalStatus;

const Replacement& replacement(const void* code) { return *static_cast<const Replacement*>(code); }

const problem::Hybrid& events(const void* code) { return replacement(code).written.hybrid(); }

const void* written(const void* code) { return replacement(code).written.code(); }

Call inner(const Call& call) {
    return {written(call.code), call.environment, static_cast<ReplacementWorkspace&>(*call.workspace).written.get()};
}

EvalStatus roots(const Call& call, double t, const double* x, const double* dx, double* g) {
    return events(call.code).roots.evaluate(inner(call), t, x, dx, g);
}

EvalStatus outputs(const Call& call, double t, const double* x, const double* dx, double* y) {
    return replacement(call.code).written.facet<problem::Outputs>().function.evaluate(inner(call), t, x, dx, y);
}

EvalStatus written_values(const Call& call, double t, const double* x, const double* dx, double* y) {
    return replacement(call.code).written.facet<problem::WrittenEquations>().values.evaluate(inner(call), t, x, dx, y);
}

EvalStatus written_residual(const Call& call, double t, const double* jets, double* r, double* sizes) {
    return replacement(call.code).written.facet<problem::WrittenEquations>().residual(inner(call), t, jets, r, sizes);
}

void set_modes(const void* code, Environment& e, const signed char* side) {
    events(code).modes.set(written(code), e, side);
}

void activity(const void* code, const signed char* side, char* active) {
    events(code).modes.activity(written(code), side, active);
}

problem::Discrete::Change update(const void* code, Environment& e, double t, double* x, double* dx) {
    problem::Discrete::Change change = events(code).discrete.update(written(code), e, t, x, dx);
    const auto& follow = replacement(code).follow_given;
    if (!change.set.empty() && follow) follow(e, t, x, dx, change.set);
    return change;
}

void follow(const void* code, Environment& e, double t, const double* x, const double* dx, bool forward) {
    events(code).discrete.follow(written(code), e, t, x, dx, forward);
}

void arrive(const void* code, Environment& e, double t, const double* x, const double* dx) {
    events(code).discrete.arrive(written(code), e, t, x, dx);
}

void begin(const void* code, Environment& e, double t, const double* x, const double* dx) {
    events(code).discrete.begin(written(code), e, t, x, dx);
}

bool end(const void* code, Environment& e, double t) { return events(code).discrete.end(written(code), e, t); }

void last(const void* code, Environment& e) { events(code).discrete.last(written(code), e); }

void note(const void* code, Environment& e, double t, const double* x, const double* dx) {
    events(code).discrete.note(written(code), e, t, x, dx);
}

problem::Instant next_instant(const void* code, const Environment& e, double t, double end_time) {
    return events(code).next_instant(written(code), e, t, end_time);
}

} // namespace

problem::Hybrid events_through(const problem::ImplicitProblem& system) {
    problem::Hybrid h = system.hybrid(); // numbers and legends stay; functions go through the replacement
    h.roots.evaluate = h.roots.size > 0 ? &roots : nullptr;
    if (h.modes.set != nullptr) h.modes.set = &set_modes;
    if (h.modes.activity != nullptr) h.modes.activity = &activity;
    if (!h.discrete.empty()) {
        h.discrete.update = &update;
        h.discrete.follow = &follow;
        if (h.discrete.arrive != nullptr) h.discrete.arrive = &arrive;
        h.discrete.begin = &begin;
        h.discrete.end = &end;
        if (h.discrete.last != nullptr) h.discrete.last = &last;
        h.discrete.note = &note;
    }
    if (h.next_instant != nullptr) h.next_instant = &next_instant;
    return h;
}

problem::Outputs outputs_through(const problem::ImplicitProblem& system) { return {{system.output_count(), &outputs}}; }

problem::WrittenEquations written_through(const problem::ImplicitProblem& system) {
    problem::WrittenEquations w = system.facet<problem::WrittenEquations>();
    if (w.empty()) return w;
    w.values.evaluate = &written_values;
    w.residual = &written_residual;
    w.instead_of_rows = true;
    w.any_slope = true; // the system that takes the place determines others than the equations mention
    return w;
}

} // namespace daedalus::analysis
