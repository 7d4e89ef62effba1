// Problems without entries of their derivatives: GMRES against a dense solution, methods against themselves with
// entries, and vectors spread over two parties against one whole.
#include "integrate/iteration_matrix.hpp"
#include "integrate/krylov.hpp"
#include "linalg/gmres.hpp"
#include "problems.hpp"

#include <gtest/gtest.h>

#include <barrier>
#include <random>
#include <thread>

namespace daedalus {
namespace {

using problem::Call;
using problem::EvalStatus;
using problem::LinearisationPoint;

/// Two parties that exchange numbers: what messages between processes would do.
struct Parties {
    explicit Parties(int count) : barrier(count), slot(static_cast<std::size_t>(count)) {}
    std::barrier<> barrier;
    std::vector<std::vector<double>> slot;

    /// What every party said, in the order of the parties.
    std::vector<std::vector<double>> say(int who, std::vector<double> what) {
        slot[static_cast<std::size_t>(who)] = std::move(what);
        barrier.arrive_and_wait();
        auto all = slot;
        barrier.arrive_and_wait();
        return all;
    }
};

/// Heat in a rod with a radiating surface, u_t = u_xx - w, w = u⁴: a part of its cells, u and w of each in turn. The
/// ends are held at 1 and 0.
struct Rod {
    int first = 0, cells = 0, all = 0, who = 0;
    Parties* parties = nullptr;

    [[nodiscard]] double inverse_square() const { return static_cast<double>(all + 1) * (all + 1); }
    /// Values of the cells beside this part.
    [[nodiscard]] std::pair<double, double> beside(const double* x, double left_end, double right_end) const {
        std::pair<double, double> ends{left_end, right_end};
        if (parties == nullptr) return ends;
        const auto said = parties->say(who, {x[0], x[2 * (cells - 1)]});
        if (who > 0) ends.first = said[static_cast<std::size_t>(who) - 1][1];
        if (who + 1 < static_cast<int>(said.size())) ends.second = said[static_cast<std::size_t>(who) + 1][0];
        return ends;
    }
    void residual(const double* x, const double* dx, double* r) const {
        const auto [left, right] = beside(x, 1.0, 0.0);
        for (int i = 0; i < cells; ++i) {
            const double before = i > 0 ? x[2 * i - 2] : left, behind = i + 1 < cells ? x[2 * i + 2] : right;
            const double u = x[2 * i], w = x[2 * i + 1];
            r[2 * i] = dx[2 * i] - inverse_square() * (before - 2.0 * u + behind) + w;
            r[2 * i + 1] = w - u * u * u * u;
        }
    }
    /// y = (a J + b M) v
    void product(const double* x, double a, double b, const double* v, double* y) const {
        const auto [left, right] = beside(v, 0.0, 0.0);
        for (int i = 0; i < cells; ++i) {
            const double before = i > 0 ? v[2 * i - 2] : left, behind = i + 1 < cells ? v[2 * i + 2] : right;
            y[2 * i] = b * v[2 * i] + a * (v[2 * i + 1] - inverse_square() * (before - 2.0 * v[2 * i] + behind));
            y[2 * i + 1] = a * (v[2 * i + 1] - 4.0 * x[2 * i] * x[2 * i] * x[2 * i] * v[2 * i]);
        }
    }
    /// (a J + b M)ᵀ v, of a whole rod.
    void transposed(const double* x, double a, double b, const double* v, double* y) const {
        for (int i = 0; i < cells; ++i) {
            const double before = i > 0 ? v[2 * i - 2] : 0.0, behind = i + 1 < cells ? v[2 * i + 2] : 0.0;
            y[2 * i] = b * v[2 * i] - a * inverse_square() * (before - 2.0 * v[2 * i] + behind) -
                       a * 4.0 * x[2 * i] * x[2 * i] * x[2 * i] * v[2 * i + 1];
            y[2 * i + 1] = a * (v[2 * i] + v[2 * i + 1]);
        }
    }
};

/// Solves with this part alone, as if the cells beside it did not change.
class OwnCells final : public problem::ShiftedSolver<double> {
public:
    bool prepare(const Call& call, const LinearisationPoint& at, double shift) override {
        rod_ = &call.object<Rod>();
        const auto n = static_cast<std::size_t>(rod_->cells);
        diagonal_.resize(n);
        steep_.resize(n);
        for (std::size_t i = 0; i < n; ++i) {
            steep_[i] = 4.0 * at.x[2 * i] * at.x[2 * i] * at.x[2 * i];
            diagonal_[i] = shift + 2.0 * rod_->inverse_square() + steep_[i];
        }
        return true;
    }
    bool solve(std::span<double> b) override {
        const std::size_t n = diagonal_.size();
        const double off = -rod_->inverse_square();
        std::vector<double> d = diagonal_, r(n);
        for (std::size_t i = 0; i < n; ++i) r[i] = b[2 * i] - b[2 * i + 1];
        for (std::size_t i = 1; i < n; ++i) {
            const double factor = off / d[i - 1];
            d[i] -= factor * off;
            r[i] -= factor * r[i - 1];
        }
        for (std::size_t i = n; i-- > 0;) {
            const double u = (r[i] - (i + 1 < n ? off * b[2 * i + 2] : 0.0)) / d[i];
            b[2 * i + 1] += steep_[i] * u;
            b[2 * i] = u;
        }
        return true;
    }
    std::string description() const override { return "its own cells"; }

private:
    const Rod* rod_ = nullptr;
    std::vector<double> diagonal_, steep_;
};

enum class Offers { entries, products, differences };

problem::System rod_system(const Rod& rod, Offers offers) {
    problem::System system;
    const int n = 2 * rod.cells;
    system.code = std::make_shared<Rod>(rod);
    system.unknowns.resize(static_cast<std::size_t>(n));
    for (std::size_t k = 1; k < system.unknowns.size(); k += 2) system.unknowns[k].differential = false;
    system.kernels.residual = [](const Call& call, double, const double* x, const double* dx, double* r) {
        call.object<Rod>().residual(x, dx, r);
        return EvalStatus::ok;
    };
    if (offers == Offers::entries) {
        system.pattern = SparsityPattern::dense(n, n);
        system.kernels.jacobian = [](const Call& call, double, const double* x, const double*, double* jx,
                                     double* jdx) {
            const Rod& self = call.object<Rod>();
            const auto size = static_cast<std::size_t>(2 * self.cells);
            std::vector<double> unit(size);
            for (std::size_t j = 0; j < size; ++j) {
                unit.assign(size, 0.0);
                unit[j] = 1.0;
                self.product(x, 1.0, 0.0, unit.data(), jx + j * size);
                self.product(x, 0.0, 1.0, unit.data(), jdx + j * size);
            }
            return EvalStatus::ok;
        };
        return system;
    }
    system.pattern = SparsityPattern::from_entries(n, n, {});
    if (offers == Offers::products)
        system.facets.set(problem::Products{
            [](const Call& call, const LinearisationPoint& at, double a, double b, const double* v, double* y) {
                call.object<Rod>().product(at.x, a, b, v, y);
                return EvalStatus::ok;
            },
            [](const Call& call, const LinearisationPoint& at, double a, double b, const double* v, double* y) {
                call.object<Rod>().transposed(at.x, a, b, v, y);
                return EvalStatus::ok;
            }});
    system.facets.set(problem::Preconditioner{[] { return std::make_unique<OwnCells>(); }});
    return system;
}

std::vector<double> cold(int cells) { return std::vector<double>(static_cast<std::size_t>(2 * cells), 0.0); }
/// x' that fits: the first cell is heated.
std::vector<double> heated(const Rod& rod) {
    std::vector<double> dx = cold(rod.cells);
    if (rod.first == 0) dx[0] = rod.inverse_square();
    return dx;
}

template <class Scalar>
Scalar random_number(std::mt19937& random) {
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    if constexpr (std::is_same_v<Scalar, double>)
        return unit(random);
    else
        return {unit(random), unit(random)};
}

template <class Scalar>
void expect_solved_by_gmres(std::size_t n) {
    std::mt19937 random(7);
    std::vector<Scalar> a(n * n), z(n), b(n);
    for (Scalar& entry : a) entry = random_number<Scalar>(random);
    for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 8.0;
    for (Scalar& entry : z) entry = random_number<Scalar>(random);
    const auto multiply = [&](const Scalar* u, Scalar* y) {
        for (std::size_t i = 0; i < n; ++i) {
            y[i] = Scalar{};
            for (std::size_t j = 0; j < n; ++j) y[i] += a[i * n + j] * u[j];
        }
        return true;
    };
    const auto inner = [&](const Scalar* u, const Scalar* v) {
        Scalar sum{};
        for (std::size_t i = 0; i < n; ++i)
            if constexpr (std::is_same_v<Scalar, double>)
                sum += u[i] * v[i];
            else
                sum += std::conj(u[i]) * v[i];
        return sum;
    };
    multiply(z.data(), b.data());
    linalg::Gmres<Scalar> gmres(n, multiply, inner);
    const Scalar* u = gmres.solve(b, 1e-12, 1e-12);
    ASSERT_NE(u, nullptr);
    for (std::size_t i = 0; i < n; ++i) EXPECT_LT(std::abs(u[i] - z[i]), 1e-9);
}

TEST(Gmres, SolvesRealAndComplexSystems) {
    for (const std::size_t n : {1U, 2U, 20U, 45U}) {
        expect_solved_by_gmres<double>(n);
        expect_solved_by_gmres<std::complex<double>>(n);
    }
}

TEST(Gmres, SaysWhereNothingIsFound) {
    const auto singular = [](const double* u, double* y) {
        y[0] = u[0] + u[1];
        y[1] = 0.0;
        return true;
    };
    const auto inner = [](const double* u, const double* v) { return u[0] * v[0] + u[1] * v[1]; };
    linalg::Gmres<double> gmres(2, singular, inner);
    EXPECT_EQ(gmres.solve(std::vector{1.0, 1.0}, 1e-10, 1e-8), nullptr);
    linalg::Gmres<double> no_value(
        2, [](const double*, double*) { return false; }, inner);
    EXPECT_EQ(no_value.solve(std::vector{1.0, 1.0}, 1e-10, 1e-8), nullptr);
    EXPECT_EQ(gmres.solve(std::vector{NAN, 1.0}, 1e-10, 1e-8), nullptr);
}

TEST(MatrixFree, ProductsAreThoseOfTheEntries) {
    const Rod rod{.cells = 6, .all = 6};
    const problem::ImplicitProblem with(rod_system(rod, Offers::entries));
    std::mt19937 random(3);
    std::vector<double> x(12), dx(12), v(12);
    for (auto* list : {&x, &dx, &v})
        for (double& value : *list) value = random_number<double>(random);
    integrate::Counters counters;
    integrate::JacobianValues expected(with);
    ASSERT_EQ(expected.evaluate(0.0, x.data(), dx.data(), counters), EvalStatus::ok);
    std::vector<double> y0(12, 1.0), y0t(12, 1.0);
    expected.apply(0.7, 2.5, v.data(), y0.data());
    ASSERT_TRUE(expected.apply_transposed(0.7, 2.5, v.data(), y0t.data()));
    for (const Offers offers : {Offers::products, Offers::differences}) {
        const problem::ImplicitProblem without(rod_system(rod, offers));
        integrate::JacobianValues found(without);
        ASSERT_EQ(found.evaluate(0.0, x.data(), dx.data(), counters), EvalStatus::ok);
        std::vector<double> y(12, 1.0), yt(12, 1.0);
        found.apply(0.7, 2.5, v.data(), y.data());
        for (std::size_t k = 0; k < y.size(); ++k) EXPECT_NEAR(y[k], y0[k], offers == Offers::products ? 1e-12 : 1e-4);
        EXPECT_EQ(found.apply_transposed(0.7, 2.5, v.data(), yt.data()), offers == Offers::products);
        if (offers == Offers::products)
            for (std::size_t k = 0; k < yt.size(); ++k) EXPECT_NEAR(yt[k], y0t[k], 1e-12);
    }
}

constexpr const char* runs_without[] = {"bdf", "radau5", "radau", "radau9", "esdirk4", "rodas4", "rodas5", "limex"};

TEST(MatrixFree, MethodsArriveWhereTheyDoWithEntries) {
    const Rod rod{.cells = 20, .all = 20};
    for (const char* method : runs_without) {
        problem::ImplicitProblem with(rod_system(rod, Offers::entries));
        const auto options = testing::with_tolerance(1e-6);
        const auto expected = testing::solve(with, method, 0.0, 0.3, cold(20), heated(rod), options);
        ASSERT_TRUE(expected.finished()) << method << ": " << expected.failure.cause;
        for (const Offers offers : {Offers::products, Offers::differences}) {
            if (offers == Offers::differences && integrate::find_method(method)->can.linearly_implicit) continue;
            problem::ImplicitProblem without(rod_system(rod, offers));
            const auto found = testing::solve(without, method, 0.0, 0.3, cold(20), heated(rod), options);
            ASSERT_TRUE(found.finished()) << method << ": " << found.failure.cause;
            for (std::size_t k = 0; k < found.x.size(); ++k) EXPECT_NEAR(found.x[k], expected.x[k], 1e-5) << method;
            if (offers == Offers::products)
                EXPECT_LE(found.statistics.counters.steps, expected.statistics.counters.steps * 5 / 4 + 2) << method;
        }
    }
}

/// Where the parties' parts end, one after the other; work of each.
struct Spread {
    std::vector<double> x;
    std::vector<long> steps;
};

Spread solve_in_parts(const char* method, int parts, int cells_each, Offers offers,
                      const integrate::IntegrationOptions& options) {
    Parties parties(parts);
    std::vector<integrate::IntegrationResult> results(static_cast<std::size_t>(parts));
    std::vector<std::thread> threads;
    for (int who = 0; who < parts; ++who)
        threads.emplace_back([&, who] {
            const Rod rod{who * cells_each, cells_each, parts * cells_each, who, parts > 1 ? &parties : nullptr};
            problem::System system = rod_system(rod, offers);
            if (parts > 1)
                system.facets.set(problem::Collective{[&parties, who](double part) {
                                                          double sum = 0.0;
                                                          for (const auto& said : parties.say(who, {part}))
                                                              sum += said[0];
                                                          return sum;
                                                      },
                                                      [&parties, who](double part) {
                                                          double largest = -HUGE_VAL;
                                                          for (const auto& said : parties.say(who, {part}))
                                                              largest = std::isnan(said[0]) || std::isnan(largest)
                                                                            ? NAN
                                                                            : std::max(largest, said[0]);
                                                          return largest;
                                                      }});
            problem::ImplicitProblem problem(std::move(system));
            results[static_cast<std::size_t>(who)] =
                testing::solve(problem, method, 0.0, 0.02, cold(cells_each), heated(rod), options);
        });
    for (std::thread& thread : threads) thread.join();
    Spread spread;
    for (const integrate::IntegrationResult& result : results) {
        EXPECT_TRUE(result.finished()) << method << ": " << result.failure.cause;
        spread.x.insert(spread.x.end(), result.x.begin(), result.x.end());
        spread.steps.push_back(result.statistics.counters.steps);
    }
    return spread;
}

TEST(MatrixFree, PartiesTakeTheStepsOfTheWhole) {
    // Every exchange waits for the other thread to be scheduled: few steps, one method of each family.
    for (const char* method : {"bdf", "radau5", "esdirk4", "rodas4"})
        for (const auto norm : {integrate::NormKind::rms, integrate::NormKind::max}) {
            if (norm == integrate::NormKind::max && std::string_view(method) != "bdf") continue;
            auto options = testing::with_tolerance(1e-4);
            options.norm = norm;
            const Spread whole = solve_in_parts(method, 1, 12, Offers::products, options);
            for (const int parts : {2, 3}) {
                if (parts == 3 && norm != integrate::NormKind::max) continue;
                const Spread spread = solve_in_parts(method, parts, 12 / parts, Offers::products, options);
                for (const long steps : spread.steps) EXPECT_EQ(steps, whole.steps[0]) << method;
                ASSERT_EQ(spread.x.size(), whole.x.size());
                for (std::size_t k = 0; k < whole.x.size(); ++k) EXPECT_NEAR(spread.x[k], whole.x[k], 1e-8) << method;
            }
        }
}

TEST(MatrixFree, AMethodThatNeedsEntriesSaysSo) {
    const Rod rod{.cells = 3, .all = 3};
    for (const char* method : {"dop853", "gauss4", "midpoint"}) {
        if (integrate::find_method(method) == nullptr) continue;
        problem::ImplicitProblem problem(rod_system(rod, Offers::products));
        const auto result =
            testing::solve(problem, method, 0.0, 0.1, cold(3), heated(rod), testing::with_tolerance(1e-4));
        EXPECT_FALSE(result.finished());
        EXPECT_EQ(result.failure.reason, integrate::FailureReason::unsuitable) << method;
        EXPECT_NE(result.failure.cause.find(method), std::string::npos) << result.failure.cause;
    }
}

TEST(MatrixFree, MethodsThatDoNotIterateWantProducts) {
    const Rod rod{.cells = 3, .all = 3};
    problem::ImplicitProblem problem(rod_system(rod, Offers::differences));
    const auto result =
        testing::solve(problem, "rodas4", 0.0, 0.1, cold(3), heated(rod), testing::with_tolerance(1e-4));
    EXPECT_EQ(result.failure.reason, integrate::FailureReason::unsuitable);
    EXPECT_NE(result.failure.cause.find("products"), std::string::npos) << result.failure.cause;
}

/// GMRES that finds nothing is a failure with a name, never a result.
TEST(MatrixFree, ASingularSystemFails) {
    problem::System system;
    system.unknowns.resize(2);
    system.unknowns[1].differential = false;
    system.pattern = SparsityPattern::from_entries(2, 2, {});
    system.kernels.residual = [](const Call&, double, const double* x, const double* dx, double* r) {
        r[0] = dx[0] - x[1];
        r[1] = x[0] - 1.0; // x[1] is determined by nothing that index 1 knows
        return EvalStatus::ok;
    };
    problem::ImplicitProblem problem(std::move(system));
    const auto result = testing::solve(problem, "bdf", 0.0, 1.0, {0.0, 0.0}, {0.0, 0.0}, testing::with_tolerance(1e-6));
    EXPECT_FALSE(result.finished() && std::abs(result.x[0] - 1.0) > 1e-3);
}

} // namespace
} // namespace daedalus
