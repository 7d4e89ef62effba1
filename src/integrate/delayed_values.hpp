// The past of what is delayed, u(t − T): written as steps are accepted, so that within a step u(t − T) is a known
// function of time (method of steps; HNW II.17). No step is longer than the shortest delay: what it asks for is behind
// it.
//
// u is kept as polynomials (step_polynomials.hpp). Where the method begins anew u may jump, or its slope may: a break.
// It comes back after T, one derivative higher where u follows from integration, and is met exactly there.
#pragma once

#include "integrate/participant.hpp"
#include "integrate/past.hpp"
#include "problem/delays.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

class DelayedValues final : public Participant {
public:
    [[nodiscard]] std::string_view name() const override { return "delayed values"; }
    void begin(Run& run) override;
    void started(Run& run) override;
    [[nodiscard]] Flow before(Run& run) override;
    [[nodiscard]] Verdict judge(Run& run, const Attempt& attempt, double h, double t_new) override;
    [[nodiscard]] Flow delivered(Run& run, const AcceptedStep& step) override;
    void save(const Run& run, Checkpoint& c) const override;
    void load(Run& run, const Checkpoint& c) override;

private:
    [[nodiscard]] bool find_values(Run& run, double t, const double* x, const double* dx);
    [[nodiscard]] double tolerance(const Run& run, double size) const;
    [[nodiscard]] int level_behind(const Run& run, std::size_t k) const;
    void look_for_kinks(const Run& run, double h);
    void tell_readers(Run& run);
    [[nodiscard]] Flow refuse(Run& run, std::size_t k, const char* why);

    const problem::Delays* delays_ = nullptr; ///< null: there are none
    std::shared_ptr<History> past_;
    std::vector<double> values_; ///< of Delays::values
    std::vector<double> x_, dx_;
    ReadersBefore readers_;
};

} // namespace daedalus::integrate
