#include "integrate/transported_values.hpp"

#include "integrate/run.hpp"
#include "integrate/step_polynomials.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

using problem::Transports;

namespace {

double tolerance(const Run& run, double size) {
    return run.options.tolerance.relative * size + run.options.tolerance.absolute;
}
/// Of a position: the ends are 1 apart.
double tolerance_of_place(const Run& run) { return tolerance(run, 1.0); }

/// Where the flow enters.
Side entry(bool forward) { return forward ? Side::left : Side::right; }

} // namespace

double TransportedValues::value(std::size_t k, Transports::Value which) const {
    return values_[Transports::per_transport * k + which];
}

bool TransportedValues::find_values(Run& run, double t, const double* x, const double* dx) {
    return run.problem.evaluate(transports_->values, t, x, dx, values_.data()) == problem::EvalStatus::ok;
}

void TransportedValues::begin(Run& run) {
    transports_ = run.problem.system().facets.find<Transports>();
    if (transports_ == nullptr) return;
    x_.resize(run.x.size());
    values_.resize(static_cast<std::size_t>(transports_->values.size));
    flows_.assign(transports_->size(), {});
    problem::Environment& environment = run.problem.environment();
    const bool goes_on = run.options.continuation.active && environment.history() != nullptr;
    if (!goes_on && run.problem.system().facets.find<problem::Delays>() == nullptr)
        environment.set_history(new_history(run.problem), transports_->history);
    past_ = environment.history();
    if (!find_values(run, run.interval.t0, run.x.data(), run.dx.data())) return; // before() says so
    for (std::size_t k = 0; k < flows_.size(); ++k) {
        flows_[k].x = value(k, Transports::position);
        flows_[k].forward = value(k, Transports::forward) != 0.0;
        if (!goes_on) lay_first(run, k);
    }
}

/// What lies between the ends at the start.
void TransportedValues::lay_first(Run& run, std::size_t k) {
    const Transports::Transport& transport = transports_->list[k];
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(transport.first_point);
    const auto count = static_cast<std::ptrdiff_t>(transport.points);
    std::vector<double> places(first, first + count);
    const std::vector<double> values(first + count, first + 2 * count);
    if (places.empty() || places.front() != 0.0 || places.back() != 1.0) {
        wrong_ = {k, "initialPoints do not reach from 0 to 1"};
        return;
    }
    for (double& place : places) place -= flows_[k].x;
    if (!profile(k).begin(places, values)) {
        wrong_ = {k, "initialPoints are not in ascending order, or initialValues are not finite"};
        return;
    }
    problem::Environment& environment = run.problem.environment();
    for (const auto& [reader, side] :
         {std::pair(&transport.left, Side::left), std::pair(&transport.right, Side::right)}) {
        const int stretch = profile(k).outermost(side), next = profile(k).next_stretch(stretch);
        environment.set(reader->stretch, stretch);
        environment.set(reader->next, next > 0 ? profile(k).beginning(next) : never);
        environment.set(reader->begins, profile(k).beginning(stretch));
    }
}

/// Where the method begins anew, the first derivative of what enters may jump, unless readers have come to breaks. That
/// the value jumps is seen when it is laid.
void TransportedValues::started(Run& run) {
    if (transports_ == nullptr || wrong_) return;
    if (!find_values(run, run.stepper->t(), run.x.data(), run.dx.data())) return; // before() says so
    const int level = readers_.level_met(run.problem, *past_).value_or(1);
    for (std::size_t k = 0; k < flows_.size(); ++k) {
        Flowing& flow = flows_[k];
        constexpr double moved = 100.0; // tolerances that a consistent start may move a state by, and more
        if (std::abs(value(k, Transports::position) - flow.x) > moved * tolerance_of_place(run))
            wrong_ = {k, "the position jumps, and nothing says what enters there"};
        flow.forward = value(k, Transports::forward) != 0.0;
        if (level <= History::highest_level) flow.new_level = std::min(flow.new_level.value_or(level), level);
    }
    forget_what_left(run);
    tell_readers(run);
    readers_.note(run.problem);
}

/// What lies beyond the stretches of the readers is behind the ends.
void TransportedValues::forget_what_left(Run& run) {
    const problem::Environment& environment = run.problem.environment();
    for (std::size_t k = 0; k < flows_.size(); ++k)
        profile(k).leave(static_cast<int>(environment[transports_->list[k].left.stretch]),
                         static_cast<int>(environment[transports_->list[k].right.stretch]));
}

/// Where the stretch of each begins and where the next one does. Where the flow enters, a reader is on what is laid.
void TransportedValues::tell_readers(Run& run) {
    problem::Environment& environment = run.problem.environment();
    const std::uint64_t before = environment.stamp();
    for (std::size_t k = 0; k < flows_.size(); ++k) {
        const Transports::Transport& transport = transports_->list[k];
        for (const auto& [reader, side] :
             {std::pair(&transport.left, Side::left), std::pair(&transport.right, Side::right)}) {
            const bool enters = side == entry(flows_[k].forward);
            if (enters) environment.set(reader->stretch, profile(k).outermost(side));
            const int stretch = static_cast<int>(environment[reader->stretch]);
            const int next = enters ? -1 : profile(k).next_stretch(stretch);
            const auto tell = [&](std::size_t slot, double place) {
                if (std::abs(environment[slot] - place) > problem::doubt_of_place(place)) environment.set(slot, place);
            };
            tell(reader->next, next > 0 ? profile(k).beginning(next) : never);
            tell(reader->begins, enters ? -never : profile(k).beginning(stretch));
        }
    }
    if (environment.stamp() == before) return;
    // At a stop the event is still to come, and the start behind it looks ahead.
    if (!run.stops.reached(run.stops.next(), run.stepper->t())) run.stops.look_ahead(run.stepper->t());
    run.roots->begin(run.stepper->t(), run.stepper->x().data(), run.stepper->dx().data());
}

Flow TransportedValues::refuse(Run& run) {
    FailureReport report;
    report.reason = FailureReason::assertion;
    report.t = run.stepper->t();
    report.cause = wrong_->why;
    report.where = transports_->list[wrong_->transport].where;
    return run.fail(std::move(report));
}

Flow TransportedValues::before(Run& run) {
    if (transports_ == nullptr) return Flow::proceed;
    if (wrong_) return refuse(run);
    if (!find_values(run, run.stepper->t(), run.stepper->x().data(), run.stepper->dx().data()))
        return run.fail(FailureReason::not_finite, StepStatus::not_finite, run.control.wanted());
    return Flow::proceed;
}

Verdict TransportedValues::judge(Run& run, const Attempt& attempt, double h, double t_new) {
    if (transports_ == nullptr || !run.stepper->proposal(x_.data())) return {attempt};
    std::vector<double> before(flows_.size());
    if (!find_values(run, run.stepper->t(), run.stepper->x().data(), run.stepper->dx().data())) return {attempt};
    for (std::size_t k = 0; k < flows_.size(); ++k) before[k] = value(k, Transports::position);
    if (!find_values(run, t_new, x_.data(), run.stepper->dx().data())) return {attempt};
    for (std::size_t k = 0; k < flows_.size(); ++k)
        if (std::abs(value(k, Transports::position) - before[k]) > 1.0)
            return {{attempt.status, attempt.error, 0.5 * h}, true};
    return {attempt};
}

/// The level of the break with which a piece begins; none: it goes on smoothly with what was laid before.
std::optional<int> TransportedValues::level_of(Run& run, std::size_t k, Side side, const Profile::Piece& piece) const {
    const Profile& lying = profile(k);
    const double place = piece.place.at(piece.place.begin);
    const int beside = lying.outermost(side);
    const double there = lying.value(beside, place, 0), here = piece.value.at(piece.value.begin);
    if (std::abs(here - there) > tolerance(run, std::max(std::abs(here), std::abs(there)))) return 0;
    const Profile::Piece* const before = lying.goes_on(side, place);
    if (before == nullptr) return 1; // it turned round, or what lies there did not enter
    if (!flows_[k].new_level) return std::nullopt;
    // Slopes in time, since those by place are infinite where the flow stands.
    const double h = piece.place.end - piece.place.begin;
    const auto kink = [&](const PolynomialPiece& a, const PolynomialPiece& b, double size) {
        constexpr double seen = 10.0; // tolerances: slopes of polynomials are known less well than values
        return !(std::abs(h * (b.at(b.begin, 1) - a.at(a.end, 1))) <= seen * tolerance(run, size));
    };
    if (kink(before->value, piece.value, std::abs(here)) || kink(before->place, piece.place, 1.0)) return 1;
    return flows_[k].new_level;
}

/// What enters on a part of a step: of each transport in0, in1 and x are polynomials.
void TransportedValues::lay(Run& run, std::size_t k, const std::vector<PolynomialPiece>& pieces) {
    const bool forward = flows_[k].forward;
    const Side side = entry(forward);
    const PolynomialPiece& x = pieces[3 * k + 2];
    Profile::Piece piece{x, pieces[3 * k + (forward ? 0 : 1)]};
    for (double& c : piece.place.c) c = -c;
    if (!forward) piece.place.c[0] += 1.0;
    const double sign = forward ? 1.0 : -1.0;
    const double begin = x.at(x.begin), end = x.at(x.end), width = sign * (end - flows_[k].x);
    bool monotone = true;
    double before = begin;
    for (int i = 1; i <= PolynomialPiece::degree; ++i) {
        const double now = x.at(PolynomialPiece::node(x.begin, x.end, i));
        monotone = monotone && sign * (now - before) >= 0.0;
        before = now;
        if (sign * (now - begin) < -tolerance_of_place(run))
            wrong_ = {k, forward ? "the position falls while positiveVelocity is true"
                                 : "the position rises while positiveVelocity is false"};
    }
    constexpr double roundings = 16 * std::numeric_limits<double>::epsilon();
    if (!(width > roundings * std::max(1.0, std::abs(end)))) return; // nothing moves that could be seen
    if (!monotone || sign * (end - begin) < 0.5 * width) {
        // It all but stands still, where rounding decides: from where it was to where it is.
        piece.place.c.fill(0.0);
        piece.place.c[0] = -0.5 * (flows_[k].x + end) + (forward ? 0.0 : 1.0);
        piece.place.c[1] = -0.5 * (end - flows_[k].x);
    }
    profile(k).lay(side, piece, level_of(run, k, side, piece));
    flows_[k].new_level.reset();
    flows_[k].x = end;
}

Flow TransportedValues::delivered(Run& run, const AcceptedStep& step) {
    if (transports_ == nullptr || step.t == step.t_before) return Flow::proceed;
    const std::size_t per = Transports::per_transport;
    // in0, in1 and x of each, forward left out: it does not change within a step.
    StepPolynomials along(transports_->values, per * flows_.size(), [&](std::size_t q, double size) {
        return q % per == Transports::forward    ? std::numeric_limits<double>::infinity()
               : q % per == Transports::position ? tolerance_of_place(run)
                                                 : tolerance(run, size);
    });
    const auto lay_all = [&](const std::vector<PolynomialPiece>& pieces) {
        std::vector<PolynomialPiece> three;
        for (std::size_t q = 0; q < pieces.size(); ++q)
            if (q % per != Transports::forward) three.push_back(pieces[q]);
        for (std::size_t k = 0; k < flows_.size(); ++k) lay(run, k, three);
    };
    if (!along.find(run, step, lay_all)) return run.fail(FailureReason::not_finite, StepStatus::not_finite, step.h);
    (void)run.problem.environment().change(); // what was computed from the past may be another value now
    tell_readers(run);
    forget_what_left(run);
    return wrong_ ? refuse(run) : Flow::proceed;
}

void TransportedValues::save(const Run& run, Checkpoint& c) const {
    if (transports_ == nullptr || run.problem.system().facets.find<problem::Delays>() != nullptr) return;
    c.history = past_->save({});
}

void TransportedValues::load(Run& run, const Checkpoint& c) {
    transports_ = run.problem.system().facets.find<Transports>();
    if (transports_ == nullptr) return;
    problem::Environment& environment = run.problem.environment();
    if (run.problem.system().facets.find<problem::Delays>() == nullptr) {
        environment.set_history(new_history(run.problem), transports_->history);
        (void)environment.history()->load(c.history); // what_is_wrong() has looked
    }
    past_ = environment.history();
    x_.resize(c.x.size());
    values_.resize(static_cast<std::size_t>(transports_->values.size));
    flows_.assign(transports_->size(), {});
    if (!find_values(run, c.t, c.x.data(), c.dx.data())) return;
    for (std::size_t k = 0; k < flows_.size(); ++k)
        flows_[k] = {value(k, Transports::position), value(k, Transports::forward) != 0.0, std::nullopt};
    readers_.note(run.problem);
}

} // namespace daedalus::integrate
