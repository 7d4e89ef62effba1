// External functions that are built in, by the names of the C functions behind them; all others are refused by name,
// for foreign code never runs here.
#include "expr/functions/function.hpp"
#include "modelica/object.hpp"
#include "modelica/translator.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

std::vector<Quantity> Translator::external_function(const Context& c, Instance* node, Frame& frame, Span span) {
    const ast::ClassDefinition& d = *node->definition;
    const Context at{node->unit, node, &frame, -1};
    std::string name(d.name);
    std::vector<Quantity> given;
    if (ast::given(d.external_call)) {
        const ast::Expr& e = at.at(d.external_call);
        if (e.kind == ExprKind::call) {
            const ast::Call& call = node->unit->tree.call(e);
            name = call.function.text();
            for (const ast::Argument& a : call.arguments) {
                Quantity value;
                try {
                    value = evaluate(at, a.value);
                } catch (const TranslationError&) { // an output that the function will set
                }
                given.push_back(std::move(value));
            }
        }
    } else {
        for (auto& [key, value] : frame.locals) given.push_back(value);
    }
    if (auto results = native(c, name, given, span)) return *results;
    const std::string shown = node->root->path.empty() ? std::string(d.name) : node->root->path;
    unsupported(c.unit, span, "the external function '" + name + "' (of '" + shown + "')",
                "external functions are never run; those of Modelica.Math, tables and strings are built in");
}

std::optional<std::vector<Quantity>> Translator::native(const Context& c, const std::string& name,
                                                        std::vector<Quantity>& a, Span span) {
    if (auto table = table_call(c, name, a, span)) return table;
    const auto one = [](Quantity q) { return std::vector<Quantity>{std::move(q)}; };
    const auto string = [&](std::size_t k) -> const std::string& {
        if (k >= a.size() || a[k].strings.size() != 1) fail("type", c.unit, span, "'" + name + "' needs a string");
        return a[k].strings[0];
    };
    if (name == "ModelicaStrings_length")
        return one(scalar(Kind::integer, g_.constant(static_cast<double>(string(0).size()))));
    if (name == "ModelicaStrings_substring") {
        const int first = std::max(1, whole(c, a.at(1), span, "the position in a string"));
        const int last = whole(c, a.at(2), span, "the position in a string");
        const std::string& s = string(0);
        const auto begin = std::min(static_cast<std::size_t>(first - 1), s.size());
        return one(text(last >= first ? s.substr(begin, static_cast<std::size_t>(last - first + 1)) : std::string()));
    }
    if (name == "ModelicaStrings_compare") {
        std::string x = string(0), y = string(1);
        if (a.size() > 2 && !truth(c, a[2], span, "caseSensitive"))
            for (std::string* s : {&x, &y})
                for (char& letter : *s) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const int order = x.compare(y);
        return one(scalar(Kind::enumeration, g_.constant(order < 0 ? 1.0 : order == 0 ? 2.0 : 3.0)));
    }
    if (name == "ModelicaStrings_skipWhiteSpace") {
        const std::string& s = string(0);
        auto k = static_cast<std::size_t>(std::max(1, whole(c, a.at(1), span, "the position in a string")));
        while (k <= s.size() && (s[k - 1] == ' ' || s[k - 1] == '\t' || s[k - 1] == '\n' || s[k - 1] == '\r')) ++k;
        return one(scalar(Kind::integer, g_.constant(static_cast<double>(k))));
    }
    if (name == "ModelicaInternal_fullPathName") return one(text(string(0)));
    if (name == "ModelicaInternal_print" || name == "ModelicaStreams_closeFile") return std::vector<Quantity>{};
    if (name == "ModelicaInternal_stat") { // 1: none, 2: regular file, 3: directory
        std::ifstream file(string(0));
        return one(scalar(Kind::integer, g_.constant(file ? 2.0 : 1.0)));
    }
    if (name == "dgesv") return solve_linear(c, a, span);
    const expr::Function* f = expr::find_function(name);
    if (f != nullptr && a.size() == static_cast<std::size_t>(expr::arity(f->op))) {
        for (const Quantity& q : a)
            if (!is_number(q.kind) || !q.is_scalar()) return std::nullopt;
        const NodeId node = a.size() == 1 ? g_.unary(f->op, a[0].node()) : g_.binary(f->op, a[0].node(), a[1].node());
        return one(scalar(Kind::real, node));
    }
    return std::nullopt;
}

// dgesv(n, nrhs, A, lda, ipiv, B, ldb, info): Gaussian elimination with column pivots, of numbers.
std::vector<Quantity> Translator::solve_linear(const Context& c, std::vector<Quantity>& a, Span span) {
    const int n = whole(c, a.at(0), span, "the size of a system");
    const int columns = whole(c, a.at(1), span, "the number of right sides");
    Quantity m = a.at(2), b = a.at(5);
    if (!m.ok() || !b.ok() || !fold_all(m) || !fold_all(b))
        unsupported(c.unit, span, "linear systems inside functions that depend on variables");
    std::vector<std::vector<double>> A(static_cast<std::size_t>(n)), B(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < A.size(); ++i) {
        for (int j = 0; j < n; ++j)
            A[i].push_back(g_.constant_value(m.nodes[i * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)]));
        for (int j = 0; j < columns; ++j)
            B[i].push_back(
                g_.constant_value(b.nodes[i * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)]));
    }
    int info = 0;
    for (std::size_t k = 0; k < A.size() && info == 0; ++k) {
        std::size_t p = k;
        for (std::size_t i = k; i < A.size(); ++i)
            if (std::abs(A[i][k]) > std::abs(A[p][k])) p = i;
        if (A[p][k] == 0.0) {
            info = static_cast<int>(k) + 1;
            break;
        }
        std::swap(A[p], A[k]);
        std::swap(B[p], B[k]);
        for (std::size_t i = 0; i < A.size(); ++i) {
            if (i == k) continue;
            const double f = A[i][k] / A[k][k];
            for (std::size_t j = k; j < A.size(); ++j) A[i][j] -= f * A[k][j];
            for (std::size_t j = 0; j < B[i].size(); ++j) B[i][j] -= f * B[k][j];
        }
    }
    for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < B[i].size(); ++j)
            b.nodes[i * B[i].size() + j] = g_.constant(info == 0 ? B[i][j] / A[i][i] : 0.0);
    return {b, scalar(Kind::integer, g_.constant(info))};
}

} // namespace daedalus::modelica
