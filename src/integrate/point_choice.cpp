#include "integrate/point_choice.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {
constexpr double suspicious_move = 10.0; // tolerances: what a result may be off by as a whole
constexpr double margin = 2.0;           // polynomials of neighbouring steps differ in error by about this
constexpr double well_determined = 1.0;  // tolerances that rounding may move a node by
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

double PointChoice::moved(const double* x) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
        const double difference = std::abs(x[i] - x_[i]);
        if (difference == 0.0 || problem_.unknowns()[i].auxiliary) continue;
        largest = std::max(largest, difference / tolerance(i, std::max(std::abs(x[i]), std::abs(x_[i]))));
    }
    return largest;
}

bool PointChoice::suspicious(const double* x) const {
    const double way = moved(x);
    return way > suspicious_move && (looked_ || way > margin * believed_);
}

double PointChoice::noise(double shift, const double* x, const double* dx) {
    if (!noise_) noise_ = std::make_unique<PointNoise>(problem_, options_.linear_solver);
    const std::span<const double> level = noise_->measure(t_, shift, x, dx, counters_);
    return in_tolerances({level.begin(), level.end()}, x, &noisiest_);
}

void PointChoice::believe(const double* x) { believed_ = std::max(believed_, moved(x)); }

void PointChoice::add_node(double noise, const double* x, const double* dx) {
    looked_ = true;
    if (!(noise <= well_determined)) return;
    Node node{t_, noise, x_, dx_};
    for (std::size_t i = 0; i < x_.size(); ++i) {
        node.x[i] = x[i] - x_[i];
        node.dx[i] = dx[i] - dx_[i];
    }
    nodes_.push_back(std::move(node));
}

/// So many nodes before t and behind it, those next to it.
std::vector<const PointChoice::Node*> PointChoice::around(int each_side) const {
    std::vector<const Node*> chosen;
    const bool forward = end_ >= begin_;
    int before = 0, behind = 0;
    for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node)
        if ((forward ? node->t < t_ : node->t > t_) && before++ < each_side) chosen.push_back(&*node);
    for (const Node& node : nodes_)
        if ((forward ? node.t > t_ : node.t < t_) && behind++ < each_side) chosen.push_back(&node);
    constexpr int least = 2; // a polynomial needs both sides
    return std::min(before, behind) >= least ? chosen : std::vector<const Node*>();
}

/// The polynomial through the nodes at t (Lagrange).
void PointChoice::sum(const std::vector<const Node*>& nodes, std::vector<double>& x, std::vector<double>& dx) const {
    x.assign(x_.size(), 0.0);
    dx.assign(x_.size(), 0.0);
    for (const Node* node : nodes) {
        double factor = 1.0;
        for (const Node* other : nodes)
            if (other != node) factor *= (t_ - other->t) / (node->t - other->t);
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += factor * node->x[i];
            dx[i] += factor * node->dx[i];
        }
    }
}

void PointChoice::interpolate(double noise, double* x, double* dx) {
    constexpr int most = 4; // on each side: order 8, and without the outer ones order 6 for the error
    double error = noise;
    std::vector<double> way, slope, other, ignored;
    const auto nodes = around(most);
    if (!nodes.empty()) {
        int fewer = most;
        auto others = nodes;
        while (others.size() == nodes.size()) others = around(--fewer);
        sum(nodes, way, slope);
        sum(others, other, ignored);
        for (std::size_t i = 0; i < other.size(); ++i) other[i] -= way[i];
        error = in_tolerances(other, x_.data(), nullptr);
    }
    if (error < noise)
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x[i] = x_[i] + way[i];
            dx[i] = dx_[i] + slope[i];
        }
    const double left = std::min(error, noise);
    if (left > worst_.size) worst_ = {t_, noisiest_, left};
}

} // namespace daedalus::integrate
