// An InitialProblem from a generic lambda g(u, r) that works on double and complex; the Jacobian is exact by the
// complex step (Squire & Trapp 1998).
#pragma once

#include "problem/initial_problem.hpp"

#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace daedalus::testing {

class NamedLegend final : public problem::Legend {
public:
    NamedLegend(std::vector<std::string> variables, std::vector<std::string> equations)
        : variables_(std::move(variables)), equations_(std::move(equations)) {}
    std::string variable(int column) const override { return variables_[static_cast<std::size_t>(column)]; }
    std::string equation(int row) const override { return equations_[static_cast<std::size_t>(row)]; }
    std::optional<Location> equation_location(int row) const override {
        return Location{"test.mo", 10 + row, 1, 2, equations_[static_cast<std::size_t>(row)]};
    }
    std::optional<Location> variable_location(int column) const override {
        return Location{"test.mo", 1 + column, 1, 2, variables_[static_cast<std::size_t>(column)]};
    }
    std::string domain_error(int row, double, const double* u, const double*,
                             const problem::Environment&) const override {
        return domain ? domain(row, u) : std::string();
    }
    std::function<std::string(int, const double*)> domain;

private:
    std::vector<std::string> variables_, equations_;
};

using Complex = std::complex<double>;

struct LambdaContext {
    std::function<void(const double*, double*)> real;
    std::function<void(const Complex*, Complex*)> complex;
    SparsityPattern pattern;
};

template <class G>
problem::InitialProblem make_initial(int equations, std::vector<problem::InitialUnknown> unknowns, G g) {
    const int n = static_cast<int>(unknowns.size());
    auto context = std::make_shared<LambdaContext>();
    context->real = [g](const double* u, double* r) { g(u, r); };
    context->complex = [g](const Complex* u, Complex* r) { g(u, r); };
    context->pattern = SparsityPattern::dense(equations, n);
    problem::InitialProblem p;
    p.equations = equations;
    p.unknowns = std::move(unknowns);
    p.pattern = context->pattern;
    p.binding = problem::Binding::to(context);
    p.residual = [](const problem::Call& call, double, const double* u, double* r) {
        auto& self = call.object<LambdaContext>();
        self.real(u, r);
        for (int i = 0; i < self.pattern.rows; ++i)
            if (!std::isfinite(r[i])) return problem::EvalStatus::not_finite;
        return problem::EvalStatus::ok;
    };
    p.jacobian = [](const problem::Call& call, double, const double* u, double* values) {
        auto& self = call.object<LambdaContext>();
        const auto cols = static_cast<std::size_t>(self.pattern.cols),
                   rows = static_cast<std::size_t>(self.pattern.rows);
        std::vector<Complex> z(u, u + cols), r(rows);
        auto status = problem::EvalStatus::ok;
        for (std::size_t j = 0; j < cols; ++j) {
            z[j] = {u[j], 1e-100};
            self.complex(z.data(), r.data());
            z[j] = u[j];
            for (std::size_t i = 0; i < rows; ++i) {
                values[j * rows + i] = r[i].imag() / 1e-100;
                if (!std::isfinite(values[j * rows + i])) status = problem::EvalStatus::not_finite;
            }
        }
        return status;
    };
    return p;
}

} // namespace daedalus::testing
