#include "integrate/root_sides.hpp"

#include <utility>

namespace daedalus::integrate {

RootSides::RootSides(problem::ImplicitProblem& problem) : problem_(problem) {
    const auto count = static_cast<std::size_t>(problem.hybrid().roots.size);
    functions_.resize(count);
    active_.assign(count, 1);
}

void RootSides::hand_over() {
    problem_.set_modes(modes_.data());
    if (problem_.hybrid().modes.activity != nullptr)
        problem_.hybrid().modes.activity(problem_.code(), modes_.data(), active_.data());
}

void RootSides::set_modes(std::vector<signed char> modes) {
    modes_ = std::move(modes);
    if (has_modes()) hand_over();
}

void RootSides::set_modes_at(double t, const double* x, const double* dx, bool forward) {
    problem_.set_modes_at(t, x, dx, forward, modes_);
    if (has_modes()) hand_over();
}

std::vector<signed char> RootSides::modes_beyond(const LocatedRoots& roots) const {
    std::vector<signed char> beyond = modes_;
    for (std::size_t i = 0; i < roots.which.size(); ++i)
        beyond[static_cast<std::size_t>(roots.which[i])] = static_cast<signed char>(roots.direction[i]);
    return beyond;
}

void RootSides::begin(double t, const std::vector<double>& g, const LocatedRoots& located) {
    for (std::size_t k = 0; k < functions_.size(); ++k) {
        if (has_modes())
            functions_[k].sign = modes_[k] > 0 ? 1 : -1;
        else // a function that was just located vanishes up to the round-off of its own evaluation
            functions_[k].sign = t == located.time && located.contain(k) ? 0 : sign_of(g[k]);
    }
}

bool RootSides::begin_step(const std::vector<double>& g) {
    bool any = false;
    for (std::size_t k = 0; k < functions_.size(); ++k) {
        any = any || watched(k);
        Function& function = functions_[k];
        function.largest = std::abs(g[k]);
        if (function.largest > function.border && !function.rests) function.border = 0.0;
    }
    return any;
}

std::vector<double> RootSides::state() const {
    std::vector<double> all;
    for (const Function& f : functions_) all.push_back(f.scale);
    for (const Function& f : functions_) all.push_back(f.border);
    for (const Function& f : functions_) all.push_back(f.rests ? 1.0 : 0.0);
    for (const Function& f : functions_) all.push_back(f.allowed);
    return all;
}

void RootSides::set_state(const std::vector<double>& state) {
    const std::size_t m = functions_.size();
    if (state.size() != 4 * m) return;
    for (std::size_t k = 0; k < m; ++k) {
        Function& f = functions_[k];
        f.scale = state[k];
        f.border = state[m + k];
        f.rests = state[2 * m + k] != 0.0;
        f.allowed = state[3 * m + k];
    }
}

} // namespace daedalus::integrate
