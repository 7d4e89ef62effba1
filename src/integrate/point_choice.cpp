#include "integrate/point_choice.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {
constexpr double suspicious_move = 10.0; // tolerances: what a result may be off by as a whole
constexpr double margin = 2.0;           // polynomials of neighbouring steps differ in error by about this
} // namespace

PointChoice::PointChoice(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), options_(options), x_(static_cast<std::size_t>(problem.size())), dx_(x_.size()) {}

void PointChoice::begin(double t, const double* x, const double* dx) {
    t_ = t;
    std::copy_n(x, x_.size(), x_.data());
    std::copy_n(dx, dx_.size(), dx_.data());
}

void PointChoice::begin_step(double begin, double end) {
    begin_ = begin;
    end_ = end;
    nodes_.clear();
    errors_.clear();
    looked_ = false;
    believed_ /= margin; // what was far in one step says less and less of others
}

double PointChoice::tolerance(std::size_t i, double size) const {
    const Tolerance& of = options_.tolerance;
    const double relative = of.relative_each.empty() ? of.relative : of.relative_each[i];
    const double nominal = std::abs(problem_.unknowns()[i].nominal);
    const double absolute = of.absolute_each.empty() ? of.absolute * nominal : of.absolute_each[i];
    return relative * std::max(size, nominal) + absolute;
}

/// The largest component that is a variable of the model.
double PointChoice::in_tolerances(const std::vector<double>& difference, const double* x, int* where) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        if (difference[i] == 0.0 || problem_.unknowns()[i].auxiliary) continue;
        const double now = std::abs(difference[i]) / tolerance(i, std::max(std::abs(x[i]), std::abs(x_[i])));
        if (now <= largest) continue;
        largest = now;
        if (where != nullptr) *where = static_cast<int>(i);
    }
    return largest;
}

double PointChoice::moved(const double* x, int* where) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double difference = std::abs(x[i] - x_[i]);
        if (difference == 0.0 || problem_.unknowns()[i].auxiliary) continue;
        const double now = difference / tolerance(i, std::max(std::abs(x[i]), std::abs(x_[i])));
        if (now <= largest) continue;
        largest = now;
        if (where != nullptr) *where = static_cast<int>(i);
    }
    return largest;
}

bool PointChoice::suspicious(const double* x) const {
    const double way = moved(x);
    return way > suspicious_move && way > margin * believed_;
}

double PointChoice::noise(double shift, const double* x, const double* dx) {
    if (!noise_) noise_ = std::make_unique<PointNoise>(problem_, options_.linear_solver);
    shift_ = shift;
    const std::span<const double> level = noise_->measure(t_, shift, x, dx, counters_);
    return in_tolerances({level.begin(), level.end()}, x, &noisiest_);
}

void PointChoice::set_tolerances(const double* x) {
    tolerances_.resize(x_.size());
    for (std::size_t i = 0; i < x_.size(); ++i)
        tolerances_[i] = tolerance(i, std::max(std::abs(x[i]), std::abs(x_[i])));
}

bool PointChoice::magnifies(double shift, const double* x) {
    constexpr double least = 1e-3; // tolerances: estimates of less are accidents, or round-off
    set_tolerances(x);
    double own = 0.0;
    for (std::size_t i = 0; i < errors_.size(); ++i) {
        errors_[i] = std::max(errors_[i], least * tolerances_[i]);
        if (!problem_.unknowns()[i].auxiliary) own = std::max(own, errors_[i] / tolerances_[i]);
    }
    // Twice that the nearest point may be off by.
    return noise_->of_errors(shift, errors_, tolerances_, counters_) > margin * own;
}

void PointChoice::go_to_nearest(double shift, double* x, double* dx) {
    if (!nearest_) nearest_ = std::make_unique<NearestPoint>(problem_);
    (void)nearest_->find(t_, shift, errors_, x_.data(), dx_.data(), x, dx, counters_);
    // As far as it is from the polynomial, the polynomial is from the solution at least.
    int where = -1;
    const double way = moved(x, &where);
    if (way > worst_.size) worst_ = {t_, where, way, DoubtfulPoint::Error::polynomial, -1};
}

void PointChoice::believe(const double* x) { believed_ = std::max(believed_, moved(x)); }

void PointChoice::add_node(double noise, const double* x, const double* dx) {
    looked_ = true;
    Node node{t_, noise, x_, dx_};
    for (std::size_t i = 0; i < x_.size(); ++i) {
        node.x[i] = x[i] - x_[i];
        node.dx[i] = dx[i] - dx_[i];
    }
    nodes_.push_back(std::move(node));
}

/// Values at the nodes, and at t, of the polynomials that are orthonormal over the nodes, each node counting by what is
/// known of it; by their three-term recurrence (Forsythe 1957).
struct PointChoice::Basis {
    std::vector<double> weight;              ///< per node
    std::vector<std::vector<double>> values; ///< [degree][node]
    std::vector<double> here;                ///< [degree]

    Basis(const std::vector<Node>& nodes, double t, double begin, double end, std::size_t degree) {
        constexpr double least = 0.01; // tolerances: better nodes do not count for all the others
        const double middle = 0.5 * (begin + end), half = 0.5 * (end - begin);
        std::vector<double> place;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            place.push_back((nodes[k].t - middle) / half);
            // A measurement may be small by chance; those beside it are of about the same size.
            double noise = std::max(nodes[k].noise, least);
            if (k > 0) noise = std::max(noise, nodes[k - 1].noise);
            if (k + 1 < nodes.size()) noise = std::max(noise, nodes[k + 1].noise);
            weight.push_back(1.0 / (noise * noise));
        }
        const auto product = [&](const std::vector<double>& a, const std::vector<double>& b) {
            double sum = 0.0;
            for (std::size_t k = 0; k < weight.size(); ++k) sum += weight[k] * a[k] * b[k];
            return sum;
        };
        std::vector<double> next(nodes.size(), 1.0), moved(nodes.size());
        double next_here = 1.0;
        for (std::size_t j = 0; j <= degree; ++j) {
            const double size = std::sqrt(product(next, next));
            for (double& v : next) v /= size;
            values.push_back(next);
            here.push_back(next_here / size);
            for (std::size_t k = 0; k < next.size(); ++k) moved[k] = place[k] * values[j][k];
            next_here = (t - middle) / half * here[j];
            next = moved;
            for (std::size_t i = j > 0 ? j - 1 : 0; i <= j; ++i) {
                const double part = product(moved, values[i]);
                for (std::size_t k = 0; k < next.size(); ++k) next[k] -= part * values[i][k];
                next_here -= part * here[i];
            }
        }
    }
};

void PointChoice::interpolate(double noise, double* x, double* dx) {
    constexpr std::size_t most = 12, first = 2, spare = 2; // degrees, and nodes more than a polynomial needs
    double error = noise;
    if (nodes_.size() > first + spare) {
        const std::size_t degree = std::min(most, nodes_.size() - 1 - spare), n = x_.size();
        const Basis basis(nodes_, t_, begin_, end_, degree);
        std::vector<double> way(n, 0.0), slope(n, 0.0), term(n), best, best_slope;
        double variance = 0.0, before = noise;
        for (std::size_t j = 0; j <= degree; ++j) {
            std::fill(term.begin(), term.end(), 0.0);
            for (std::size_t k = 0; k < nodes_.size(); ++k) {
                const double factor = basis.weight[k] * basis.values[j][k] * basis.here[j];
                for (std::size_t i = 0; i < n; ++i) {
                    term[i] += factor * nodes_[k].x[i];
                    slope[i] += factor * nodes_[k].dx[i];
                }
            }
            for (std::size_t i = 0; i < n; ++i) way[i] += term[i];
            variance += basis.here[j] * basis.here[j];
            const double last = in_tolerances(term, x_.data(), nullptr); // the last two terms tell what is left out
            const double now = std::sqrt(variance) + last + before;
            before = last;
            if (j < first || !(now < error)) continue;
            error = now;
            best = way;
            best_slope = slope;
        }
        for (std::size_t i = 0; i < best.size(); ++i) {
            x[i] = x_[i] + best[i];
            dx[i] = dx_[i] + best_slope[i];
        }
    }
    if (!(error > worst_.size)) return;
    int row = -1;
    if (error > suspicious_move && noise_) {
        (void)noise_->measure(t_, shift_, x, dx, counters_); // the nodes were looked at since
        row = noise_->loudest_row(noisiest_, x, dx, counters_);
    }
    worst_ = {t_, noisiest_, error, DoubtfulPoint::Error::rounding, row};
}

} // namespace daedalus::integrate
