// The working form of a model while passes transform it: residual equations r_i = 0 in the variables that are left,
// and how the others are recovered. Columns number the variables that are left; rows number the equations.
#pragma once

#include "expr/differentiate.hpp"
#include "model/model.hpp"
#include "structure/incidence.hpp"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace daedalus::transform {

using expr::NodeId;

/// A variable's k-th derivative: one unknown of a jet.
struct JetEntry {
    int variable = 0; ///< model id
    int order = 0;
    friend auto operator<=>(const JetEntry&, const JetEntry&) = default;
};

struct SystemEquation {
    NodeId left = expr::no_node;
    NodeId right = expr::no_node;
    int origin = -1;     ///< equation of the model it was first
    std::string derived; ///< how it was made, if it is not the equation as written ("equation 4 + equation 5")
};

/// variable = value, an expression in the variables that are left (or in time and parameters only).
struct Elimination {
    int variable = 0;
    NodeId value = expr::no_node;
    int origin = -1; ///< the equation that was used up
};

struct System {
    const model::Model* model = nullptr;
    std::vector<SystemEquation> equations;
    std::vector<int> variables; ///< model ids, by column
    std::vector<Elimination> eliminations;
    std::vector<double> parameters; ///< values, for numerical decisions

    /// An equation that was replaced by another in its row: it must still hold, and is checked.
    struct Replaced {
        int row;
        NodeId residual;
        bool by_constraint; ///< by a combination that was hidden, not only written in other variables
    };
    std::vector<Replaced> replaced;

    /// A variable that never varies; while integrating it is parameter `parameter`, behind the model's own.
    struct Held {
        int variable, parameter;
    };
    std::vector<Held> held; ///< ascending by parameter

    /// A variable that the model does not have; returns its id. The model is copied, not changed.
    int introduce(const std::string& name);

    [[nodiscard]] expr::Graph& graph() const { return *model->graph; }
    [[nodiscard]] NodeId residual(int row) const;
    /// By model id; -1 for eliminated variables.
    [[nodiscard]] std::vector<int> columns() const;
    /// The place in the model's source that row came from.
    [[nodiscard]] SourceSpan span(int row) const;
    [[nodiscard]] structure::SignatureMatrix signature() const;

    /// Name of a jet entry: that of a variable eliminated as its alias if there is one, else der(…).
    [[nodiscard]] std::string name(const JetEntry& entry) const;
    /// Names for printing expressions with those aliases.
    [[nodiscard]] expr::Names names() const;
    /// Row as the user would write it.
    [[nodiscard]] std::string text(int row, std::size_t max_length = 400) const;

    void index_aliases(); ///< call after eliminations change

    /// Residuals that are blocks of their own and determine their unknown at random points, with that unknown. Copies
    /// of a system share it, for most equations are the same in all analyses of a model; null: nobody asks any more.
    std::shared_ptr<std::unordered_map<NodeId, JetEntry>> regular_alone =
        std::make_shared<std::unordered_map<NodeId, JetEntry>>();

    std::shared_ptr<model::Model> extended; ///< what `model` points to once a variable was introduced
    int introduced = 0;                     ///< variables at the end that the author does not know

private:
    std::vector<std::pair<JetEntry, int>> alias_names_; ///< sorted: jet entry → variable that is its alias
};

/// The model as written: nothing eliminated.
[[nodiscard]] System make_system(const model::Model& model, std::vector<double> parameters);

} // namespace daedalus::transform
