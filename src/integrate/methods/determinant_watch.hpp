// Whether the matrix of the stages of an explicit method is singular inside a step. What it determines has a pole
// there, or another branch begins, and estimates of the errors of states do not see that.
//
// Its determinant is known at the stages. It is singular where that changes its sign; nearly so, where it vanishes
// beside the largest since the run began. A zero of even order leaves the sign: a polynomial through values at well
// separated stages tells where the determinant is smallest, between them too.
#pragma once

#include <span>
#include <vector>

namespace daedalus::integrate {

class DeterminantWatch {
public:
    /// c of the stages; the first is 0, the last 1.
    explicit DeterminantWatch(std::span<const double> c);

    /// A run begins: the first stage of its first step is not known.
    void reset();
    void begin_step();
    /// At stage i ≥ 1, in their order; 0: not known. True where the step passes a singular point.
    [[nodiscard]] bool passes(int i, long double determinant) {
        values_[static_cast<std::size_t>(i)] = determinant;
        if (determinant == 0.0L) {
            complete_ = false;
            return false;
        }
        if (values_[0] == 0.0L) values_[0] = determinant;
        if ((determinant < 0.0L) != (values_[0] < 0.0L)) return true;
        return static_cast<std::size_t>(i) + 1 == values_.size() && nearly_vanishes();
    }
    void accept();

private:
    [[nodiscard]] bool nearly_vanishes();
    [[nodiscard]] bool vanishes_between(long double low, long double high);

    std::vector<double> c_;
    std::vector<int> nodes_; ///< the stages of the polynomial
    std::vector<long double> values_, divided_;
    long double at_beginning_ = 0.0L, largest_ = 0.0L; ///< 0: not known; the latter is of moduli since reset()
    bool complete_ = false;                            ///< known at all stages of this step
};

} // namespace daedalus::integrate
