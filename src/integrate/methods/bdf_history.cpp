#include "integrate/methods/bdf_history.hpp"

#include "integrate/methods/difference_output.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

void BdfHistory::start(std::span<const double> x, std::span<const double> dx, double h, std::span<const double> q,
                       std::span<const double> dq) {
    std::copy(x.begin(), x.end(), phi_[0].begin());
    for (std::size_t k = 0; k < n_; ++k) phi_[1][k] = h * dx[k];
    for (std::size_t k = 0; k < m_; ++k) {
        phi_[0][n_ + k] = q[k];
        phi_[1][n_ + k] = h * dq[k];
    }
    for (std::size_t i = 2; i < phi_.size(); ++i) std::fill(phi_[i].begin(), phi_[i].end(), 0.0);
    psi_.fill(0.0);
    psi_[0] = h;
    k_committed_ = 0;
}

void BdfHistory::start(std::span<const double> times, std::span<const double> values) {
    const std::size_t width = n_ + m_;
    const int points = static_cast<int>(times.size());
    for (int i = 0; i < points; ++i)
        std::copy_n(values.data() + static_cast<std::size_t>(i) * width, width, phi_[i].data());
    for (std::size_t i = static_cast<std::size_t>(points); i < phi_.size(); ++i)
        std::fill(phi_[i].begin(), phi_[i].end(), 0.0);
    // Newton's divided differences in place, then times psi[0] … psi[i-1].
    for (int level = 1; level < points; ++level)
        for (int i = points - 1; i >= level; --i)
            for (std::size_t k = 0; k < width; ++k)
                phi_[i][k] = (phi_[i - 1][k] - phi_[i][k]) / (times[i - level] - times[i]);
    psi_.fill(0.0);
    double product = 1.0;
    for (int i = 1; i < points; ++i) {
        psi_[i - 1] = times[0] - times[i];
        product *= psi_[i - 1];
        for (std::size_t k = 0; k < width; ++k) phi_[i][k] *= product;
    }
    psi_[points - 1] = psi_[points - 2] + (times[points - 2] - times[points - 1]);
    k_committed_ = points - 1;
}

void BdfHistory::prepare(double h, int k) {
    k_ = k;
    psi_next_[0] = h;
    for (int i = 1; i <= k; ++i) psi_next_[i] = psi_[i - 1] + h;
    beta_[0] = 1.0;
    sigma_[0] = 1.0;
    gamma_[0] = 0.0;
    for (int i = 1; i <= k; ++i) {
        beta_[i] = beta_[i - 1] * psi_next_[i - 1] / psi_[i - 1];
        sigma_[i] = i * sigma_[i - 1] * h / psi_next_[i];
        gamma_[i] = gamma_[i - 1] + 1.0 / psi_next_[i - 1];
    }
    double alpha_s = 0.0, alpha_0 = 0.0;
    for (int i = 0; i < k; ++i) {
        alpha_s -= 1.0 / (i + 1);
        alpha_0 -= h / psi_next_[i];
    }
    const double alpha_k = h / psi_next_[k];
    cj_ = -alpha_s / h;
    ck_ = std::max(std::abs(alpha_k + alpha_s - alpha_0), alpha_k);
}

void BdfHistory::predict(std::size_t first, std::size_t size, double* x, double* dx) const {
    std::fill_n(x, size, 0.0);
    std::fill_n(dx, size, 0.0);
    for (int i = k_; i >= 0; --i) {
        const double b = beta_[i], g = gamma_[i] * beta_[i];
        const double* phi = phi_[i].data() + first;
        for (std::size_t k = 0; k < size; ++k) {
            x[k] += b * phi[k];
            dx[k] += g * phi[k];
        }
    }
}

void BdfHistory::add_difference(std::size_t first, std::size_t size, int i, const double* v, double* out) const {
    const double b = beta_[i];
    const double* phi = phi_[i].data() + first;
    for (std::size_t k = 0; k < size; ++k) out[k] = b * phi[k] + v[k];
}

void BdfHistory::subtract_top(std::size_t first, std::size_t size, const double* e, double* out) const {
    const double* phi = phi_[k_ + 1].data() + first;
    for (std::size_t k = 0; k < size; ++k) out[k] = e[k] - phi[k];
}

void BdfHistory::commit(const double* e, const double* of_quantity) {
    for (int i = 1; i <= k_; ++i)
        for (double& p : phi_[i]) p *= beta_[i];
    if (k_ < max_order) {
        std::copy_n(e, n_, phi_[k_ + 1].data());
        std::copy_n(of_quantity, m_, phi_[k_ + 1].data() + n_);
    }
    for (std::size_t k = 0; k < n_; ++k) phi_[k_][k] += e[k];
    for (std::size_t k = 0; k < m_; ++k) phi_[k_][n_ + k] += of_quantity[k];
    const std::size_t width = n_ + m_;
    for (int i = k_ - 1; i >= 0; --i)
        for (std::size_t k = 0; k < width; ++k) phi_[i][k] += phi_[i + 1][k];
    for (int i = 0; i <= k_; ++i) psi_[i] = psi_next_[i];
    k_committed_ = k_;
}

void BdfHistory::correct(const double* delta, const double* of_quantity) {
    const int last = std::min(k_committed_ + 1, max_order);
    for (int i = 0; i <= last; ++i) {
        for (std::size_t k = 0; k < n_; ++k) phi_[i][k] += delta[k];
        for (std::size_t k = 0; k < m_; ++k) phi_[i][n_ + k] += of_quantity[k];
    }
}

void BdfHistory::interpolate(double offset, double* x, double* dx) const {
    interpolate_differences(
        polynomial_order(), psi_.data(), [&](int i) { return difference(i); }, n_, offset, x, dx);
}

} // namespace daedalus::integrate
