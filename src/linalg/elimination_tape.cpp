#include "linalg/elimination_tape.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace daedalus::linalg {

namespace {

using tape::Code;
using Slot = std::uint32_t;
constexpr Slot absent = ~Slot{0}; ///< a number that is zero

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Value {
    Slot re = absent, im = absent;
};

/// Appends instructions. Sums grow in place: a sum belongs to the entry that is being computed and to nobody else.
class Writer {
public:
    /// w = [ 1 | inputs ]
    explicit Writer(std::vector<std::size_t> segments) {
        tape_.constants = {1.0};
        Slot begin = 1;
        tape_.segment_begin.push_back(begin);
        for (std::size_t size : segments) tape_.segment_begin.push_back(begin += static_cast<Slot>(size));
        scratch_ = begin;
        tape_.memory = begin + 1;
    }
    [[nodiscard]] Slot input(std::size_t segment, std::size_t k) const {
        return tape_.segment_begin[segment] + static_cast<Slot>(k);
    }

    /// acc - l u
    [[nodiscard]] Value minus_product(const Value& acc, const Value& l, const Value& u) {
        Value r = acc;
        r.re = minus(r.re, l.re, u.re);
        r.re = plus(r.re, l.im, u.im);
        r.im = minus(r.im, l.re, u.im);
        r.im = minus(r.im, l.im, u.re);
        return r;
    }
    [[nodiscard]] Value times(const Value& a, const Value& b) {
        if (a.im == absent && b.im == absent) return {product(a.re, b.re), absent};
        Value r;
        r.re = plus(r.re, a.re, b.re);
        r.re = minus(r.re, a.im, b.im);
        r.im = plus(r.im, a.re, b.im);
        r.im = plus(r.im, a.im, b.re);
        return r;
    }
    /// Entries are of order one, so that |a|² needs no guard: where it leaves the range, the pivot is refused anyway.
    [[nodiscard]] Value reciprocal(const Value& a) {
        const Slot one = 0;
        if (a.im == absent) return {operation(Code::div, one, a.re), absent};
        if (a.re == absent) return {absent, operation(Code::neg, operation(Code::div, one, a.im))};
        const Slot square = plus(product(a.re, a.re), a.im, a.im);
        const Slot inverse = operation(Code::div, one, square);
        return {product(a.re, inverse), operation(Code::neg, product(a.im, inverse))};
    }
    void store(std::size_t out, Slot from) {
        tape_.main_part.push_back({.code = Code::store, .d = static_cast<Slot>(out), .a = from});
    }
    void store(std::size_t entry, int width, const Value& v) {
        if (v.re != absent) store(entry * at(width), v.re);
        if (v.im != absent) store(entry * at(width) + 1, v.im);
    }

    [[nodiscard]] tape::Tape finish(std::size_t outputs) {
        tape_.outputs = static_cast<Slot>(outputs);
        tape_.static_part.push_back({});
        tape_.main_part.push_back({});
        return std::move(tape_);
    }
    [[nodiscard]] std::size_t operations() const { return operations_; }

private:
    Slot operation(Code code, Slot a, Slot b = 0) { return operation_into(tape_.memory++, code, a, b); }
    Slot operation_into(Slot d, Code code, Slot a, Slot b) {
        ++operations_;
        tape_.main_part.push_back({.code = code, .d = d, .a = a, .b = b});
        return d;
    }
    Slot product(Slot a, Slot b) { return a == absent || b == absent ? absent : operation(Code::mul, a, b); }
    Slot plus(Slot acc, Slot a, Slot b) {
        if (a == absent || b == absent) return acc;
        if (acc == absent) return operation(Code::mul, a, b);
        return into_sum(Code::add, acc, operation_into(scratch_, Code::mul, a, b));
    }
    Slot minus(Slot acc, Slot a, Slot b) {
        if (a == absent || b == absent) return acc;
        if (acc == absent) return operation(Code::neg, operation_into(scratch_, Code::mul, a, b));
        return into_sum(Code::sub, acc, operation_into(scratch_, Code::mul, a, b));
    }
    Slot into_sum(Code code, Slot acc, Slot term) {
        const bool is_input = acc < scratch_;
        return operation_into(is_input ? tape_.memory++ : acc, code, acc, term);
    }

    tape::Tape tape_;
    Slot scratch_ = 0; ///< products that are used at once
    std::size_t operations_ = 0;
};

CrossIndex transpose(int n, const std::vector<int>& start, const std::vector<int>& position) {
    CrossIndex t;
    t.start.assign(at(n) + 1, 0);
    for (int i : position) ++t.start[at(i) + 1];
    for (int i = 0; i < n; ++i) t.start[at(i) + 1] += t.start[at(i)];
    t.entry.resize(position.size());
    t.other.resize(position.size());
    std::vector<int> next(t.start.begin(), t.start.end() - 1);
    for (int k = 0; k < n; ++k)
        for (int e = start[at(k)]; e < start[at(k) + 1]; ++e) {
            const int to = next[at(position[at(e)])]++;
            t.entry[at(to)] = e;
            t.other[at(to)] = k;
        }
    return t;
}

FactorLayout layout_of(const EliminationOrder& order, int width) {
    FactorLayout f;
    f.n = static_cast<int>(order.row.size());
    f.width = width;
    f.row = order.row;
    f.col = order.col;
    f.row_position.resize(at(f.n));
    f.column_position.resize(at(f.n));
    for (int k = 0; k < f.n; ++k) {
        f.row_position[at(f.row[at(k)])] = k;
        f.column_position[at(f.col[at(k)])] = k;
    }
    f.l_start = order.l_start;
    f.u_start = order.u_start;
    f.l_position.reserve(order.l_row.size());
    f.u_position.reserve(order.u_col.size());
    for (int i : order.l_row) f.l_position.push_back(f.row_position[at(i)]);
    for (int j : order.u_col) f.u_position.push_back(f.column_position[at(j)]);
    for (int k = 0; k < f.n; ++k) {
        std::sort(f.l_position.begin() + f.l_start[at(k)], f.l_position.begin() + f.l_start[at(k) + 1]);
        std::sort(f.u_position.begin() + f.u_start[at(k)], f.u_position.begin() + f.u_start[at(k) + 1]);
    }
    f.upper_columns = transpose(f.n, f.u_start, f.u_position);
    return f;
}

class EliminationWriter {
public:
    EliminationWriter(const SparsityPattern& pattern, const FactorLayout& layout, std::span<const char> real)
        : f_(layout), writer_({pattern.row_index.size() * at(layout.width)}), value_(layout.entries()),
          lower_(transpose(layout.n, layout.l_start, layout.l_position)), accumulator_(at(layout.n)) {
        // The matrix by rows, in positions.
        start_.assign(at(f_.n) + 1, 0);
        for (int i : pattern.row_index) ++start_[at(f_.row_position[at(i)]) + 1];
        for (int i = 0; i < f_.n; ++i) start_[at(i) + 1] += start_[at(i)];
        std::vector<int> next(start_.begin(), start_.end() - 1);
        entry_.resize(pattern.row_index.size());
        for (int j = 0; j < pattern.cols; ++j)
            for (int e = pattern.column_start[at(j)]; e < pattern.column_start[at(j) + 1]; ++e) {
                const int to = next[at(f_.row_position[at(pattern.row_index[at(e)])])]++;
                Value v{writer_.input(0, at(e) * at(f_.width)), absent};
                if (f_.width == 2 && (real.empty() || real[at(e)] == 0)) v.im = v.re + 1;
                entry_[at(to)] = {f_.column_position[at(j)], v};
            }
    }

    void write() {
        for (int i = 0; i < f_.n; ++i) write_row(i);
    }
    [[nodiscard]] Writer& writer() { return writer_; }
    [[nodiscard]] const std::vector<Value>& values() const { return value_; }
    [[nodiscard]] const CrossIndex& lower() const { return lower_; }

private:
    struct Entry {
        int position = 0;
        Value value;
    };

    /// The terms l_ip u_pj are gathered per target, then each target is computed in one go.
    void write_row(int i) {
        for (int e = start_[at(i)]; e < start_[at(i) + 1]; ++e)
            accumulator_[at(entry_[at(e)].position)] = entry_[at(e)].value;
        const int l_first = lower_.start[at(i)], l_last = lower_.start[at(i) + 1];
        for (int t = l_first; t < l_last; ++t) lay_terms(lower_.other[at(t)], lower_.entry[at(t)]);
        for (int t = l_first; t < l_last; ++t) {
            const int k = lower_.other[at(t)];
            const Value l = writer_.times(sum_up(k), value_[f_.first_pivot() + at(k)]);
            define(at(lower_.entry[at(t)]), l);
        }
        define(f_.first_pivot() + at(i), writer_.reciprocal(sum_up(i)));
        for (int e = f_.u_start[at(i)]; e < f_.u_start[at(i) + 1]; ++e)
            define(f_.lower() + at(e), sum_up(f_.u_position[at(e)]));
        terms_.clear();
    }

    struct Term {
        std::size_t l, u; ///< entries of the factors
        int next;
    };
    /// Remembers l u_pj for all targets j of row p.
    void lay_terms(int p, int l) {
        if (chain_.empty()) {
            chain_.assign(at(f_.n), -1);
            tail_.assign(at(f_.n), -1);
        }
        for (int e = f_.u_start[at(p)]; e < f_.u_start[at(p) + 1]; ++e) {
            const std::size_t j = at(f_.u_position[at(e)]);
            const int term = static_cast<int>(terms_.size());
            terms_.push_back({at(l), f_.lower() + at(e), -1});
            (chain_[j] < 0 ? chain_[j] : terms_[at(tail_[j])].next) = term;
            tail_[j] = term;
        }
    }
    Value sum_up(int j) {
        Value sum = std::exchange(accumulator_[at(j)], Value{});
        if (chain_.empty()) return sum;
        for (int t = std::exchange(chain_[at(j)], -1); t >= 0; t = terms_[at(t)].next)
            sum = writer_.minus_product(sum, value_[terms_[at(t)].l], value_[terms_[at(t)].u]);
        return sum;
    }
    void define(std::size_t entry, const Value& v) {
        value_[entry] = v;
        writer_.store(entry, f_.width, v);
    }

    const FactorLayout& f_;
    Writer writer_;
    std::vector<Value> value_; ///< of the factors
    CrossIndex lower_;
    std::vector<int> start_;
    std::vector<Entry> entry_;
    std::vector<Value> accumulator_; ///< of the row at hand: a_ij
    std::vector<Term> terms_;
    std::vector<int> chain_, tail_; ///< first and last term per target
};

} // namespace

EliminationTapes elimination_tapes(const SparsityPattern& pattern, const EliminationOrder& order,
                                   std::span<const char> real) {
    const int width = real.empty() ? 1 : 2;
    EliminationTapes tapes;
    tapes.layout = layout_of(order, width);
    const FactorLayout& f = tapes.layout;
    EliminationWriter elimination(pattern, f, real);
    elimination.write();
    tapes.operations = elimination.writer().operations();
    tapes.factor = elimination.writer().finish(f.entries() * at(width));

    // Where a factor has no imaginary (or real) part, the solve does not look at it.
    const std::vector<Value>& known = elimination.values();
    Writer w({f.entries() * at(width), at(f.n) * at(width)});
    auto factor = [&](std::size_t entry) {
        Value v;
        if (known[entry].re != absent) v.re = w.input(0, entry * at(width));
        if (known[entry].im != absent) v.im = w.input(0, entry * at(width) + 1);
        return v;
    };
    std::vector<Value> x(at(f.n));
    const CrossIndex& lower = elimination.lower();
    for (int i = 0; i < f.n; ++i) { // L y = P b
        Value v{w.input(1, at(f.row[at(i)]) * at(width)), absent};
        if (width == 2) v.im = v.re + 1;
        for (int t = lower.start[at(i)]; t < lower.start[at(i) + 1]; ++t)
            v = w.minus_product(v, factor(at(lower.entry[at(t)])), x[at(lower.other[at(t)])]);
        x[at(i)] = v;
    }
    for (int i = f.n; i-- > 0;) { // U Qᵀ x = y
        Value v = x[at(i)];
        for (int e = f.u_start[at(i)]; e < f.u_start[at(i) + 1]; ++e)
            v = w.minus_product(v, factor(f.lower() + at(e)), x[at(f.u_position[at(e)])]);
        x[at(i)] = w.times(v, factor(f.first_pivot() + at(i)));
        w.store(at(f.col[at(i)]), width, x[at(i)]);
    }
    tapes.operations += w.operations();
    tapes.solve = w.finish(at(f.n) * at(width));
    return tapes;
}

} // namespace daedalus::linalg
