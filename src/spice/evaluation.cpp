// Expressions to numbers and formulas: parameters are looked up, functions of the deck carried out, and what consists
// of numbers is computed.
#include "base/printable.hpp"
#include "spice/functions.hpp"
#include "spice/reader.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::spice {

namespace {

/// Parameters that need parameters, functions that call functions. In the order of the file chains are one deep; each
/// level takes about a kilobyte of a stack of megabytes.
constexpr int deepest = 500;
/// Of one element, with its functions carried out: functions that call others twice grow like 2^n.
constexpr std::size_t largest_formula = 1'000'000;

using Kind = Expression::Node::Kind;

struct Part {
    bool constant = true;
    double number = 0.0;
    int node = -1;
};
using Bindings = std::unordered_map<std::string, Part>;

/// One expression: in a formula, or as a number only where `out` is absent.
class Evaluation {
public:
    Evaluation(Reader& reader, Formula* out) : r_(reader), out_(out) {}

    std::optional<Part> of(const Expression& e, Frame& frame, const Bindings* bound) {
        struct Depth {
            int& d;
            explicit Depth(int& depth) : d(++depth) {}
            ~Depth() { --d; }
        } const depth(r_.evaluation_depth);
        if (r_.evaluation_depth > deepest) {
            r_.error("too-deep", e.span(), "values here depend on each other through more than 500 steps");
            return std::nullopt;
        }
        std::vector<Part> parts(e.nodes.size());
        for (std::size_t k = 0; k < e.nodes.size(); ++k) {
            if (++steps_ > largest_formula) {
                r_.error("too-large", e.span(),
                         "this expression has more than a million operations with its functions carried out");
                return std::nullopt;
            }
            auto part = node(e, e.nodes[k], parts, frame, bound);
            if (!part) return std::nullopt;
            parts[k] = *part;
        }
        return parts.back();
    }

    int place(const Part& part, const SourceSpan& span) {
        if (!part.constant) return part.node;
        Formula::Node n;
        n.number = part.number;
        n.span = span;
        return add(std::move(n));
    }

private:
    int add(Formula::Node n) {
        out_->nodes.push_back(std::move(n));
        return static_cast<int>(out_->nodes.size()) - 1;
    }
    std::nullopt_t fail(const SourceSpan& span, std::string message, std::string hint = {}) {
        r_.error("expression", span, std::move(message), std::move(hint));
        return std::nullopt;
    }
    std::optional<Part> leaf(Formula::Kind kind, const SourceSpan& span, std::string name = {}, int a = 0, int b = 0) {
        if (out_ == nullptr)
            return fail(span, "a number is needed here, and this varies with the state of the circuit or with time",
                        "behavioural sources (B) and values of R, C, L, E and G may depend on voltages");
        Formula::Node n;
        n.kind = kind;
        n.span = span;
        n.name = std::move(name);
        n.a = a;
        n.b = b;
        return Part{false, 0.0, add(std::move(n))};
    }

    std::optional<Part> node(const Expression& e, const Expression::Node& n, const std::vector<Part>& parts,
                             Frame& frame, const Bindings* bound) {
        switch (n.kind) {
        case Kind::number: return Part{true, n.number, -1};
        case Kind::name: return name(n, frame, bound);
        case Kind::voltage: {
            if (out_ == nullptr) return leaf(Formula::Kind::voltage, n.span);
            const int a = r_.node(n.text, n.span, frame, NodeUse::formula);
            return leaf(Formula::Kind::voltage, n.span, {}, a,
                        n.other.empty() ? 0 : r_.node(n.other, n.span, frame, NodeUse::formula));
        }
        case Kind::current: {
            const auto part = leaf(Formula::Kind::current, n.span);
            if (part) r_.formula_references.push_back({-1, part->node, true, frame.prefix, n.text, n.span});
            return part;
        }
        case Kind::operation: return operation(e, n, n.text, n.text, parts, true);
        case Kind::call: break;
        }
        return call(e, n, parts, frame);
    }

    std::optional<Part> name(const Expression::Node& n, Frame& frame, const Bindings* bound) {
        const std::string name = lower(n.text);
        if (bound != nullptr)
            if (const auto at = bound->find(name); at != bound->end()) return at->second;
        for (Frame* f = &frame; f != nullptr; f = f->caller)
            if (f->parameters.contains(name)) {
                const auto value = r_.parameter(name, n.span, frame);
                return value ? std::optional(Part{true, *value, -1}) : std::nullopt;
            }
        if (name == "pi") return Part{true, std::numbers::pi, -1};
        if (name == "time") return leaf(Formula::Kind::time, n.span);
        if (name == "temper" || name == "temp") {
            if (out_ != nullptr) return leaf(Formula::Kind::temperature, n.span);
            r_.temperature_is_folded = true;
            return Part{true, r_.netlist.temperature, -1};
        }
        if (name == "hertz" || name == "freq")
            return fail(n.span, "values that depend on the frequency are not read",
                        "an RC network or a transmission line may say the same");
        std::vector<std::string> known;
        for (Frame* f = &frame; f != nullptr; f = f->caller)
            for (const auto& [other, value] : f->parameters) known.push_back(other);
        std::sort(known.begin(), known.end());
        r_.error("unknown-parameter", n.span, "there is no parameter '" + printable(n.text) + "' here",
                 suggestion(name, known));
        return std::nullopt;
    }

    std::optional<Part> operation(const Expression& e, const Expression::Node& n, std::string_view name,
                                  std::string_view written, const std::vector<Part>& parts, bool folds) {
        bool constant = folds;
        std::vector<double> numbers;
        for (std::uint32_t k = 0; k < n.count; ++k) {
            const Part& p = parts[e.operands[n.first + k]];
            constant = constant && p.constant;
            numbers.push_back(p.number);
        }
        if (name == "?:" && parts[e.operands[n.first]].constant) // the other branch is not evaluated
            return parts[e.operands[n.first + (numbers[0] != 0.0 ? 1 : 2)]];
        if (constant) return Part{true, value_of(name, written, numbers, out_ != nullptr), -1};
        if (name == "%") return fail(n.span, "remainders of what varies are not read");
        if (out_ == nullptr) return leaf(Formula::Kind::operation, n.span);
        Formula::Node f;
        f.kind = Formula::Kind::operation;
        f.name = std::string(name);
        f.span = n.span;
        for (std::uint32_t k = 0; k < n.count; ++k) {
            const std::uint32_t at = e.operands[n.first + k];
            f.operands.push_back(place(parts[at], e.nodes[at].span));
        }
        return Part{false, 0.0, add(std::move(f))};
    }

    std::optional<Part> call(const Expression& e, const Expression::Node& n, const std::vector<Part>& parts,
                             Frame& frame) {
        const std::string name = lower(n.text);
        for (Frame* f = &frame; f != nullptr; f = f->around())
            if (const auto at = f->definition->functions.find(name); at != f->definition->functions.end())
                return own_function(at->second, e, n, parts, *f);
        const FunctionEntry* f = find_function(name);
        if (is_random(name, n.count))
            return fail(n.span, "'" + name + "' draws random numbers, which are not read", "give the value itself");
        if (f == nullptr) {
            r_.error("unknown-function", n.span, "there is no function '" + printable(n.text) + "'",
                     suggestion(name, function_names()));
            return std::nullopt;
        }
        const int count = static_cast<int>(n.count);
        if (count < f->least || count > f->most)
            return fail(n.span, "'" + name + "' has " + counted(n.count, "argument") + " and needs " +
                                    std::to_string(f->least) +
                                    (f->most == f->least ? ""
                                     : f->most < 10      ? " to " + std::to_string(f->most)
                                                         : " or more"));
        if ((f->name == "pwl" || f->name == "table") && !points_are_good(e, n, parts)) return std::nullopt;
        return operation(e, n, f->formula_name, f->name, parts, f->folds);
    }

    bool points_are_good(const Expression& e, const Expression::Node& n, const std::vector<Part>& parts) {
        if (n.count % 2 == 0) return fail(n.span, "points are pairs: x1,y1, x2,y2, …"), false;
        const auto part = [&](std::uint32_t k) { return parts[e.operands[n.first + k]]; };
        for (std::uint32_t k = 1; k < n.count; ++k)
            if (!part(k).constant) return fail(e.nodes[e.operands[n.first + k]].span, "points must be numbers"), false;
        for (std::uint32_t k = 3; k < n.count; k += 2)
            if (!(part(k).number > part(k - 2).number))
                return fail(e.nodes[e.operands[n.first + k]].span, "the first numbers of points must increase"), false;
        return true;
    }

    std::optional<Part> own_function(const FunctionCard& f, const Expression& e, const Expression::Node& n,
                                     const std::vector<Part>& parts, Frame& frame) {
        if (f.arguments.size() != n.count)
            return fail(n.span, "'" + f.name + "' has " + counted(n.count, "argument") + " and needs " +
                                    std::to_string(f.arguments.size()));
        if (std::find(active_.begin(), active_.end(), &f) != active_.end())
            return fail(n.span, "function '" + f.name + "' calls itself");
        Bindings bound;
        for (std::uint32_t k = 0; k < n.count; ++k) bound[f.arguments[k]] = parts[e.operands[n.first + k]];
        active_.push_back(&f);
        const auto value = of(f.body, frame, &bound);
        active_.pop_back();
        return value;
    }

    Reader& r_;
    Formula* out_;
    std::vector<const FunctionCard*> active_;
    std::size_t steps_ = 0;
};

bool is_finite(double x, const SourceSpan& span, Reader& r) {
    if (std::isfinite(x)) return true;
    r.error("not-a-number", span,
            std::isnan(x) ? "this has no value: a function is used outside of where it is defined"
                          : "this is infinite: a division by zero, or a number too large");
    return false;
}

} // namespace

std::optional<double> Reader::number(const Expression& expression, Frame& frame) {
    const auto part = expression.literal() ? std::optional(Part{true, expression.nodes[0].number, -1})
                                           : Evaluation(*this, nullptr).of(expression, frame, nullptr);
    if (!part) return std::nullopt;
    if (!is_finite(part->number, expression.span(), *this)) return std::nullopt;
    return part->number;
}

std::optional<Value> Reader::value(Cursor& cursor, Frame& frame, const std::string& what) {
    const Token t = cursor.peek();
    if (t.is(Token::Kind::word)) { // nearly all values of a deck are plain numbers
        const auto read = read_number(t.text, true);
        const char behind = t.span.end < cursor.line().end ? t.span.file->text()[t.span.end] : ' ';
        if (read && read->length == t.text.size() && !read->digits_behind && behind != '{' && behind != '(' &&
            std::isfinite(read->value)) {
            cursor.move_to(t.span.end);
            return Value{read->value, t.span};
        }
    } else if (!t.is(Token::Kind::expression) && !t.is(Token::Kind::stray)) {
        error("missing-number", t.span, what + " is missing");
        return std::nullopt;
    }
    const auto expression = tight_expression(cursor, problems);
    if (!expression) return std::nullopt;
    const auto computed = number(*expression, frame);
    return computed ? std::optional(Value{*computed, expression->span()}) : std::nullopt;
}

std::optional<Reader::FormulaRead> Reader::formula(const Expression& expression, Frame& frame) {
    FormulaRead read;
    Evaluation evaluation(*this, &read.formula);
    const auto part = evaluation.of(expression, frame, nullptr);
    if (!part) return std::nullopt;
    if (part->constant) {
        if (!is_finite(part->number, expression.span(), *this)) return std::nullopt;
        read.constant = part->number;
        read.formula.nodes.clear();
        formula_references.clear();
    }
    const int last = evaluation.place(*part, expression.span());
    // What stands behind the value belongs to branches that a condition left out.
    read.formula.nodes.resize(static_cast<std::size_t>(last) + 1);
    std::erase_if(formula_references, [&](const Reference& r) { return r.place > last; });
    return read;
}

std::optional<double> Reader::parameter(std::string_view name, const SourceSpan& span, Frame& frame) {
    for (Frame* f = &frame; f != nullptr; f = f->caller) {
        const auto at = f->parameters.find(std::string(name));
        if (at == f->parameters.end()) continue;
        Frame::Parameter& p = at->second;
        p.used = true;
        using State = Frame::Parameter::State;
        if (p.state == State::busy) {
            std::string chain;
            const auto first = std::find(evaluating.rbegin(), evaluating.rend(), name).base();
            if (first != evaluating.begin())
                for (auto each = first - 1; each != evaluating.end(); ++each) chain += *each + " → ";
            error("parameter-cycle", p.span,
                  "parameter '" + std::string(name) + "' depends on itself: " + chain + std::string(name));
            return std::nullopt;
        }
        if (p.state == State::unread) {
            p.state = State::busy;
            evaluating.emplace_back(name);
            const auto value = number(*p.expression, *f);
            evaluating.pop_back();
            Frame::Parameter& again = f->parameters.at(std::string(name));
            again.state = value ? State::known : State::failed;
            again.number = value.value_or(0.0);
        }
        const Frame::Parameter& done = f->parameters.at(std::string(name));
        if (done.state == State::failed) return std::nullopt;
        return done.number;
    }
    error("unknown-parameter", span, "there is no parameter '" + std::string(name) + "' here");
    return std::nullopt;
}

bool Reader::active(int branch, Frame& frame) {
    if (branch < 0) return true;
    const std::vector<Branch>& all = frame.definition->branches;
    if (frame.branches.empty()) { // all at once: those around a branch and before it come first
        frame.branches.assign(all.size(), 0);
        std::vector<bool> taken(all.size(), false);
        for (std::size_t k = 0; k < all.size(); ++k) {
            const Branch& b = all[k];
            const auto first = static_cast<std::size_t>(b.first);
            if (taken[first] || (b.parent >= 0 && frame.branches[static_cast<std::size_t>(b.parent)] == 0)) continue;
            const auto value = b.condition.empty() ? std::optional(1.0) : number(b.condition, frame);
            if (!value || *value == 0.0) continue;
            frame.branches[k] = 1;
            taken[first] = true;
        }
    }
    return frame.branches[static_cast<std::size_t>(branch)] == 1;
}

} // namespace daedalus::spice
