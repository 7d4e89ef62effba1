// Functions of LAPACK that Modelica.Math.Matrices calls: systems of linear equations, whose matrix may depend on
// variables, and least squares of numbers.
#include "expr/routine.hpp"
#include "modelica/translator.hpp"

#include <cmath>
#include <limits>

namespace daedalus::modelica {

using expr::NodeId;

namespace {

/// x of A x = b, the inputs being A row by row and b; NaN where A is singular. From A dx = db − dA x follow the
/// derivatives: ∂x_o/∂b_j = (A⁻¹)_oj is component o of the solution for the unit vector e_j, and
/// ∂x_o/∂A_ij = −(A⁻¹)_oi x_j.
class LinearSolution final : public expr::Routine {
public:
    explicit LinearSolution(int n) : n_(n) {}
    [[nodiscard]] int inputs() const override { return n_ * n_ + n_; }
    [[nodiscard]] int outputs() const override { return n_; }
    void run(const double* in, double* out) const override {
        const auto n = static_cast<std::size_t>(n_);
        std::vector<double> m(in, in + n * n);
        std::copy_n(in + n * n, n, out);
        for (std::size_t k = 0; k < n; ++k) { // elimination with column pivots
            std::size_t p = k;
            for (std::size_t i = k; i < n; ++i)
                if (std::abs(m[i * n + k]) > std::abs(m[p * n + k])) p = i;
            if (!(std::abs(m[p * n + k]) > 0.0)) {
                std::fill_n(out, n, std::numeric_limits<double>::quiet_NaN());
                return;
            }
            for (std::size_t j = 0; j < n; ++j) std::swap(m[p * n + j], m[k * n + j]);
            std::swap(out[p], out[k]);
            for (std::size_t i = k + 1; i < n; ++i) {
                const double f = m[i * n + k] / m[k * n + k];
                for (std::size_t j = k; j < n; ++j) m[i * n + j] -= f * m[k * n + j];
                out[i] -= f * out[k];
            }
        }
        for (std::size_t i = n; i-- > 0;) {
            for (std::size_t j = i + 1; j < n; ++j) out[i] -= m[i * n + j] * out[j];
            out[i] /= m[i * n + i];
        }
    }
    [[nodiscard]] NodeId partial(expr::Graph& g, NodeId self, int k) const override {
        const expr::Graph::Call call = g.call_of(self);
        const int entries = n_ * n_, row = k < entries ? k / n_ : k - entries;
        std::vector<NodeId> unit = call.operands;
        for (int i = 0; i < n_; ++i) unit[static_cast<std::size_t>(entries + i)] = g.constant(i == row ? 1.0 : 0.0);
        const NodeId inverse = g.call(call.routine, call.output, std::move(unit));
        if (k >= entries) return inverse;
        return g.neg(g.mul(inverse, g.call(call.routine, k % n_, call.operands)));
    }
    [[nodiscard]] std::string name() const override { return "solution of linear equations"; }
    [[nodiscard]] std::string text() const override { return "linear" + std::to_string(n_); }

private:
    int n_;
};

using Columns = std::vector<std::vector<double>>;

/// Orthogonal columns u = A v by rotations of pairs of columns (Hestenes, J. SIAM 6, 1958): the singular values are
/// their lengths.
void orthogonalize(Columns& u, Columns& v) {
    const std::size_t n = u.size();
    const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    };
    constexpr int most_sweeps = 60;
    constexpr double unit = std::numeric_limits<double>::epsilon();
    bool turned = true;
    for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
        turned = false;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j) {
                const double a = product(u[i], u[i]), b = product(u[j], u[j]), c = product(u[i], u[j]);
                if (std::abs(c) <= unit * std::sqrt(a * b)) continue;
                turned = true;
                const double zeta = (b - a) / (2.0 * c);
                const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
                const double cosine = 1.0 / std::hypot(1.0, t), sine = cosine * t;
                for (Columns* columns : {&u, &v})
                    for (std::size_t k = 0; k < (*columns)[i].size(); ++k) {
                        const double x = (*columns)[i][k], y = (*columns)[j][k];
                        (*columns)[i][k] = cosine * x - sine * y;
                        (*columns)[j][k] = sine * x + cosine * y;
                    }
            }
    }
}

/// The shortest x that minimises |A x − b|; returns the rank.
int least_squares(Columns a, const std::vector<double>& b, double rcond, std::vector<double>& x) {
    const std::size_t n = a.size();
    Columns v(n, std::vector<double>(n, 0.0));
    for (std::size_t k = 0; k < n; ++k) v[k][k] = 1.0;
    orthogonalize(a, v);
    double largest = 0.0;
    std::vector<double> squares;
    for (const auto& column : a) {
        double sum = 0.0;
        for (const double value : column) sum += value * value;
        squares.push_back(sum);
        largest = std::max(largest, std::sqrt(sum));
    }
    const double smallest =
        largest * std::max(rcond, std::numeric_limits<double>::epsilon() * static_cast<double>(b.size()));
    x.assign(n, 0.0);
    int rank = 0;
    for (std::size_t k = 0; k < n; ++k) {
        if (!(std::sqrt(squares[k]) > smallest)) continue;
        ++rank;
        double along = 0.0;
        for (std::size_t i = 0; i < b.size(); ++i) along += a[k][i] * b[i];
        for (std::size_t i = 0; i < n; ++i) x[i] += v[k][i] * along / squares[k];
    }
    return rank;
}

} // namespace

std::optional<std::vector<Quantity>> Translator::matrix_call(const Context& c, const std::string& name,
                                                             std::vector<Quantity>& a, Span span) {
    if (name == "dgesv") { // (n, nrhs, A, lda, ipiv, B, ldb, info)
        const int n = whole(c, a.at(0), span, "the size of a system");
        const int columns = whole(c, a.at(1), span, "the number of right sides");
        Quantity b = a.at(5);
        const Quantity& m = a.at(2);
        if (n < 0 || columns < 0 || m.nodes.size() != static_cast<std::size_t>(n) * static_cast<std::size_t>(n) ||
            b.nodes.size() != static_cast<std::size_t>(n) * static_cast<std::size_t>(columns))
            fail("array-size", c.unit, span, "the sizes of these linear equations do not fit together");
        const auto solution = std::make_shared<const LinearSolution>(n);
        bool singular = false;
        for (int j = 0; j < columns; ++j) {
            const auto at = [&](int i) -> NodeId& { return b.nodes[static_cast<std::size_t>(i * columns + j)]; };
            std::vector<NodeId> operands = m.nodes, x;
            for (int i = 0; i < n; ++i) operands.push_back(at(i));
            for (int i = 0; i < n; ++i) {
                x.push_back(g_.call(solution, i, operands));
                bool numbers = g_.op(x.back()) == expr::Op::call;
                for (const NodeId operand : operands) numbers = numbers && g_.is_constant(operand);
                singular = singular || numbers;
            }
            for (int i = 0; i < n; ++i) at(i) = x[static_cast<std::size_t>(i)];
        }
        return std::vector<Quantity>{b, scalar(Kind::integer, g_.constant(singular ? 1.0 : 0.0))};
    }
    if (name == "dgelsy") { // (m, n, nrhs, A, lda, B, ldb, jpvt, rcond, rank, work, lwork, info)
        const auto m = static_cast<std::size_t>(whole(c, a.at(0), span, "the number of equations"));
        const auto n = static_cast<std::size_t>(whole(c, a.at(1), span, "the number of unknowns"));
        const auto columns = static_cast<std::size_t>(whole(c, a.at(2), span, "the number of right sides"));
        Quantity matrix = a.at(3), b = a.at(5);
        const double rcond = number(c, a.at(8), span, "rcond");
        if (!fold_all(matrix) || !fold_all(b) || matrix.nodes.size() != m * n ||
            b.nodes.size() != std::max(m, n) * columns)
            unsupported(c.unit, span, "least squares that depend on variables");
        Columns by_column(n, std::vector<double>(m));
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) by_column[j][i] = g_.constant_value(matrix.nodes[i * n + j]);
        int rank = 0;
        for (std::size_t k = 0; k < columns; ++k) {
            std::vector<double> right(m), x;
            for (std::size_t i = 0; i < m; ++i) right[i] = g_.constant_value(b.nodes[i * columns + k]);
            rank = least_squares(by_column, right, rcond, x);
            for (std::size_t i = 0; i < n; ++i) b.nodes[i * columns + k] = g_.constant(x[i]);
        }
        return std::vector<Quantity>{b, scalar(Kind::integer, g_.constant(0.0)),
                                     scalar(Kind::integer, g_.constant(rank))};
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
