// Which relations can change anything while the others stay as they are.
//
// A relation inside a branch that is not taken (a transistor's triode condition while it blocks) decides nothing: its
// zeros are no events. Activity goes from the rows down: a branch is active where its condition, as frozen, takes it.
// Of `a and b` the second operand is inactive where the first is false, of `a or b` where it is true; the first is
// always looked at, so that no change goes unnoticed.
#pragma once

#include "expr/graph.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

struct Compilation;

class ModeActivity {
public:
    ModeActivity() = default;
    /// `expressions`: what c.root_relations were collected from, before they were frozen.
    ModeActivity(const Compilation& c, const std::vector<expr::NodeId>& expressions);

    /// active[k] for the sides of all root functions: +1 where the difference of relation k counts as positive.
    void operator()(const signed char* side, char* active) const;
    /// No relation is ever inactive.
    [[nodiscard]] bool always() const { return entries_.empty(); }

private:
    struct Entry {
        expr::Op op = expr::Op::constant;
        bool above = false;            ///< a relation that is true where its difference is positive
        int root = -1;                 ///< relation k
        int operand[3] = {-1, -1, -1}; ///< entries; -1: without relations below
        int decided_by = -1;           ///< a kink: the entry of its relation
    };
    enum class Truth : char { no, yes, unknown };
    /// An entry below which are both.
    int chained(int rest, int entry);
    /// `below`: of the entries before it, its operands among them.
    [[nodiscard]] static Truth truth(const Entry& e, const signed char* side, const std::vector<Truth>& below);

    std::vector<Entry> entries_; ///< operands before their users
    std::vector<int> rows_;      ///< entries that are active always
    std::vector<char> always_;   ///< roots that are
};

} // namespace daedalus::compile
