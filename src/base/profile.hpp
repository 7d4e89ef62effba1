// What lies between two ends, 0 and 1, and moves along: z(y, t) with ∂z/∂t + x' ∂z/∂y = 0 (specification 3.7.4.2). It
// is constant along m = y − x(t), so it is kept as a function of m. Behind the end at which the flow enters, what
// enters is laid; at the other end it leaves.
//
// What one way of entering has laid without a break is a stretch: pieces on each of which place m and value z are
// polynomials of the time of entry, so that a flow that comes to rest makes no root of anything. Stretches are numbered
// from 1 in the order in which they were begun and never change but by further pieces, so that what was read of them
// at an earlier time can be read again. Which of them lie between the ends, from left to right, changes with the flow.
#pragma once

#include "base/polynomial_piece.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace daedalus {

enum class Side : bool { left, right };

class Profile {
public:
    /// Of one time interval: where what entered then is, and what it is.
    struct Piece {
        PolynomialPiece place, value;
    };
    /// A stretch that lies between the ends. Where it begins, derivative number `level` jumps, 0 being the value.
    struct Part {
        int stretch = 0;
        double begin = 0.0;
        int level = 0;
    };

    /// What lies there at first, by points (m, z) from left to right; two at one place are a jump. False: they are not
    /// in this order, or fewer than two.
    [[nodiscard]] bool begin(const std::vector<double>& places, const std::vector<double>& values);

    /// `level`: of the break at which another stretch begins with this piece; none: it goes on with the outermost one.
    void lay(Side side, const Piece& piece, std::optional<int> level);
    /// The last piece of the outermost stretch, if what enters on this side, at this place, can go on with it.
    [[nodiscard]] const Piece* goes_on(Side side, double place) const;
    /// What lies to the left of one stretch, and to the right of the other, is gone.
    void leave(int left, int right);

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; } ///< from left to right
    [[nodiscard]] int outermost(Side side) const;

    /// The stretch to the right or left of one; −1 and 0 if there is none.
    [[nodiscard]] int next_stretch(int now) const;
    [[nodiscard]] int stretch_before(int now) const;
    /// Where a stretch begins; −never for the leftmost.
    [[nodiscard]] double beginning(int stretch) const;
    /// Of the break between two that lie beside each other.
    [[nodiscard]] int level_between(int a, int b) const;
    /// A derivative by m (0: the value) as it is on a stretch.
    [[nodiscard]] double value(int stretch, double place, int order) const;

    void save(std::vector<double>& numbers) const;
    /// False: the numbers from `at` on are none of these.
    [[nodiscard]] bool load(const std::vector<double>& numbers, std::size_t& at);

private:
    struct Stretch {
        std::vector<Piece> pieces; ///< in the order in which they were laid
        bool downward = false;     ///< each lies to the left of the one before
    };
    [[nodiscard]] std::size_t position(int stretch) const;
    std::vector<Stretch> stretches_; ///< number k at k − 1
    std::vector<Part> parts_;
};

} // namespace daedalus
