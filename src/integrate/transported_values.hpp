// What flows carry along (base/profile.hpp): laid behind the flow as steps are accepted. No step is longer than what
// lies between the ends takes to leave, so that within a step what leaves is a known function of the position.
//
// Where the method begins anew, what enters may jump, or its slope may: a break. It arrives when the flow has carried
// it through, and the reader at that end meets it exactly (a root function, problem/transports.hpp).
#pragma once

#include "integrate/participant.hpp"
#include "integrate/past.hpp"
#include "problem/transports.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::integrate {

class TransportedValues final : public Participant {
public:
    [[nodiscard]] std::string_view name() const override { return "transported values"; }
    void begin(Run& run) override;
    void started(Run& run) override;
    [[nodiscard]] Flow before(Run& run) override;
    [[nodiscard]] Verdict judge(Run& run, const Attempt& attempt, double h, double t_new) override;
    [[nodiscard]] Flow delivered(Run& run, const AcceptedStep& step) override;
    void save(const Run& run, Checkpoint& c) const override;
    void load(Run& run, const Checkpoint& c) override;

private:
    struct Flowing {
        double x = 0.0; ///< position that was laid last, or of the start
        bool forward = true;
        std::optional<int> new_level; ///< of a break that what enters next begins with
    };
    [[nodiscard]] bool find_values(Run& run, double t, const double* x, const double* dx);
    [[nodiscard]] double value(std::size_t k, problem::Transports::Value which) const;
    [[nodiscard]] Profile& profile(std::size_t k) const { return past_->profile(k); }
    void lay_first(Run& run, std::size_t k);
    void lay(Run& run, std::size_t k, const std::vector<PolynomialPiece>& pieces);
    [[nodiscard]] std::optional<int> level_of(Run& run, std::size_t k, Side side, const Profile::Piece& piece) const;
    void tell_readers(Run& run);
    void forget_what_left(Run& run);
    [[nodiscard]] Flow refuse(Run& run);

    const problem::Transports* transports_ = nullptr; ///< null: there are none
    std::shared_ptr<History> past_;
    std::vector<double> values_, x_;
    std::vector<Flowing> flows_;
    ReadersBefore readers_;
    struct Wrong {
        std::size_t transport;
        std::string why;
    };
    std::optional<Wrong> wrong_;
};

} // namespace daedalus::integrate
