// The forces of every joint do no work in motions that the joint allows: L = ∂(g')/∂v transposed, where g' follows from
// the constraint alone, by differentiation, and L is what the description wrote into the balances of forces. At random
// points: quaternions have no length 1 there, which must not matter.
#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/substitute.hpp"
#include "mechanics/mech.hpp"
#include "mechanics/read_mechanism.hpp"

#include <map>
#include <random>

using namespace daedalus;

namespace {

using expr::NodeId;
using expr::Op;

class Rows {
public:
    explicit Rows(const model::Model& m) : m_(m), g_(*m.graph) {
        for (const model::Equation& e : m.equations) sort(e);
    }

    /// Largest difference of L and Wᵀ; and the largest entry, so that nothing is compared with nothing.
    std::pair<double, double> compare() {
        double worst = 0, largest = 0;
        EXPECT_EQ(constraints_.size(), multipliers_.size());
        for (std::size_t k = 0; k < std::min(constraints_.size(), multipliers_.size()); ++k)
            for (const auto& [v, row] : balances_) {
                const double L = value(expr::partial(g_, row, multipliers_[k]));
                const double W = value(expr::partial(g_, of_velocities(constraints_[k]), v));
                worst = std::max(worst, std::abs(L - W));
                largest = std::max(largest, std::abs(W));
            }
        return {worst, largest};
    }

private:
    void sort(const model::Equation& e) {
        const NodeId residual = g_.sub(e.right, e.left), roots[] = {residual};
        std::vector<NodeId> derivatives;
        for (const NodeId n : g_.reachable(roots)) {
            if (g_.op(n) != Op::variable) continue;
            if (g_.derivative_order(n) == 1) derivatives.push_back(n);
        }
        if (derivatives.empty()) {
            constraints_.push_back(g_.sub(e.left, e.right));
        } else if (e.description.starts_with("balance")) {
            balances_.emplace_back(g_.variable(g_.variable_id(derivatives.front()), 0), residual);
        } else {
            rates_[derivatives.front()] = e.right;
        }
        for (std::size_t k = multipliers_.size(); k < 1; ++k) find_multipliers();
    }
    void find_multipliers() {
        for (std::size_t k = 0; k < m_.variables.size(); ++k)
            if (m_.variables[k].name.starts_with("j.") && m_.variables[k].name != "j.angle")
                multipliers_.push_back(g_.variable(static_cast<int>(k)));
    }
    NodeId of_velocities(NodeId g) {
        bool has_velocity = false;
        const NodeId roots[] = {g};
        for (const NodeId n : g_.reachable(roots))
            for (const auto& [v, row] : balances_) has_velocity = has_velocity || n == v;
        if (has_velocity) return g;
        expr::TimeDerivative derivative(g_);
        return expr::Substitution(g_, [&](NodeId leaf) {
            const auto at = rates_.find(leaf);
            return at == rates_.end() ? leaf : at->second;
        })(derivative(g));
    }
    double value(NodeId e) const {
        return expr::evaluate(g_, e, [&](NodeId leaf) {
            std::minstd_rand random(expr::index(leaf) * 7919U + 17U);
            random.discard(3);
            return std::uniform_real_distribution<double>(-1.3, 1.4)(random);
        });
    }

    const model::Model& m_;
    expr::Graph& g_;
    std::vector<NodeId> constraints_, multipliers_;
    std::vector<std::pair<NodeId, NodeId>> balances_;
    std::map<NodeId, NodeId> rates_;
};

void expect_no_work(const std::string& bodies, const std::string& joint) {
    const auto m =
        mechanics::read_mechanism(std::make_shared<SourceFile>("test.mech", bodies + joint + " coordinates absolute"));
    ASSERT_TRUE(m) << joint << '\n' << render(m.error());
    const auto [worst, largest] = Rows(*m).compare();
    EXPECT_LT(worst, 1e-12) << joint;
    EXPECT_GT(largest, 0.1) << joint;
}

} // namespace

TEST(JointForces, AreTransposedConstraintsInSpace) {
    const std::string bodies = "mechanism t in space "
                               "body a { mass = 1, inertia = (1, 1.2, 1.3), center = (0.1, 0.2, 0.3),"
                               "         marker m = (0.4, -0.3, 0.2) turned 0.7 about (1, 2, 3) }"
                               "body b { mass = 2, inertia = (2, 2.2, 2.3), center = (-0.1, 0.3, 0.2),"
                               "         marker m = (0.3, 0.5, -0.2) turned 1.7 about (2, -1, 1) } ";
    for (const char* joint :
         {"spherical j between a.m and b.m", "revolute j between a.m and b.m about (1, -2, 0.5)",
          "universal j between a.m and b.m about (1, 0.3, 0) and (0, 1, 0.2)",
          "cylindrical j between a.m and b.m about (0.2, 0.5, 1)", "planar j between a.m and b.m normal (0.2, 0.5, 1)",
          "prismatic j between a.m and b.m along (1, 1, 0)", "fixed j between a.m and b.m",
          "slot j between a.m and b.m along (1, -1, 0.4)", "distance j between a.m and b.m { length = 0.8 }",
          "screw j between a.m and b.m about (0, 1, 1) { pitch = 0.3 }",
          "rolling j between ground and b.m { radius = 0.3 }",
          "rolling j between ground turned 0.3 about (1, 1, 0) and b about (0, 1, 0.2) { radius = 0.3 }",
          "constraint j: a.m.x*b.m.y + sin(b.x - a.z) = b.first_y*a.m.z + time"})
        expect_no_work(bodies, joint);
}

TEST(JointForces, AreTransposedConstraintsInThePlane) {
    const std::string bodies =
        "mechanism t in plane "
        "body a { mass = 1, inertia = 1, center = (0.1, 0.2), marker m = (0.4, -0.3) turned 0.7 }"
        "body b { mass = 2, inertia = 2, center = (-0.1, 0.3), marker m = (0.3, 0.5) turned 1.7 } ";
    for (const char* joint : {"revolute j between a.m and b.m", "prismatic j between a.m and b.m along (1, 1)",
                              "fixed j between a.m and b.m", "slot j between a.m and b.m along (1, -1)",
                              "distance j between a.m and b.m { length = 0.8 }",
                              "rolling j between ground turned 0.2 and b.m { radius = 0.3 }",
                              "constraint j: a.m.x*b.m.y + sin(b.x - a.y) = b.angle*a.m.x + time"})
        expect_no_work(bodies, joint);
}
