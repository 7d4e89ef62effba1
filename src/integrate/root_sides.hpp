// On which side of zero each root function is, what is known of its size, and when a value counts as a change of side.
//
// Where the problem has modes, a function counts as being on the side that F's branches were made for. It leaves that
// side at an event only (hysteresis): right behind a located zero its value is round-off and says nothing. Without
// modes F looks at the functions' values itself, and a side is the sign that was seen last.
#pragma once

#include "problem/implicit_problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace daedalus::integrate {

[[nodiscard]] inline int sign_of(double value) { return (value > 0.0) - (value < 0.0); }

/// Functions that vanish at one time, with the direction in which they do (in the direction of integration).
struct LocatedRoots {
    double time = 0.0;
    std::vector<int> which, direction;

    void clear() {
        which.clear();
        direction.clear();
    }
    void add(std::size_t root, int to) {
        which.push_back(static_cast<int>(root));
        direction.push_back(to);
    }
    [[nodiscard]] bool contain(std::size_t root) const {
        return std::find(which.begin(), which.end(), static_cast<int>(root)) != which.end();
    }
};

class RootSides {
public:
    /// What is known of one function.
    struct Function {
        int sign = 0;         ///< up to now; 0: not yet known
        double largest = 0.0; ///< |g| in the last step: the measure of round-off
        double scale = 0.0;   ///< |g| in the run
        double allowed = 0.0; ///< change of g that errors within the tolerance make, the largest at an event
        double border = 0.0;  ///< up to this |g| it stays on the side that an event put it on
        bool rests = false;   ///< … for good: F hardly depends on its side
    };

    explicit RootSides(problem::ImplicitProblem& problem);

    [[nodiscard]] std::size_t size() const { return functions_.size(); }
    [[nodiscard]] Function& operator[](std::size_t root) { return functions_[root]; }
    [[nodiscard]] const Function& operator[](std::size_t root) const { return functions_[root]; }

    [[nodiscard]] bool has_modes() const { return problem_.hybrid().modes.size > 0; }
    /// It changes at known instants only, where the run stops anyway.
    [[nodiscard]] bool known_instant(std::size_t root) const {
        return problem_.hybrid().modes.known_instant[root] != 0;
    }
    /// It can change F at present.
    [[nodiscard]] bool active(std::size_t root) const { return active_[root] != 0; }
    /// … and may do so anywhere.
    [[nodiscard]] bool watched(std::size_t root) const { return active(root) && !(has_modes() && known_instant(root)); }
    /// The side that a value is on; 0 where a function that has no mode vanishes.
    [[nodiscard]] int side_of(std::size_t root, double value) const {
        return has_modes() ? problem_.hybrid().modes.side_of(root, value) : sign_of(value);
    }
    /// The side of a function that has come to this value from its sign: within its border it has not left that.
    [[nodiscard]] int side_now(std::size_t root, double value) const {
        const Function& function = functions_[root];
        return std::abs(value) <= function.border ? function.sign : side_of(root, value);
    }
    /// Whether a zero in this direction is an event.
    [[nodiscard]] bool counts(std::size_t root, int direction) const {
        const std::vector<signed char>& wanted = problem_.hybrid().direction;
        return wanted.empty() || wanted[root] == 0 || wanted[root] == direction;
    }

    /// Modes; empty: F looks at the functions' values itself.
    [[nodiscard]] const std::vector<signed char>& modes() const { return modes_; }
    [[nodiscard]] signed char mode(std::size_t root) const { return modes_[root]; }
    /// Until hand_over(), F does not know.
    void set_mode(std::size_t root, int side) { modes_[root] = static_cast<signed char>(side); }
    /// Hands the modes to F, which tells what can change it then.
    void hand_over();
    void set_modes(std::vector<signed char> modes);
    void set_modes_at(double t, const double* x, const double* dx, bool forward);
    /// The modes with those of some functions changed.
    [[nodiscard]] std::vector<signed char> modes_beyond(const LocatedRoots& roots) const;

    /// Signs from the modes, or from values at a time at which functions may have been located just now.
    void begin(double t, const std::vector<double>& g, const LocatedRoots& located);
    /// A step begins with these values: a function that has left the border that it was put over has none any more.
    /// False: no function is watched.
    [[nodiscard]] bool begin_step(const std::vector<double>& g);
    void see(std::size_t root, double value) {
        Function& function = functions_[root];
        function.largest = std::max(function.largest, std::abs(value));
        function.scale = std::max(function.scale, function.largest);
    }

    /// What is known of the functions besides the modes: for checkpoints.
    [[nodiscard]] std::vector<double> state() const;
    void set_state(const std::vector<double>& state);

private:
    problem::ImplicitProblem& problem_;
    std::vector<Function> functions_;
    std::vector<signed char> modes_;
    std::vector<char> active_;
};

} // namespace daedalus::integrate
