#include "integrate/hand_over.hpp"

#include "integrate/run.hpp"

#include <algorithm>
#include <initializer_list>

namespace daedalus::integrate {

/// From the values before the event to those on these sides, if all conditions agree with them.
bool HandOver::reach(const BranchPoint& before, const Sides& sides, double t, double time_scale) {
    run_.roots->set_sides(sides);
    run_.x = before.x;
    run_.dx = before.dx;
    run_.consistent->forget_branches();
    return run_.consistent->refine(t, time_scale, run_.x.data(), run_.dx.data(), false) &&
           run_.roots->agree(t, run_.x.data(), run_.dx.data());
}

bool HandOver::search(const BranchPoint& before, double t, double time_scale) {
    const Sides present = run_.roots->sides();
    const std::vector<int> others = run_.roots->decided_elsewhere();
    constexpr int most = 500; // attempts, each of a few iterations: 31 conditions one by one and in pairs are 496
    int attempts = 0;
    for (std::size_t changes = 1; changes <= others.size(); ++changes) {
        std::vector<char> chosen(others.size(), 0);
        std::fill_n(chosen.begin(), changes, 1);
        do {
            Sides sides = present;
            for (std::size_t k = 0; k < others.size(); ++k)
                if (chosen[k] != 0) sides[static_cast<std::size_t>(others[k])] *= -1;
            if (reach(before, sides, t, time_scale)) {
                known_[{before.branches.sides, present}] = std::move(sides);
                return true;
            }
        } while (++attempts < most && std::prev_permutation(chosen.begin(), chosen.end()));
    }
    run_.roots->set_sides(present);
    return false;
}

bool HandOver::leave_fold(const BranchPoint& before, const std::vector<int>& turned, double t, double time_scale) {
    const Sides present = run_.roots->sides();
    const std::vector<double> x = run_.x, dx = run_.dx;
    Sides beyond = present;
    for (const int k : turned) beyond[static_cast<std::size_t>(k)] *= -1;
    constexpr std::size_t most = 64; // conditions that are tried one by one, and in pairs those of one component
    const auto reached = [&](Sides sides, std::initializer_list<int> changed) {
        for (const int k : changed) sides[static_cast<std::size_t>(k)] *= -1;
        return reach(before, sides, t, time_scale) &&
               run_.roots->far_from_zero(turned, t, run_.x.data(), run_.dx.data());
    };
    for (const std::size_t changes : {1U, 2U})
        for (const Sides& from : {beyond, present}) {
            run_.roots->set_sides(from); // on each other conditions are looked at
            const std::vector<int> others = run_.roots->decided_elsewhere();
            for (std::size_t k = 0; k + changes <= others.size() && k < most; ++k)
                if (changes == 1 ? reached(from, {others[k]}) : reached(from, {others[k], others[k + 1]})) return true;
        }
    run_.roots->set_sides(present);
    run_.x = x;
    run_.dx = dx;
    return false;
}

bool HandOver::repeat(const BranchPoint& before, double t, double time_scale) {
    const Sides present = run_.roots->sides();
    const auto known = known_.find({before.branches.sides, present});
    if (known == known_.end()) return false;
    const std::vector<double> x = run_.x, dx = run_.dx;
    if (reach(before, known->second, t, time_scale)) return true;
    run_.roots->set_sides(present);
    run_.x = x;
    run_.dx = dx;
    return false;
}

} // namespace daedalus::integrate
