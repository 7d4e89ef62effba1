// Kernels hand values from one program to the next through memory: of parameters to those of time, both to the rest and
// to the loops. Whatever is held, looped or translated, the outputs are those of one interpreted tape, bit for bit,
// through any sequence of changes of parameters, time and variables.
#include "codegen/kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

using namespace daedalus;
using codegen::Kernel;
using expr::Graph;
using expr::NodeId;
using expr::Op;

namespace {

class RandomSystem {
public:
    explicit RandomSystem(unsigned seed) : random_(seed) {
        variables_ = static_cast<int>(3 + random_() % 6);
        instances_ = random_() % 3 == 0 ? static_cast<int>(600 + random_() % 200) : static_cast<int>(random_() % 12);
        const int n = variables_ + instances_;
        segments.resize(4);
        segments[1] = {g.time()};
        for (int k = 0; k < n; ++k) {
            segments[0].push_back(g.parameter(k));
            segments[2].push_back(g.variable(k));
            segments[3].push_back(g.variable(k, 1));
        }
        std::vector<NodeId> of_parameters{g.constant(0.5), g.constant(-2.0)};
        for (int k = 0; k < variables_; ++k) of_parameters.push_back(g.parameter(k));
        grow(of_parameters, 8);
        std::vector<NodeId> of_time = of_parameters;
        of_time.push_back(g.time());
        of_time.push_back(g.unary(Op::sin, g.time()));
        grow(of_time, 10);
        std::vector<NodeId> all = of_time;
        for (int k = 0; k < variables_; ++k) {
            all.push_back(g.variable(k));
            all.push_back(g.variable(k, 1));
        }
        grow(all, 20 + static_cast<int>(random_() % 60));
        add_instances(all);
        // Outputs of every kind, also of parameters or of time alone, and some twice.
        for (int k = 0; k < 12; ++k) outputs.push_back(all[random_() % all.size()]);
        outputs.push_back(of_parameters.back());
        outputs.push_back(of_time.back());
        outputs.push_back(outputs.front());
        while (groups.size() < outputs.size()) groups.push_back(static_cast<std::uint32_t>(groups.size()));
    }

    double value() {
        const double specials[] = {0.0, -0.0, 1.0, INFINITY, NAN, -1e-300, 1e300};
        return random_() % 12 == 0 ? specials[random_() % std::size(specials)]
                                   : std::uniform_real_distribution<double>(-2.0, 2.0)(random_);
    }
    bool chance(unsigned one_in) { return random_() % one_in == 0; }

    Graph g;
    codegen::Segments segments;
    std::vector<NodeId> outputs;
    std::vector<std::uint32_t> groups;

private:
    Op any_operation() {
        Op op = Op::variable;
        while (expr::is_leaf(op) || op == Op::call) op = static_cast<Op>(random_() % expr::op_count);
        return op;
    }
    void grow(std::vector<NodeId>& pool, int count) {
        for (int k = 0; k < count; ++k) {
            const Op op = any_operation();
            const std::array<NodeId, 3> operands{pool[random_() % pool.size()], pool[random_() % pool.size()],
                                                 pool[random_() % pool.size()]};
            pool.push_back(g.rebuild(op, std::span(operands.data(), static_cast<std::size_t>(expr::arity(op)))));
        }
    }
    /// One program for many equations that also read what the others share, and two sums over all of them.
    void add_instances(std::vector<NodeId>& all) {
        struct Step {
            Op op;
            std::array<std::size_t, 3> operand;
        };
        const std::array<NodeId, 4> shared{all[random_() % all.size()], all[random_() % all.size()], all.back(),
                                           all[1]};
        const std::size_t leaves = 8;
        std::vector<Step> program(10 + random_() % 20);
        for (std::size_t s = 0; s < program.size(); ++s)
            program[s] = {any_operation(),
                          {random_() % (leaves + s), random_() % (leaves + s), random_() % (leaves + s)}};
        NodeId sum = g.constant(0.0);
        for (int k = variables_; k < variables_ + instances_; ++k) {
            std::vector<NodeId> pool{g.variable(k), g.variable(k, 1), g.parameter(k), g.mul(g.parameter(k), g.time())};
            pool.insert(pool.end(), shared.begin(), shared.end());
            for (const Step& s : program) {
                const std::array<NodeId, 3> operands{pool[s.operand[0]], pool[s.operand[1]], pool[s.operand[2]]};
                pool.push_back(
                    g.rebuild(s.op, std::span(operands.data(), static_cast<std::size_t>(expr::arity(s.op)))));
            }
            sum = g.add(sum, pool[pool.size() - 2]);
            for (std::size_t last = 1; last <= 4; ++last) {
                outputs.push_back(pool[pool.size() - last]);
                groups.push_back(static_cast<std::uint32_t>(k));
            }
        }
        all.push_back(sum);
        all.push_back(g.mul(sum, all[random_() % all.size()]));
    }

    std::mt19937 random_;
    int variables_ = 0, instances_ = 0;
};

bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

} // namespace

TEST(BackendsAgree, ThroughChangesOfParametersAndTime) {
    int with_loops = 0;
    for (unsigned seed = 1; seed <= 240; ++seed) {
        RandomSystem system(seed);
        std::vector<Kernel> kernels;
        for (const bool loops : {false, true})
            for (const tape::Backend backend : {tape::Backend::interpreter, tape::Backend::machine_code})
                kernels.emplace_back(
                    system.g, system.segments, system.outputs,
                    codegen::KernelOptions{.groups = system.groups, .loops = loops, .backend = backend});
        with_loops += kernels[2].stored_instructions() < kernels[0].stored_instructions();
        std::vector<double> p(system.segments[0].size()), x(p.size()), dx(p.size());
        double t = 0.3;
        for (int call = 0; call < 12; ++call) {
            if (call == 0 || system.chance(3)) {
                for (double& v : p) v = system.value();
                for (Kernel& kernel : kernels) kernel.set_parameters(p);
            }
            if (system.chance(2)) t = system.value();
            if (call == 0 || system.chance(2))
                for (std::size_t k = 0; k < x.size(); ++k) {
                    x[k] = system.value();
                    dx[k] = system.value();
                }
            if (call == 6) kernels.push_back(kernels[3]); // a copy goes on with what its original holds
            const std::array<const double*, 3> inputs{&t, x.data(), dx.data()};
            std::vector<double> expected(system.outputs.size()), got(system.outputs.size());
            const bool finite = kernels[0](inputs, expected.data());
            for (std::size_t k = 1; k < kernels.size(); ++k) {
                ASSERT_EQ(kernels[k](inputs, got.data()), finite) << "seed " << seed << " call " << call;
                for (std::size_t i = 0; i < got.size(); ++i)
                    ASSERT_TRUE(same(expected[i], got[i]))
                        << "seed " << seed << " call " << call << " kernel " << k << " output " << i << ": "
                        << expected[i] << " and " << got[i];
            }
        }
    }
    EXPECT_GE(with_loops, 20);
}
