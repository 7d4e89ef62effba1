// The past of quantities whose delayed values a model asks for: polynomials on the steps that a run has accepted.
//
// Where a quantity or one of its first derivatives jumps there is a break, and no polynomial reaches across it. A
// reader says on which side of the breaks it is (the stretch behind the break, counted from 1; 0 is the time before the
// start, where the value is constant and known to the reader): so a time that meets a break is unambiguous up to the
// event at which the reader moves on, whatever rounding does.
//
// Beside them stand profiles, what flows carry (base/profile.hpp): their readers stand on stretches in the same way,
// with a place in the place of the time.
//
// A history belongs to a run, which alone writes it. Functions of a system find it by its number, which travels with
// their other numbers.
#pragma once

#include "base/polynomial_piece.hpp"
#include "base/profile.hpp"

#include <cstddef>
#include <vector>

namespace daedalus {

/// What a reader of a history reads: a delayed quantity at a time, or what is transported at a place.
struct Past {
    enum class Kind : bool { delayed, transported };
    Kind kind = Kind::delayed;
    std::size_t index = 0;
};

class History {
public:
    static constexpr int degree = PolynomialPiece::degree;
    using Piece = PolynomialPiece;
    /// At `t` derivative number `level` jumps, 0 being the value itself.
    struct Break {
        double t = 0.0;
        int level = 0;
        std::size_t first_piece = 0; ///< behind it
    };
    /// A break of a higher level than this is left to the error test (HNW II.17: a method of order p sees jumps of the
    /// derivatives up to p; this is the order of BDF and Radau IIA, and what a kink has become after as many delays).
    static constexpr int highest_level = 5;

    explicit History(std::size_t quantities, std::size_t profiles = 0);
    History(const History&) = delete;
    History& operator=(const History&) = delete;
    ~History();

    [[nodiscard]] double number() const { return static_cast<double>(number_); }
    [[nodiscard]] std::size_t quantities() const { return tracks_.size(); }

    void append(std::size_t quantity, const Piece& piece) { tracks_[quantity].pieces.push_back(piece); }
    /// A break at the present end; `value`: of the quantity behind it.
    void add_break(std::size_t quantity, double t, int level, double value);
    /// It turned out that less is smooth at the last break than was thought.
    void lower_level(std::size_t quantity, int level);

    [[nodiscard]] const std::vector<Piece>& pieces(std::size_t quantity) const { return tracks_[quantity].pieces; }
    [[nodiscard]] const std::vector<Break>& breaks(std::size_t quantity) const { return tracks_[quantity].breaks; }
    [[nodiscard]] std::size_t profiles() const { return profiles_.size(); }
    [[nodiscard]] Profile& profile(std::size_t k) { return profiles_[k]; }
    [[nodiscard]] const Profile& profile(std::size_t k) const { return profiles_[k]; }

    // Of either kind.
    [[nodiscard]] int next_stretch(Past past, int now) const;
    [[nodiscard]] int stretch_before(Past past, int now) const;
    [[nodiscard]] double beginning(Past past, int k) const;
    [[nodiscard]] double value(Past past, int stretch, double at, int order) const;

    /// The stretch that a reader on stretch `now` comes to next, or −1; and the one before it, 0 at least.
    [[nodiscard]] int next_stretch(std::size_t quantity, int now) const;
    [[nodiscard]] int stretch_before(std::size_t quantity, int now) const;
    /// Where stretch number k ≥ 1 begins.
    [[nodiscard]] double beginning(std::size_t quantity, int k) const {
        return tracks_[quantity].breaks[static_cast<std::size_t>(k) - 1].t;
    }
    /// A derivative (0: the value) at t as it is on a stretch ≥ 1.
    [[nodiscard]] double value(std::size_t quantity, int stretch, double t, int order) const;

    /// All numbers of it, what lies before `from[quantity]` left out; and a history with these. False: they are none.
    [[nodiscard]] std::vector<double> save(const std::vector<double>& from) const;
    [[nodiscard]] bool load(const std::vector<double>& numbers);

    /// Null where there is none of this number. May be asked in any thread.
    [[nodiscard]] static const History* find(double number);

private:
    struct Track {
        std::vector<Piece> pieces;
        std::vector<Break> breaks;
        double value = 0.0; ///< behind the last break
    };
    [[nodiscard]] bool load_track(Track& track, const std::vector<double>& numbers, std::size_t& at) const;
    std::vector<Track> tracks_;
    std::vector<Profile> profiles_;
    long number_;
};

} // namespace daedalus
