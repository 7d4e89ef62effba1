// Coupled inductors store the energy ½ Σ k_ij √(L_i L_j) i_i i_j (k_ii = 1), which must not be negative for any
// currents: the matrix of coefficients of each group of coils must be positive semidefinite. Ideal coupling (k = 1, or
// a singular matrix) is none the less an equation that can be solved. Gaussian elimination of the symmetric matrix, by
// sparse rows, in the order of the elements: a pivot below zero, or a zero one with something beside it, is the proof.
#include "spice/reader.hpp"

#include <cmath>
#include <limits>
#include <map>

namespace daedalus::spice {

namespace {

using Row = std::map<int, double>; ///< columns behind the diagonal, by place of the inductor

/// Eliminations: a matrix that fills beyond this belongs to no circuit, and takes seconds.
constexpr long most_work = 200'000'000;

struct Matrix {
    std::map<int, double> diagonal;
    std::map<int, Row> rows;

    double& at(int i, int j) { return rows[std::min(i, j)][std::max(i, j)]; }
};

std::string some_names(const Reader& r, const Matrix& m, int culprit) {
    std::string text = "'" + r.netlist.elements[static_cast<std::size_t>(culprit)].name + "'";
    int count = 1;
    for (const auto& [i, row] : m.rows) {
        if (i == culprit || !row.contains(culprit)) continue;
        if (++count > 6) return text + ", …";
        text += ", '" + r.netlist.elements[static_cast<std::size_t>(i)].name + "'";
    }
    return text;
}

/// The coil at which energy becomes negative, or -1; -2: too large to tell.
int indefinite(Matrix& m) {
    long work = 0;
    // Of the rounding of one row of up to thousands of operations on numbers below 1.
    const double zero = 1e3 * static_cast<double>(m.diagonal.size()) * std::numeric_limits<double>::epsilon();
    for (auto& [i, d] : m.diagonal) {
        if (d < -zero) return i;
        const auto row = m.rows.find(i);
        if (row == m.rows.end()) continue;
        if (d <= zero) {
            for (const auto& [j, value] : row->second)
                if (value * value > zero) return j; // v² ≤ d d_j for semidefinite matrices
            continue;
        }
        for (auto a = row->second.begin(); a != row->second.end(); ++a) {
            m.diagonal[a->first] -= a->second * a->second / d;
            for (auto b = std::next(a); b != row->second.end(); ++b) {
                if (++work > most_work) return -2;
                m.at(a->first, b->first) -= a->second * b->second / d;
            }
        }
    }
    return -1;
}

} // namespace

void Reader::check_couplings() {
    Matrix m;
    for (const Element& e : netlist.elements) {
        if (e.kind != ElementKind::coupling) continue;
        for (std::size_t a = 0; a < e.others.size(); ++a) {
            m.diagonal[e.others[a]] = 1.0;
            for (std::size_t b = 0; b < a; ++b) {
                double& k = m.at(e.others[a], e.others[b]);
                if (k != 0.0) {
                    error("coupling", e.span,
                          "'" + netlist.elements[static_cast<std::size_t>(e.others[b])].name + "' and '" +
                              netlist.elements[static_cast<std::size_t>(e.others[a])].name +
                              "' are coupled twice, here by '" + e.name + "'");
                    return;
                }
                k = e.values.at("k").number;
            }
        }
    }
    Matrix reduced = m;
    const int culprit = indefinite(reduced);
    if (culprit == -2)
        warning("ignored", {}, "so many inductors are coupled that it was not checked whether they can be");
    if (culprit < 0) return;
    error("coupling", netlist.elements[static_cast<std::size_t>(culprit)].span,
          "no coils can be coupled like these: currents in " + some_names(*this, m, culprit) +
              " would store negative energy",
          "three coils with two coefficients near 1 need the third near 1 as well");
}

} // namespace daedalus::spice
