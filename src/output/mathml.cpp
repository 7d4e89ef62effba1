#include "output/mathml.hpp"

#include "output/markup.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace daedalus::output {
namespace {

struct Symbol {
    std::string_view command;
    std::string_view text;
};

constexpr auto letters = std::to_array<Symbol>({
    {"alpha", "α"},  {"beta", "β"},  {"gamma", "γ"},   {"delta", "δ"},    {"epsilon", "ϵ"}, {"varepsilon", "ε"},
    {"zeta", "ζ"},   {"eta", "η"},   {"theta", "θ"},   {"vartheta", "ϑ"}, {"iota", "ι"},    {"kappa", "κ"},
    {"lambda", "λ"}, {"mu", "μ"},    {"nu", "ν"},      {"xi", "ξ"},       {"pi", "π"},      {"rho", "ρ"},
    {"sigma", "σ"},  {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "ϕ"},      {"varphi", "φ"},  {"chi", "χ"},
    {"psi", "ψ"},    {"omega", "ω"}, {"Gamma", "Γ"},   {"Delta", "Δ"},    {"Theta", "Θ"},   {"Lambda", "Λ"},
    {"Xi", "Ξ"},     {"Pi", "Π"},    {"Sigma", "Σ"},   {"Upsilon", "Υ"},  {"Phi", "Φ"},     {"Psi", "Ψ"},
    {"Omega", "Ω"},  {"infty", "∞"}, {"partial", "∂"}, {"ell", "ℓ"},
});

constexpr auto operators = std::to_array<Symbol>({
    {"cdot", "⋅"},  {"times", "×"}, {"div", "÷"}, {"pm", "±"},    {"le", "≤"},    {"leq", "≤"},   {"ge", "≥"},
    {"geq", "≥"},   {"ne", "≠"},    {"neq", "≠"}, {"lt", "&lt;"}, {"gt", "&gt;"}, {"land", "∧"},  {"wedge", "∧"},
    {"lor", "∨"},   {"vee", "∨"},   {"neg", "¬"}, {"lnot", "¬"},  {"to", "→"},    {"mid", "|"},   {"vert", "|"},
    {"lvert", "|"}, {"rvert", "|"}, {"{", "{"},   {"}", "}"},     {"%", "%"},     {"&", "&amp;"}, {"prime", "′"},
});

constexpr auto functions = std::to_array<std::string_view>({"sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh",
                                                            "cosh", "tanh", "exp", "log", "ln", "min", "max", "det"});

constexpr auto spaces = std::to_array<Symbol>({{",", "0.167em"},
                                               {":", "0.222em"},
                                               {";", "0.278em"},
                                               {" ", "0.333em"},
                                               {"!", "-0.167em"},
                                               {"quad", "1em"},
                                               {"qquad", "2em"}});

constexpr auto accents =
    std::to_array<Symbol>({{"dot", "˙"}, {"ddot", "¨"}, {"dddot", "⃛"}, {"hat", "^"}, {"bar", "¯"}, {"tilde", "~"}});

constexpr auto text_commands = std::to_array<std::string_view>(
    {"mathrm", "mathit", "mathbf", "mathsf", "mathtt", "text", "textrm", "textit", "texttt", "operatorname"});

template <class Table>
const Symbol* find(const Table& table, std::string_view command) {
    const auto it = std::find_if(table.begin(), table.end(), [&](const Symbol& s) { return s.command == command; });
    return it == table.end() ? nullptr : &*it;
}

template <class Table>
bool contains(const Table& table, std::string_view command) {
    return std::find(table.begin(), table.end(), command) != table.end();
}

std::string tag(std::string_view name, std::string_view content) {
    return "<" + std::string(name) + ">" + std::string(content) + "</" + std::string(name) + ">";
}

std::string row(const std::string& items) { return "<mrow>" + items + "</mrow>"; }

// Recursive descent with a limit: deeper formulas are unreadable as pictures anyway and are shown as text.
class Converter {
public:
    explicit Converter(std::string_view text) : rest_(text) {}

    std::optional<std::string> convert() {
        std::string body = items(0);
        skip_space();
        if (failed_ || !rest_.empty()) return std::nullopt;
        return "<math displaystyle=\"true\">" + row(body) + "</math>";
    }

private:
    static constexpr int deepest = 60;

    void skip_space() {
        while (!rest_.empty() && (std::isspace(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '~'))
            rest_.remove_prefix(1);
    }
    bool take(std::string_view expected) {
        if (!rest_.starts_with(expected)) return false;
        rest_.remove_prefix(expected.size());
        return true;
    }
    std::string fail() {
        failed_ = true;
        return {};
    }

    /// Items up to something that ends a row: '}', '&', "\\\\", "\right", "\end", ']' of an optional argument.
    std::string items(int depth, bool in_brackets = false) {
        std::string out;
        after_operand_ = false;
        for (skip_space(); !failed_ && !rest_.empty() && !ends_row(in_brackets); skip_space()) {
            const bool sign = std::string_view("+-=<>([,/*").find(rest_[0]) != std::string_view::npos;
            out += scripted(depth);
            after_operand_ = !sign;
        }
        return out;
    }
    [[nodiscard]] bool ends_row(bool in_brackets) const {
        return rest_[0] == '}' || rest_[0] == '&' || (in_brackets && rest_[0] == ']') || rest_.starts_with("\\\\") ||
               starts_command("right") || starts_command("end");
    }
    [[nodiscard]] bool starts_command(std::string_view name) const {
        return rest_.size() > name.size() && rest_[0] == '\\' && rest_.substr(1).starts_with(name) &&
               (rest_.size() == name.size() + 1 ||
                std::isalpha(static_cast<unsigned char>(rest_[name.size() + 1])) == 0);
    }

    std::string scripted(int depth) {
        if (depth > deepest) return fail();
        const std::string base = atom(depth);
        std::string below;
        std::string above;
        for (skip_space(); !failed_ && !rest_.empty(); skip_space()) {
            if (rest_[0] == '\'') {
                rest_.remove_prefix(1);
                above += "<mo>′</mo>";
            } else if (below.empty() && take("_")) {
                below = argument(depth);
            } else if (take("^")) {
                above += argument(depth);
            } else {
                break;
            }
        }
        if (below.empty() && above.empty()) return base;
        if (above.empty()) return tag("msub", base + below);
        if (below.empty()) return tag("msup", base + row(above));
        return tag("msubsup", base + below + row(above));
    }

    std::string argument(int depth) {
        skip_space();
        if (rest_.empty()) return fail();
        if (depth > deepest) return fail();
        return atom(depth + 1);
    }

    std::string atom(int depth) {
        const char c = rest_[0];
        if (c == '{') return group(depth);
        if (c == '\\') return command(depth);
        if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
        if (std::isalpha(static_cast<unsigned char>(c)) != 0) return tag("mi", one());
        if (static_cast<unsigned char>(c) >= 0x80) return wide_character();
        if (c == '-') {
            rest_.remove_prefix(1);
            return after_operand_ ? "<mo>−</mo>" : "<mo form=\"prefix\" lspace=\"0\" rspace=\"0\">−</mo>";
        }
        if (std::string_view("+=<>()[]|,/*:;!").find(c) != std::string_view::npos) {
            // Plain brackets keep their size; \left and \right stretch.
            const bool fence = std::string_view("()[]|").find(c) != std::string_view::npos;
            return (fence ? "<mo stretchy=\"false\">" : "<mo>") + escape_markup(one()) + "</mo>";
        }
        return fail();
    }
    std::string one() {
        std::string text(1, rest_[0]);
        rest_.remove_prefix(1);
        return text;
    }
    std::string wide_character() {
        std::string text = one();
        while (!rest_.empty() && (static_cast<unsigned char>(rest_[0]) & 0xC0U) == 0x80U) text += one();
        return tag("mi", escape_markup(text));
    }
    std::string number() {
        std::string text;
        while (!rest_.empty() && (std::isdigit(static_cast<unsigned char>(rest_[0])) != 0 || rest_[0] == '.'))
            text += one();
        return tag("mn", text);
    }
    std::string group(int depth) {
        if (!take("{")) return fail();
        if (depth > deepest) return fail();
        const std::string inside = items(depth + 1);
        if (!take("}")) return fail();
        return row(inside);
    }

    std::string command(int depth) {
        rest_.remove_prefix(1);
        if (rest_.empty()) return fail();
        std::size_t length = 0;
        while (length < rest_.size() && std::isalpha(static_cast<unsigned char>(rest_[length])) != 0) ++length;
        const std::string_view name = rest_.substr(0, std::max<std::size_t>(1, length));
        rest_.remove_prefix(name.size());
        if (name == "_" || name == "#" || name == "$") return tag("mi", name);
        if (const Symbol* letter = find(letters, name)) return tag("mi", letter->text);
        if (const Symbol* sign = find(operators, name)) return tag("mo", sign->text);
        if (const Symbol* space = find(spaces, name)) return "<mspace width=\"" + std::string(space->text) + "\"/>";
        if (contains(functions, name)) return tag("mi", name) + "<mo>&#x2061;</mo>"; // invisible: function application
        if (contains(text_commands, name)) return words(name);
        if (const Symbol* accent = find(accents, name)) {
            const std::string base = argument(depth);
            return "<mover accent=\"true\">" + base + "<mo>" + std::string(accent->text) + "</mo></mover>";
        }
        if (name == "frac" || name == "dfrac" || name == "tfrac") {
            const std::string above = argument(depth);
            const std::string below = failed_ ? std::string() : argument(depth);
            return tag("mfrac", above + below);
        }
        if (name == "sqrt") return root(depth);
        if (name == "left") return fenced(depth);
        if (name == "begin") return cases(depth);
        return fail();
    }

    /// The argument as words, not as a product of letters.
    std::string words(std::string_view name) {
        skip_space();
        if (!take("{")) return fail();
        std::string text;
        int open = 0;
        while (!rest_.empty() && (rest_[0] != '}' || open > 0)) {
            if (rest_[0] == '\\' && rest_.size() > 1) {
                rest_.remove_prefix(1);
                if (std::isalpha(static_cast<unsigned char>(rest_[0])) != 0) return fail();
                text += one();
                continue;
            }
            if (rest_[0] == '{' || rest_[0] == '}') {
                open += rest_[0] == '{' ? 1 : -1;
                rest_.remove_prefix(1);
                continue;
            }
            text += one();
        }
        if (!take("}")) return fail();
        if (name.starts_with("text")) {
            // MathML drops blanks at the ends of a text; here they separate words from formulas.
            for (std::size_t i = 0; i < text.size(); ++i)
                if (text[i] == ' ') text.replace(i, 1, "\u00A0");
            return tag("mtext", escape_markup(text));
        }
        return "<mi mathvariant=\"normal\">" + escape_markup(text) + "</mi>";
    }

    std::string root(int depth) {
        skip_space();
        if (!take("[")) return tag("msqrt", argument(depth));
        const std::string degree = row(items(depth + 1, true));
        if (!take("]")) return fail();
        return tag("mroot", argument(depth) + degree);
    }

    std::string delimiter() {
        skip_space();
        if (rest_.empty()) return fail();
        if (take("\\lbrace") || take("\\{")) return "{";
        if (take("\\rbrace") || take("\\}")) return "}";
        if (take("\\lvert") || take("\\rvert") || take("\\vert")) return "|";
        if (take(".")) return {};
        if (std::string_view("()[]|/").find(rest_[0]) == std::string_view::npos) return fail();
        return one();
    }
    std::string fenced(int depth) {
        if (depth > deepest) return fail();
        const std::string opening = delimiter();
        const std::string inside = failed_ ? std::string() : items(depth + 1);
        if (failed_ || !starts_command("right") || !take("\\right")) return fail();
        const std::string closing = delimiter();
        const auto fence = [](const std::string& text) {
            return text.empty() ? std::string() : "<mo fence=\"true\" stretchy=\"true\">" + text + "</mo>";
        };
        return row(fence(opening) + inside + fence(closing));
    }

    std::string cases(int depth) {
        if (depth > deepest || !take("{cases}")) return fail();
        std::string table;
        std::string line;
        while (!failed_) {
            line += "<mtd style=\"text-align:left\">" + row(items(depth + 1)) + "</mtd>";
            if (take("&")) continue;
            table += tag("mtr", std::exchange(line, {}));
            if (take("\\\\")) {
                skip_space();
                if (!rest_.starts_with("\\end")) continue;
            }
            if (take("\\end{cases}")) break;
            return fail();
        }
        return row("<mo fence=\"true\" stretchy=\"true\">{</mo>" + tag("mtable", table));
    }

    std::string_view rest_;
    bool after_operand_ = false; ///< decides whether a minus sign subtracts or negates
    bool failed_ = false;
};

} // namespace

std::optional<std::string> mathml(std::string_view latex) { return Converter(latex).convert(); }

} // namespace daedalus::output
