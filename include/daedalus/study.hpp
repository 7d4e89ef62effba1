// Experiments for teaching and for trust: the orders of methods on classes of DAEs, as theorems predict and as step
// halving shows them, and published tables, figures and examples reproduced. Values first; text, JSON and HTML from
// them.
#pragma once

#include "daedalus/expected.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace daedalus {

// ---- Orders ---------------------------------------------------------------------------------------------------------

enum class OrderVerdict {
    agrees,      ///< within 0.2 of the prediction
    exceeds,     ///< better than a theorem that is a bound
    differs,     ///< a failure
    no_theorem,  ///< observed, but nothing predicts it
    inapplicable ///< the method is not defined for the class
};

/// One method on one class: one group of components.
struct OrderCell {
    std::string method;
    std::string problem_class;
    std::string component;        ///< "x", "y", "z" as in the theorems
    std::optional<int> predicted; ///< by the theorem
    bool bound = false;           ///< the theorem says "at least"
    std::optional<int> sharp;     ///< what is known to be attained, where a theorem that is a bound leaves it open
    std::string theorem;          ///< "W Thm 3.2 a"
    std::optional<double> observed;
    std::vector<double> steps; ///< h of the runs, and the errors seen
    std::vector<double> errors;
    OrderVerdict verdict = OrderVerdict::no_theorem;
    std::string note;
};

struct OrderName {
    std::string id;
    std::string title;
};

struct OrderTable {
    std::vector<OrderName> methods;
    std::vector<OrderName> classes;
    std::vector<OrderCell> cells;

    [[nodiscard]] int failures() const;
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};

struct OrderOptions {
    std::string method;        ///< id or the beginning of one ("bdf", "gauss-3"); empty: all
    std::string problem_class; ///< likewise
};

/// Fails where no method or no class has that name.
[[nodiscard]] Expected<OrderTable> orders(const OrderOptions& options = {});
[[nodiscard]] std::vector<OrderName> order_methods();
[[nodiscard]] std::vector<OrderName> order_classes();

// ---- Reproductions --------------------------------------------------------------------------------------------------

using StudyValue = std::variant<std::monostate, double, std::string>;

/// Rows of values; a column is known by its name in JSON and by its title to people.
struct StudyTable {
    struct Column {
        std::string name;
        std::string title;
        int digits = 5; ///< significant ones, for people
    };
    std::string caption;
    std::vector<Column> columns;
    std::vector<std::vector<StudyValue>> rows;
};

struct StudyFigure {
    struct Curve {
        std::string label;
        std::vector<double> x;
        std::vector<double> y; ///< NaN: a gap
    };
    std::string title;
    std::string x_label;
    std::string y_label;
    bool log_y = false;
    bool equal_axes = false;
    std::vector<Curve> curves;
};

enum class StudyVerdict { agrees, differs };

struct ReproductionInfo {
    std::string id;     ///< "NC-5.1"
    std::string title;  ///< what it is
    std::string source; ///< where it was published
    std::string shows;  ///< what one learns from it
};

struct Reproduction {
    ReproductionInfo info;
    std::vector<StudyTable> tables;
    std::vector<StudyFigure> figures;
    StudyVerdict verdict = StudyVerdict::agrees;
    std::vector<std::string> remarks; ///< what agrees, what differs and why, what was misprinted

    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
    /// A page that needs nothing else, figures drawn.
    [[nodiscard]] std::string to_html() const;
};

[[nodiscard]] std::vector<ReproductionInfo> reproductions();
/// Fails on an unknown id, with the closest one as a hint.
[[nodiscard]] Expected<Reproduction> reproduce(std::string_view id);
/// A whole file at once, under a temporary name until it is complete.
[[nodiscard]] Expected<std::string> write_page(const Reproduction& reproduction, const std::string& path);

} // namespace daedalus
