// Rooted trees of a given order with their densities, for order conditions of one-step methods (HW IV.7; Butcher 2016).
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

namespace daedalus::testing {

struct Tree {
    std::vector<int> children; ///< positions in the list of all trees, ascending
    int order = 1;
    double density = 1.0; ///< order × product of the children's densities
};

/// All rooted trees up to an order, by order: 1, 1, 2, 4, 9, 20, … of them.
inline std::vector<Tree> rooted_trees(int highest) {
    std::vector<Tree> all{Tree{}};
    for (int order = 2; order <= highest; ++order) {
        const int known = static_cast<int>(all.size());
        std::vector<int> chosen;
        const std::function<void(int, int)> choose = [&](int left, int from) {
            if (left == 0) {
                Tree tree{chosen, order, static_cast<double>(order)};
                for (const int child : chosen) tree.density *= all[static_cast<std::size_t>(child)].density;
                all.push_back(std::move(tree));
                return;
            }
            for (int child = from; child < known; ++child) {
                const int size = all[static_cast<std::size_t>(child)].order;
                if (size > left) continue;
                chosen.push_back(child);
                choose(left - size, child);
                chosen.pop_back();
            }
        };
        choose(order - 1, 0);
    }
    return all;
}

/// Largest |Σ b_i φ_i(t) - 1/γ(t)| over trees of each order (index = order): φ of a vertex with one child uses
/// `single`, of one with several children `several` (both s × s). They differ for Rosenbrock methods (β and α), else
/// both are A.
inline std::vector<double> order_defects(const std::vector<double>& single, const std::vector<double>& several,
                                         const std::vector<double>& b, int highest) {
    const std::size_t s = b.size();
    const std::vector<Tree> trees = rooted_trees(highest);
    std::vector<std::vector<double>> phi;
    std::vector<double> worst(static_cast<std::size_t>(highest) + 1, 0.0);
    for (const Tree& tree : trees) {
        const std::vector<double>& a = tree.children.size() == 1 ? single : several;
        std::vector<double> value(s, 1.0);
        for (const int child : tree.children)
            for (std::size_t i = 0; i < s; ++i) {
                double sum = 0.0;
                for (std::size_t j = 0; j < s; ++j) sum += a[i * s + j] * phi[static_cast<std::size_t>(child)][j];
                value[i] *= sum;
            }
        double total = 0.0;
        for (std::size_t i = 0; i < s; ++i) total += b[i] * value[i];
        double& w = worst[static_cast<std::size_t>(tree.order)];
        w = std::max(w, std::abs(total - 1.0 / tree.density));
        phi.push_back(std::move(value));
    }
    return worst;
}

} // namespace daedalus::testing
