#include "linalg/umfpack_solver.hpp"

#ifdef DAEDALUS_HAVE_UMFPACK
#include "linalg/block_triangle.hpp"
#include "linalg/equilibration.hpp"
#include "linalg/lazy_library.hpp"
#include "linalg/multifrontal_lu.hpp"
#include "linalg/norms.hpp"
#include "linalg/solution_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <numeric>
#include <umfpack.h>
#include <vector>
#endif

namespace daedalus::linalg {

#ifdef DAEDALUS_HAVE_UMFPACK

namespace {

double conjugate(double a) { return a; }
std::complex<double> conjugate(const std::complex<double>& a) { return std::conj(a); }

LazyFunction<Library::umfpack, decltype(::umfpack_di_defaults)> di_defaults("umfpack_di_defaults");
LazyFunction<Library::umfpack, decltype(::umfpack_di_free_numeric)> di_free_numeric("umfpack_di_free_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_di_free_symbolic)> di_free_symbolic("umfpack_di_free_symbolic");
LazyFunction<Library::umfpack, decltype(::umfpack_di_get_numeric)> di_get_numeric("umfpack_di_get_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_di_numeric)> di_numeric("umfpack_di_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_di_symbolic)> di_symbolic("umfpack_di_symbolic");
LazyFunction<Library::umfpack, decltype(::umfpack_di_wsolve)> di_wsolve("umfpack_di_wsolve");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_defaults)> zi_defaults("umfpack_zi_defaults");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_free_numeric)> zi_free_numeric("umfpack_zi_free_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_free_symbolic)> zi_free_symbolic("umfpack_zi_free_symbolic");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_get_numeric)> zi_get_numeric("umfpack_zi_get_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_numeric)> zi_numeric("umfpack_zi_numeric");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_symbolic)> zi_symbolic("umfpack_zi_symbolic");
LazyFunction<Library::umfpack, decltype(::umfpack_zi_wsolve)> zi_wsolve("umfpack_zi_wsolve");

/// The calls under one name; complex numbers are passed in the packed form.
template <class Scalar>
struct Api;

template <>
struct Api<double> {
    static constexpr int transposed = UMFPACK_At;
    static auto symbolic(int n, const int* ap, const int* ai, const double* ax, void** s, const double* c, double* i) {
        return di_symbolic(n, n, ap, ai, ax, s, c, i);
    }
    static auto numeric(const int* ap, const int* ai, const double* ax, void* s, void** m, const double* c, double* i) {
        return di_numeric(ap, ai, ax, s, m, c, i);
    }
    static auto solve(int system, const int* ap, const int* ai, const double* ax, double* x, const double* b, void* m,
                      const double* c, double* i, int* wi, double* w) {
        return di_wsolve(system, ap, ai, ax, x, b, m, c, i, wi, w);
    }
    static auto diagonal(void* m, int* q, double* d) {
        int reciprocal = 0;
        return di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, q, d, &reciprocal, nullptr,
                              m);
    }
    static auto pivots(void* m, int* p, int* q) {
        int reciprocal = 0;
        return di_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, p, q, nullptr, &reciprocal, nullptr,
                              m);
    }
    static void defaults(double* control) { di_defaults(control); }
    static void free_symbolic(void** object) { di_free_symbolic(object); }
    static void free_numeric(void** object) { di_free_numeric(object); }
    static constexpr std::size_t workspace = 5;
};

template <>
struct Api<std::complex<double>> {
    static constexpr int transposed = UMFPACK_Aat; // without conjugation
    static auto symbolic(int n, const int* ap, const int* ai, const double* ax, void** s, const double* c, double* i) {
        return zi_symbolic(n, n, ap, ai, ax, nullptr, s, c, i);
    }
    static auto numeric(const int* ap, const int* ai, const double* ax, void* s, void** m, const double* c, double* i) {
        return zi_numeric(ap, ai, ax, nullptr, s, m, c, i);
    }
    static auto solve(int system, const int* ap, const int* ai, const double* ax, double* x, const double* b, void* m,
                      const double* c, double* i, int* wi, double* w) {
        return zi_wsolve(system, ap, ai, ax, nullptr, x, nullptr, b, nullptr, m, c, i, wi, w);
    }
    static auto diagonal(void* m, int* q, double* d) {
        int reciprocal = 0;
        return zi_get_numeric(nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, q, d,
                              nullptr, &reciprocal, nullptr, m);
    }
    static void defaults(double* control) { zi_defaults(control); }
    static void free_symbolic(void** object) { zi_free_symbolic(object); }
    static void free_numeric(void** object) { zi_free_numeric(object); }
    static constexpr std::size_t workspace = 10;
};

template <class Scalar>
class UmfpackSolver final : public LinearSolver<Scalar> {
public:
    explicit UmfpackSolver(const SparsityPattern& pattern)
        : pattern_(pattern), n_(static_cast<std::size_t>(pattern.cols)), equilibration_(pattern),
          scaled_(pattern.row_index.size()), check_(n_), x_(n_), estimate_(2 * n_), integers_(n_),
          doubles_(Api<Scalar>::workspace * n_) {
        assert(pattern.rows == pattern.cols && n_ > 0);
        Api<Scalar>::defaults(control_.data());
        control_[UMFPACK_SCALE] = UMFPACK_SCALE_NONE; // equilibrated by us, in both directions
        control_[UMFPACK_IRSTEP] = 0;
        // The library's own 0.1, and 0.001 on the diagonal of symmetric patterns, let the entries of saddle-point
        // matrices grow until no digit is left; with 0.5 the factors have as many entries.
        control_[UMFPACK_PIVOT_TOLERANCE] = 0.5;
        control_[UMFPACK_SYM_PIVOT_TOLERANCE] = 0.5;
    }
    ~UmfpackSolver() override {
        if (numeric_ != nullptr) Api<Scalar>::free_numeric(&numeric_);
        if (symbolic_ != nullptr) Api<Scalar>::free_symbolic(&symbolic_);
    }
    UmfpackSolver(const UmfpackSolver&) = delete;
    UmfpackSolver& operator=(const UmfpackSolver&) = delete;

    [[nodiscard]] FactorStatus factor(std::span<const Scalar> values) override {
        singular_column_ = -1;
        if (!equilibration_.scale(pattern_, values, scaled_)) return status_ = FactorStatus::not_finite;
        if (factor_in_pieces()) return status_ = FactorStatus::ok;
        if (symbolic_ == nullptr) {
            const int s =
                Api<Scalar>::symbolic(pattern_.cols, ap(), ai(), ax(), &symbolic_, control_.data(), info_.data());
            if (s < UMFPACK_OK)
                return status_ =
                           s == UMFPACK_ERROR_out_of_memory ? FactorStatus::out_of_memory : FactorStatus::singular;
        }
        const FactorStatus outcome = factor_scaled();
        if (outcome != FactorStatus::ok) return outcome;
        factors_ = judge();
        if (factors_ == Factors::useless) { // the largest entries as pivots, for this matrix and those to come
            control_[UMFPACK_PIVOT_TOLERANCE] = control_[UMFPACK_SYM_PIVOT_TOLERANCE] = 1.0;
            if (const FactorStatus again = factor_scaled(); again != FactorStatus::ok) return again;
            factors_ = judge();
        }
        if (factors_ == Factors::useless) return status_ = FactorStatus::singular;
        // It does not tell how entries grew: with pivots of half of their column, hardly.
        check_.watch(factors_, 1.0, info_[UMFPACK_RCOND]);
        cut();
        return status_;
    }
    void solve(std::span<Scalar> b) override {
        assert(status_ == FactorStatus::ok && b.size() == n_);
        for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.rows()[i];
        solve_well(b, UMFPACK_A);
        for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.cols()[i];
    }
    void solve_transposed(std::span<Scalar> b) override {
        assert(status_ == FactorStatus::ok && b.size() == n_);
        for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.cols()[i];
        solve_well(b, Api<Scalar>::transposed);
        for (std::size_t i = 0; i < n_; ++i) b[i] *= equilibration_.rows()[i];
    }
    [[nodiscard]] double reciprocal_condition() const override {
        if (status_ != FactorStatus::ok) return 0.0;
        const double inverse_norm = estimate_inverse_norm_1(
            std::span<Scalar>(estimate_.data(), n_), std::span<Scalar>(estimate_.data() + n_, n_),
            [this](std::span<Scalar> b) { solve_scaled(b, UMFPACK_A); },
            [this](std::span<Scalar> b) {
                for (Scalar& v : b) v = conjugate(v);
                solve_scaled(b, Api<Scalar>::transposed);
                for (Scalar& v : b) v = conjugate(v);
            });
        return 1.0 / (inverse_norm * matrix_norm_1(pattern_, std::span<const Scalar>(scaled_)));
    }
    [[nodiscard]] int singular_column() const override { return singular_column_; }
    [[nodiscard]] std::string_view name() const override { return "umfpack"; }
    [[nodiscard]] std::string description() const override {
        std::string text = fmt::format("UMFPACK, {} unknowns, {:.0f} entries in the factors, {:.2g} operations", n_,
                                       info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ], info_[UMFPACK_FLOPS]);
        if (pieces_)
            text += fmt::format(", its pivots used again in {} dense pieces, {:.2g} operations", pieces_->pieces(),
                                pieces_->operations());
        return text;
    }

private:
    const int* ap() const { return pattern_.column_start.data(); }
    const int* ai() const { return pattern_.row_index.data(); }
    const double* ax() const { return reinterpret_cast<const double*>(scaled_.data()); }

    [[nodiscard]] FactorStatus factor_scaled() {
        if (numeric_ != nullptr) Api<Scalar>::free_numeric(&numeric_);
        const int s = Api<Scalar>::numeric(ap(), ai(), ax(), symbolic_, &numeric_, control_.data(), info_.data());
        if (s < UMFPACK_OK)
            return status_ = s == UMFPACK_ERROR_out_of_memory ? FactorStatus::out_of_memory : FactorStatus::singular;
        status_ = FactorStatus::ok;
        // A suspicious ratio of pivots: singular if the estimated condition says so, too.
        constexpr double suspicious_ratio = 1e-9;
        const double round_off = std::numeric_limits<double>::epsilon();
        if (s == UMFPACK_WARNING_singular_matrix ||
            (info_[UMFPACK_RCOND] < suspicious_ratio && reciprocal_condition() < round_off)) {
            status_ = FactorStatus::singular;
            singular_column_ = smallest_pivot();
        }
        return status_;
    }
    /// With the pivots that were found just now, for the matrices to come. UMFPACK knows no factorisation with given
    /// pivots, and most of its time goes into finding them.
    void cut() {
        if constexpr (std::is_same_v<Scalar, double>) {
            pieces_.reset();
            constexpr double most_excess = 3.0; // measured: pieces do ten times as many operations in the same time
            constexpr int most_refusals = 3;
            if (refusals_ >= most_refusals || factors_ != Factors::accurate) return;
            std::vector<int> p(n_), q(n_), order(n_), rows(n_), cols(n_);
            BlockTriangle triangle;
            Api<Scalar>::pivots(numeric_, p.data(), q.data());
            if (!find_block_triangle(pattern_, triangle)) return;
            // Every pivot lies in a diagonal block: elimination fills nothing left of them.
            const auto block = [&](int k) {
                return triangle.row_block[static_cast<std::size_t>(p[static_cast<std::size_t>(k)])];
            };
            std::iota(order.begin(), order.end(), 0);
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return block(a) < block(b); });
            std::vector<int> blocks(1, 0);
            for (std::size_t k = 0; k < n_; ++k) {
                rows[k] = p[static_cast<std::size_t>(order[k])];
                cols[k] = q[static_cast<std::size_t>(order[k])];
                if (triangle.col_block[static_cast<std::size_t>(cols[k])] != block(order[k])) return;
                if (k + 1 == n_ || block(order[k]) != block(order[k + 1])) blocks.push_back(static_cast<int>(k) + 1);
            }
            const double entries = 0.5 * (info_[UMFPACK_LNZ] + info_[UMFPACK_UNZ]);
            pieces_ = std::make_unique<MultifrontalLu>(pattern_, PivotOrder{rows, cols, blocks}, most_excess * entries);
            if (!pieces_->usable()) pieces_.reset();
        }
    }
    /// False if there are no pieces, or their pivots do not suit this matrix.
    bool factor_in_pieces() {
        in_pieces_ = false;
        if constexpr (std::is_same_v<Scalar, double>) {
            if (!pieces_) return false;
            // As in klu_solver.cpp: half of the digits, and pivots that are not in need of a closer look.
            constexpr double acceptable_growth = 1e-4, suspicious_ratio = 1e-9;
            if (pieces_->factor(scaled_)) {
                const auto q = pieces_->quality(pattern_, scaled_);
                in_pieces_ = q.growth >= acceptable_growth && q.pivots >= suspicious_ratio;
                check_.watch(Factors::accurate, q.growth, q.pivots);
            }
            if (!in_pieces_) {
                ++refusals_;
                pieces_.reset();
            }
        }
        return in_pieces_;
    }

    [[nodiscard]] Factors judge() {
        return check_.judge(pattern_, std::span<const Scalar>(scaled_),
                            [this](std::span<Scalar> b) { solve_scaled(b, UMFPACK_A); });
    }
    void solve_well(std::span<Scalar> b, int system) {
        check_.solve_watched(
            pattern_, std::span<const Scalar>(scaled_), b, [&](std::span<Scalar> c) { solve_scaled(c, system); },
            system != UMFPACK_A);
    }
    void solve_scaled(std::span<Scalar> b, int system) const {
        if constexpr (std::is_same_v<Scalar, double>)
            if (in_pieces_) return system == UMFPACK_A ? pieces_->solve(b) : pieces_->solve_transposed(b);
        Api<Scalar>::solve(system, ap(), ai(), ax(), reinterpret_cast<double*>(x_.data()),
                           reinterpret_cast<const double*>(b.data()), numeric_, control_.data(), info_.data(),
                           integers_.data(), doubles_.data());
        std::copy(x_.begin(), x_.end(), b.begin());
    }
    [[nodiscard]] int smallest_pivot() {
        Api<Scalar>::diagonal(numeric_, integers_.data(), reinterpret_cast<double*>(x_.data()));
        std::size_t smallest = 0;
        for (std::size_t k = 1; k < n_; ++k)
            if (std::abs(x_[k]) < std::abs(x_[smallest])) smallest = k;
        return integers_[smallest];
    }

    SparsityPattern pattern_;
    std::size_t n_;
    Equilibration<Scalar> equilibration_;
    std::vector<Scalar> scaled_;
    SolutionCheck<Scalar> check_;
    Factors factors_ = Factors::accurate;
    std::unique_ptr<MultifrontalLu> pieces_;
    bool in_pieces_ = false; ///< the present factors
    int refusals_ = 0;       ///< of factors in pieces
    mutable std::vector<Scalar> x_, estimate_;
    mutable std::vector<int> integers_;
    mutable std::vector<double> doubles_;
    std::array<double, UMFPACK_CONTROL> control_{};
    mutable std::array<double, UMFPACK_INFO> info_{};
    void* symbolic_ = nullptr;
    void* numeric_ = nullptr;
    int singular_column_ = -1;
    FactorStatus status_ = FactorStatus::singular;
};

} // namespace

bool umfpack_available() { return library_available(Library::umfpack); }

template <class Scalar>
std::unique_ptr<LinearSolver<Scalar>> make_umfpack_solver(const SparsityPattern& pattern) {
    return std::make_unique<UmfpackSolver<Scalar>>(pattern);
}

#else

bool umfpack_available() { return false; }

template <class Scalar>
std::unique_ptr<LinearSolver<Scalar>> make_umfpack_solver(const SparsityPattern&) {
    return nullptr;
}

#endif

template std::unique_ptr<LinearSolver<double>> make_umfpack_solver(const SparsityPattern&);
template std::unique_ptr<LinearSolver<std::complex<double>>> make_umfpack_solver(const SparsityPattern&);

} // namespace daedalus::linalg
