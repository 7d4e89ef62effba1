#include "problem/matrix_free.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::problem {

namespace {

class MatrixFreeLegend final : public Legend {
public:
    explicit MatrixFreeLegend(std::vector<std::string> names) : names_(std::move(names)) {}
    std::string variable(int column) const override {
        const auto j = static_cast<std::size_t>(column);
        return j < names_.size() ? names_[j] : Legend::variable(column);
    }
    std::string equation(int row) const override { return "residual[" + std::to_string(row) + "] = 0"; }
    std::string domain_error(int, double, const double*, const double*, const Environment&) const override {
        return "the residual function returned no finite value";
    }

private:
    std::vector<std::string> names_;
};

EvalStatus judged(bool reported, const double* y, std::size_t n) {
    return reported && std::all_of(y, y + n, [](double v) { return std::isfinite(v); }) ? EvalStatus::ok
                                                                                        : EvalStatus::not_finite;
}

EvalStatus residual_of(const Call& call, double t, const double* x, const double* dx, double* r) {
    const auto& box = call.object<MatrixFreeBox>();
    const std::size_t n = box.x0.size();
    return judged(box.residual(t, {x, n}, {dx, n}, {r, n}), r, n);
}

EvalStatus product_of(const Call& call, const LinearisationPoint& at, double a, double b, const double* v, double* y) {
    const auto& box = call.object<MatrixFreeBox>();
    const std::size_t n = box.x0.size();
    return judged(box.product(at.t, {at.x, n}, {at.dx, n}, a, b, {v, n}, {y, n}), y, n);
}

/// The callback at the point where it was prepared.
class Callback final : public ShiftedSolver<double> {
public:
    bool prepare(const Call& call, const LinearisationPoint& at, double shift) override {
        box_ = &call.object<MatrixFreeBox>();
        t_ = at.t;
        shift_ = shift;
        x_.assign(at.x, at.x + box_->x0.size());
        dx_.assign(at.dx, at.dx + box_->x0.size());
        return true;
    }
    bool solve(std::span<double> b) override {
        return judged(box_->precondition(t_, x_, dx_, shift_, b), b.data(), b.size()) == EvalStatus::ok;
    }
    std::string description() const override { return "the caller's preconditioner"; }

private:
    const MatrixFreeBox* box_ = nullptr;
    double t_ = 0.0, shift_ = 0.0;
    std::vector<double> x_, dx_;
};

} // namespace

std::optional<Diagnostic> invalid(const MatrixFreeBox& box) {
    BlackBox same; // what both have in common is checked once
    same.residual = box.residual;
    same.x0 = box.x0;
    same.dx0 = box.dx0;
    same.names = box.names;
    if (auto error = invalid(same)) return error;
    if (!box.differential.empty() && box.differential.size() != box.x0.size())
        return make_error("black-box-size", "differential has " + std::to_string(box.differential.size()) +
                                                " entries but x0 has " + std::to_string(box.x0.size()));
    return std::nullopt;
}

Expected<ImplicitProblem> make_implicit_problem(MatrixFreeBox box) {
    if (auto error = invalid(box)) return fail(std::move(*error));
    const int n = static_cast<int>(box.x0.size());
    System system;
    system.unknowns.resize(box.x0.size());
    for (std::size_t k = 0; k < box.differential.size(); ++k)
        system.unknowns[k].differential = box.differential[k] != 0;
    system.pattern = SparsityPattern::from_entries(n, n, {});
    system.kernels.residual = residual_of;
    if (box.product) system.facets.set(Products{product_of, nullptr});
    if (box.precondition) system.facets.set(Preconditioner{[] { return std::make_unique<Callback>(); }});
    system.facets.set(Names{std::make_shared<MatrixFreeLegend>(box.names)});
    system.facets.set(Outputs{{n, [](const Call& call, double, const double* x, const double*, double* y) {
                                   std::copy_n(x, call.object<MatrixFreeBox>().x0.size(), y);
                                   return EvalStatus::ok;
                               }}});
    system.code = std::make_shared<MatrixFreeBox>(std::move(box));
    return ImplicitProblem(std::move(system));
}

} // namespace daedalus::problem
