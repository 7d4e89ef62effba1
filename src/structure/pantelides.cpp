#include "structure/pantelides.hpp"

#include "structure/matching.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace daedalus::structure {

namespace {

// A variable node is one derivative x_j^(k); an equation node one derivative f_i^(k). Of the derivatives of a variable
// in an equation only the highest is kept as a neighbour: lower ones are never candidates for matching.
class Graph {
public:
    explicit Graph(const SignatureMatrix& sigma)
        : variable_order_(sigma.variables(), 0), equation_order_(sigma.equations(), 0) {
        // Nodes x_j, x_j', …, up to the highest order that appears; node_[j] is the highest.
        std::vector<std::vector<int>> chain(sigma.variables());
        for (int k = 0; k < sigma.pattern.entries(); ++k) {
            int& order = variable_order_[sigma.pattern.column[k]];
            order = std::max(order, sigma.order[k]);
        }
        for (int j = 0; j < sigma.variables(); ++j)
            for (int k = 0; k <= variable_order_[j]; ++k) {
                if (k > 0) derivative_[chain[j].back()] = nodes();
                chain[j].push_back(nodes());
                add_variable_node(j);
            }
        for (int i = 0; i < sigma.equations(); ++i) {
            std::vector<int> neighbours;
            for (int k = sigma.pattern.row_start[i]; k < sigma.pattern.row_start[i + 1]; ++k)
                neighbours.push_back(chain[sigma.pattern.column[k]][sigma.order[k]]);
            add_equation_node(i, std::move(neighbours));
        }
    }

    void run() {
        const int equations = static_cast<int>(equation_order_.size());
        for (int i = 0; i < equations; ++i) {
            int equation = i;
            while (!augment(equation)) equation = differentiate_coloured(equation);
        }
    }

    std::vector<int> variable_order_, equation_order_;
    [[nodiscard]] int equation_nodes() const { return static_cast<int>(neighbours_.size()); }

private:
    [[nodiscard]] int nodes() const { return static_cast<int>(derivative_.size()); }

    int add_variable_node(int variable) {
        derivative_.push_back(-1);
        variable_of_.push_back(variable);
        assigned_.push_back(-1);
        variable_colour_.push_back(0);
        return nodes() - 1;
    }
    int add_equation_node(int equation, std::vector<int> neighbours) {
        neighbours_.push_back(std::move(neighbours));
        equation_of_.push_back(equation);
        differentiated_.push_back(-1);
        equation_colour_.push_back(0);
        cursor_.push_back(0);
        return equation_nodes() - 1;
    }
    [[nodiscard]] bool highest(int node) const { return derivative_[node] < 0; }

    // AUGMENTPATH of the paper with an explicit path instead of recursion; colours what it visits.
    bool augment(int root) {
        ++colour_;
        coloured_equations_.clear();
        coloured_variables_.clear();
        std::vector<int> path;
        const auto enter = [&](int equation) {
            equation_colour_[equation] = colour_;
            coloured_equations_.push_back(equation);
            cursor_[equation] = 0;
            path.push_back(equation);
        };
        enter(root);
        while (!path.empty()) {
            const int equation = path.back();
            const std::vector<int>& neighbours = neighbours_[equation];
            if (cursor_[equation] == 0) {
                for (int node : neighbours)
                    if (highest(node) && assigned_[node] < 0) {
                        assigned_[node] = equation;
                        // Each earlier equation of the path takes over the variable that the next one gives up.
                        for (std::size_t k = path.size() - 1; k-- > 0;)
                            assigned_[neighbours_[path[k]][cursor_[path[k]] - 1]] = path[k];
                        return true;
                    }
            }
            bool descended = false;
            while (cursor_[equation] < neighbours.size() && !descended) {
                const int node = neighbours[cursor_[equation]++];
                if (!highest(node) || variable_colour_[node] == colour_) continue;
                variable_colour_[node] = colour_;
                coloured_variables_.push_back(node);
                assert(equation_colour_[assigned_[node]] != colour_);
                enter(assigned_[node]);
                descended = true;
            }
            if (!descended) path.pop_back();
        }
        return false;
    }

    // Differentiates the coloured subset; the derivative of the equation that found no variable is tried next.
    int differentiate_coloured(int failed) {
        for (int node : coloured_variables_) {
            const int variable = variable_of_[node];
            const int fresh = add_variable_node(variable);
            derivative_[node] = fresh;
            ++variable_order_[variable];
        }
        for (int equation : coloured_equations_) {
            std::vector<int> neighbours;
            for (int node : neighbours_[equation]) {
                assert(derivative_[node] >= 0 && "a neighbour of a failed search is coloured or not of highest order");
                neighbours.push_back(derivative_[node]);
            }
            ++equation_order_[equation_of_[equation]];
            const int fresh = add_equation_node(equation_of_[equation], std::move(neighbours));
            differentiated_[equation] = fresh;
        }
        for (int node : coloured_variables_) assigned_[derivative_[node]] = differentiated_[assigned_[node]];
        return differentiated_[failed];
    }

    std::vector<int> derivative_;  // of a variable node, or −1: array A of the paper
    std::vector<int> variable_of_; // the variable a node belongs to
    std::vector<int> assigned_;    // equation matched to a variable node, or −1
    std::vector<int> variable_colour_;
    std::vector<std::vector<int>> neighbours_;
    std::vector<int> equation_of_;
    std::vector<int> differentiated_; // of an equation node, or −1: array B of the paper
    std::vector<int> equation_colour_;
    std::vector<std::size_t> cursor_;
    std::vector<int> coloured_equations_, coloured_variables_;
    int colour_ = 0;
};

} // namespace

PantelidesResult pantelides(const SignatureMatrix& sigma) {
    PantelidesResult result;
    result.regular = sigma.equations() == sigma.variables() && maximum_matching(sigma.pattern).perfect();
    if (!result.regular) return result;
    Graph graph(sigma);
    graph.run();
    result.differentiations = std::move(graph.equation_order_);
    result.highest_order = std::move(graph.variable_order_);
    result.nodes = graph.equation_nodes();
    if (result.differentiations.empty()) return result;
    const bool algebraic =
        std::find(result.highest_order.begin(), result.highest_order.end(), 0) != result.highest_order.end();
    result.structural_index =
        *std::max_element(result.differentiations.begin(), result.differentiations.end()) + (algebraic ? 1 : 0);
    return result;
}

} // namespace daedalus::structure
