// One run's view of a system: F(t, x, x') = 0 with an environment, a workspace and a choice of links of its own. Copies
// share code and nothing else, so that each may run in its own thread.
#pragma once

#include "problem/collective.hpp"
#include "problem/constraints.hpp"
#include "problem/differentiated_quantity.hpp"
#include "problem/hybrid.hpp"
#include "problem/outputs.hpp"
#include "problem/system.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::problem {

class ImplicitProblem {
public:
    ImplicitProblem();
    explicit ImplicitProblem(System system) : ImplicitProblem(std::make_shared<const System>(std::move(system))) {}
    explicit ImplicitProblem(std::shared_ptr<const System> system);

    [[nodiscard]] const System& system() const { return *system_; }
    /// The facet of this type, or an empty one.
    template <class Facet>
    [[nodiscard]] const Facet& facet() const {
        return system_->facets.get<Facet>();
    }
    /// Gives this run a system with another facet of this type.
    template <class Facet>
    void set_facet(Facet facet) {
        auto changed = std::make_shared<System>(*system_);
        changed->facets.set(std::move(facet));
        system_ = std::move(changed);
        others_ = system_->facets.find<Collective>();
    }
    [[nodiscard]] const Legend& names() const { return *facet<Names>().legend; }
    [[nodiscard]] const Hybrid& hybrid() const { return facet<Hybrid>(); }
    [[nodiscard]] const StateChoice& state_choice() const { return facet<StateChoice>(); }
    [[nodiscard]] const Constraints& constraints() const { return facet<Constraints>(); }
    [[nodiscard]] const HiddenConstraints& hidden_constraints() const { return facet<HiddenConstraints>(); }
    [[nodiscard]] const Quadratures& quadratures() const { return facet<Quadratures>(); }
    [[nodiscard]] const Dependents& dependents() const { return facet<Dependents>(); }
    [[nodiscard]] const Collective& collective() const { return facet<Collective>(); }
    [[nodiscard]] int output_count() const { return facet<Outputs>().function.size; }

    [[nodiscard]] const Environment& environment() const { return binding_.environment(); }
    [[nodiscard]] Environment& environment() { return binding_.environment(); }
    [[nodiscard]] const void* code() const { return binding_.code(); }
    [[nodiscard]] Call call() const { return binding_.call(); }
    [[nodiscard]] EvalStatus evaluate(const VectorFunction& f, double t, const double* x, const double* dx,
                                      double* y) const {
        return f.size == 0 ? EvalStatus::ok : f.evaluate(binding_.call(), t, x, dx, y);
    }
    [[nodiscard]] EvalStatus roots(double t, const double* x, const double* dx, double* g) const {
        return evaluate(hybrid().roots, t, x, dx, g);
    }
    [[nodiscard]] EvalStatus hidden(double t, const double* x, const double* dx, double* g) const {
        return evaluate(hidden_constraints().function, t, x, dx, g);
    }
    [[nodiscard]] EvalStatus outputs(double t, const double* x, const double* dx, double* y) const {
        return evaluate(facet<Outputs>().function, t, x, dx, y);
    }

    [[nodiscard]] int size() const { return system_->pattern.cols; }
    [[nodiscard]] int kernel_rows() const { return system_->pattern.rows; }
    [[nodiscard]] const SparsityPattern& pattern() const { return *pattern_; }
    /// The same for those who keep it: it never changes, other links have another one.
    [[nodiscard]] const std::shared_ptr<const SparsityPattern>& shared_pattern() const { return pattern_; }
    [[nodiscard]] const std::vector<Link>& links() const { return links_; }
    /// What is differential is so by the present links.
    [[nodiscard]] const std::vector<UnknownInfo>& unknowns() const { return unknowns_; }
    /// Of any unknown; 1 at least.
    [[nodiscard]] int highest_index() const;
    /// Whether one of them has a derivative, here or elsewhere.
    [[nodiscard]] bool has_differential() const;
    /// Whether the derivatives of F are there entry by entry, on pattern(). Where they are not, see
    /// linear_operations.hpp.
    [[nodiscard]] bool has_entries() const { return system_->kernels.jacobian != nullptr; }

    [[nodiscard]] EvalStatus residual(double t, const double* x, const double* dx, double* r) const;
    /// jx, jdx: values of ∂F/∂x and ∂F/∂x' on pattern(). Where F has a value and they have none, those beside it.
    [[nodiscard]] EvalStatus jacobian(double t, const double* x, const double* dx, double* jx, double* jdx) const;
    /// Residual and Jacobian at one point. jx and jdx must hold values of this revision() from an earlier call of
    /// jacobian(): entries that are constant are not written again.
    [[nodiscard]] EvalStatus linearize(double t, const double* x, const double* dx, double* r, double* jx,
                                       double* jdx) const;

    /// Quantities q = Q(t, x) that methods may difference in place of x; of size 0 where there are none, and then
    /// nobody asks for values.
    [[nodiscard]] const DifferentiatedQuantity& quantity() const { return facet<DifferentiatedQuantity>(); }
    [[nodiscard]] EvalStatus quantity_value(double t, const double* x, double* q) const {
        return quantity().value(binding_.call(), t, x, q); // NOLINT(clang-analyzer-core.CallAndMessage): there is one
    }
    [[nodiscard]] EvalStatus quantity_slope(double t, const double* x, const double* dx, double* dq) const {
        return quantity().slope(binding_.call(), t, x, dx, dq); // NOLINT(clang-analyzer-core.CallAndMessage)
    }
    /// G(t, x, x', q') and its derivatives as DifferentiatedQuantity has them, with the links.
    [[nodiscard]] EvalStatus stated_residual(double t, const double* x, const double* dx, const double* dq,
                                             double* r) const;
    [[nodiscard]] EvalStatus stated_jacobian(double t, const double* x, const double* dx, const double* dq, double* jx,
                                             double* jdx) const;

    /// flags[k] of entry k of pattern(): its value can change from point to point, in ∂F/∂x and in ∂F/∂x'. Others have
    /// the same value everywhere. False: nobody knows, and nothing is written.
    [[nodiscard]] bool mark_varying(std::vector<char>& jx, std::vector<char>& jdx) const;
    [[nodiscard]] bool lists_varying() const { return system_->kernels.linearize != nullptr; }
    /// Between events the Jacobian is the same everywhere. False: it is not, or nobody knows.
    [[nodiscard]] bool linear() const { return system_->kernels.linear; }
    /// It may change by orders of magnitude where unknowns change a little. False: it does not, or nobody knows.
    [[nodiscard]] bool steep() const { return system_->kernels.steep; }
    /// ∂F/∂x' depends on nothing. False: it does, or nobody knows.
    [[nodiscard]] bool constant_leading_matrix() const { return system_->kernels.constant_leading_matrix; }

    /// The most differentiated rows are linear in the leading unknowns (Kernels::leading) …
    [[nodiscard]] bool linear_leading() const { return system_->kernels.leading != nullptr; }
    [[nodiscard]] EvalStatus leading(double t, const double* x, const double* dx, double* r, double* entries) const {
        return system_->kernels.leading(binding_.call(), t, x, dx, r, entries);
    }
    /// … and where the entries are: k of ∂F/∂x on pattern(), or nonzeros + k of ∂F/∂x'.
    [[nodiscard]] std::vector<int> leading_entries() const;

    /// Sides of the root functions at a point, as the relations have them there, behind known instants in the direction
    /// of integration; handed to F. Nested conditions may depend on each other.
    void set_modes_at(double t, const double* x, const double* dx, bool forward, std::vector<signed char>& side);
    /// Hands these sides to F.
    void set_modes(const signed char* side) { hybrid().modes.set(code(), environment(), side); }

    /// Exchanges the links (the same number of them); pattern() changes and revision() grows.
    void set_links(std::vector<Link> links);
    [[nodiscard]] int revision() const { return revision_; }

private:
    void build_pattern();
    void link_residual(const double* x, const double* dx, double* r) const;
    void scatter_jacobian(double* jx, double* jdx) const;

    std::shared_ptr<const System> system_;
    const Collective* others_ = nullptr; ///< of system_: who has the other parts of the vectors
    Binding binding_;
    std::shared_ptr<const SparsityPattern> pattern_ = std::make_shared<const SparsityPattern>();
    std::vector<Link> links_;
    std::vector<UnknownInfo> unknowns_;
    std::vector<int> scatter_;               ///< kernel entry → position in pattern_
    std::vector<int> varying_place_;         ///< kernel's varying entries → positions in pattern_ …
    std::size_t varying_of_x_ = 0;           ///< … so many of them in ∂F/∂x, the rest in ∂F/∂x'
    std::vector<int> next_;                  ///< per column, while the pattern is built
    std::vector<int> link_state_entry_;      ///< position of (link row, state): jdx = 1
    std::vector<int> link_derivative_entry_; ///< position of (link row, derivative): jx = -1
    mutable std::vector<double> scratch_;
    int revision_ = 0;
};

} // namespace daedalus::problem
