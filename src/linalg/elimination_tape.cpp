#include "linalg/elimination_tape.hpp"

#include "tape/cpu_features.hpp"

#include <algorithm>
#include <array>
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

/// Appends instructions. Results go to `d`, which no operand of the same call may share, except for the sum that is
/// continued.
class Writer {
public:
    /// Temporaries of its own begin at `first`. The `inputs` slots from `input` on are read where the caller has them.
    Writer(std::size_t first, std::size_t input, std::size_t inputs, bool fused)
        : scratch_(static_cast<Slot>(first)), fused_(fused) {
        tape_.constants = {1.0};
        tape_.segment_begin = {1, static_cast<Slot>(input), static_cast<Slot>(input + inputs)};
        tape_.memory = scratch_ + 1;
    }
    [[nodiscard]] Value temporary(int width) {
        Value v{tape_.memory++, absent};
        if (width == 2) v.im = tape_.memory++;
        return v;
    }

    /// sum - l u
    [[nodiscard]] Value minus_product(const Value& d, const Value& sum, const Value& l, const Value& u) {
        Value r = sum;
        r.re = minus(d.re, r.re, l.re, u.re);
        r.re = plus(d.re, r.re, l.im, u.im);
        r.im = minus(d.im, r.im, l.re, u.im);
        r.im = minus(d.im, r.im, l.im, u.re);
        return r;
    }
    [[nodiscard]] Value times(const Value& d, const Value& a, const Value& b) {
        Value r;
        r.re = plus(d.re, r.re, a.re, b.re);
        r.re = minus(d.re, r.re, a.im, b.im);
        r.im = plus(d.im, r.im, a.re, b.im);
        r.im = plus(d.im, r.im, a.im, b.re);
        return r;
    }
    /// |a|² needs no guard: where it leaves the range, the pivot is refused, and a solver that scales takes over.
    [[nodiscard]] Value reciprocal(const Value& d, const Value& a) {
        const Slot one = 0;
        if (a.im == absent) return {operation(d.re, Code::div, one, a.re), absent};
        if (a.re == absent) {
            operation(d.im, Code::div, one, a.im);
            return {absent, operation(d.im, Code::neg, d.im)};
        }
        operation(d.re, Code::mul, a.re, a.re);
        plus(d.re, d.re, a.im, a.im);
        operation(d.im, Code::div, one, d.re);
        operation(d.re, Code::mul, a.re, d.im);
        operation(d.im, Code::mul, a.im, d.im);
        return {d.re, operation(d.im, Code::neg, d.im)};
    }
    /// In d as a whole: sums leave alone the part that nothing is subtracted from.
    [[nodiscard]] Value gathered(const Value& d, Value v) {
        for (const auto part : {&Value::re, &Value::im})
            if (v.*part != absent && v.*part != d.*part) {
                tape_.main_part.push_back({.code = Code::copy, .d = d.*part, .a = v.*part});
                v.*part = d.*part;
            }
        return v;
    }
    void store(std::size_t entry, int width, const Value& v) {
        const Slot out = static_cast<Slot>(entry * at(width));
        if (v.re != absent) tape_.main_part.push_back({.code = Code::store, .d = out, .a = v.re});
        if (v.im != absent) tape_.main_part.push_back({.code = Code::store, .d = out + 1, .a = v.im});
    }
    /// Adds (v unit)² to a sum, which begins at the first call. v must be in one piece.
    void add_square(Slot sum, bool& begun, Slot v, Slot unit) {
        const Slot scaled = begun ? scratch_ : sum;
        tape_.main_part.push_back({.code = Code::mul, .d = scaled, .a = v, .b = unit});
        if (begun && fused_) {
            tape_.main_part.push_back({.code = Code::add_product, .d = sum, .a = scaled, .b = scaled});
        } else {
            tape_.main_part.push_back({.code = Code::mul, .d = scaled, .a = scaled, .b = scaled});
            if (begun) tape_.main_part.push_back({.code = Code::add, .d = sum, .a = sum, .b = scaled});
        }
        begun = true;
    }
    void keep(const Value& v) {
        if (v.re != absent) tape_.kept.push_back(v.re);
        if (v.im != absent) tape_.kept.push_back(v.im);
    }

    [[nodiscard]] tape::Tape finish(std::size_t outputs) {
        tape_.outputs = static_cast<Slot>(outputs);
        tape_.static_part.push_back({});
        tape_.main_part.push_back({});
        return std::move(tape_);
    }
    [[nodiscard]] std::size_t operations() const { return operations_; }

private:
    Slot operation(Slot d, Code code, Slot a, Slot b = 0) {
        ++operations_;
        tape_.main_part.push_back({.code = code, .d = d, .a = a, .b = b});
        return d;
    }
    Slot accumulate(Code code, Slot d, Slot sum, Slot a, Slot b) {
        if (d != sum) tape_.main_part.push_back({.code = Code::copy, .d = d, .a = sum});
        ++operations_; // a product and a sum
        return operation(d, code, a, b);
    }
    Slot plus(Slot d, Slot sum, Slot a, Slot b) {
        if (a == absent || b == absent) return sum;
        if (sum == absent) return operation(d, Code::mul, a, b);
        if (fused_) return accumulate(Code::add_product, d, sum, a, b);
        operation(scratch_, Code::mul, a, b);
        return operation(d, Code::add, sum, scratch_);
    }
    Slot minus(Slot d, Slot sum, Slot a, Slot b) {
        if (a == absent || b == absent) return sum;
        if (fused_ && sum != absent) return accumulate(Code::sub_product, d, sum, a, b);
        operation(scratch_, Code::mul, a, b);
        return sum == absent ? operation(d, Code::neg, scratch_) : operation(d, Code::sub, sum, scratch_);
    }

    tape::Tape tape_;
    Slot scratch_; ///< products that are used at once
    bool fused_;   ///< products are added without rounding them first: half the instructions
    std::size_t operations_ = 0;
};

/// Stores x where b is: what is ready waits until the right-hand side in its place has been read for the last time.
class StoresInPlace {
public:
    StoresInPlace(Writer& writer, const FactorLayout& layout)
        : w_(writer), width_(layout.width), waiting_(at(layout.n)), free_(at(layout.n), 0), waits_(at(layout.n), 0) {}

    /// b[row] is not read any more.
    void release(int row) {
        free_[at(row)] = 1;
        if (waits_[at(row)] != 0) w_.store(at(row), width_, waiting_[at(row)]);
    }
    void store(int col, const Value& x) {
        if (free_[at(col)] != 0) return w_.store(at(col), width_, x);
        waiting_[at(col)] = x;
        waits_[at(col)] = 1;
    }

private:
    Writer& w_;
    int width_;
    std::vector<Value> waiting_;
    std::vector<char> free_, waits_;
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

/// The matrix by rows, in positions.
CrossIndex rows_of(const SparsityPattern& pattern, const FactorLayout& f) {
    CrossIndex t;
    t.start.assign(at(f.n) + 1, 0);
    for (int i : pattern.row_index) ++t.start[at(f.row_position[at(i)]) + 1];
    for (int i = 0; i < f.n; ++i) t.start[at(i) + 1] += t.start[at(i)];
    std::vector<int> next(t.start.begin(), t.start.end() - 1);
    t.entry.resize(pattern.row_index.size());
    t.other.resize(pattern.row_index.size());
    for (int j = 0; j < pattern.cols; ++j)
        for (int e = pattern.column_start[at(j)]; e < pattern.column_start[at(j) + 1]; ++e) {
            const auto to = at(next[at(f.row_position[at(pattern.row_index[at(e)])])]++);
            t.entry[to] = e;
            t.other[to] = f.column_position[at(j)];
        }
    return t;
}

FactorLayout layout_of(const EliminationOrder& order, int width) {
    FactorLayout f;
    f.n = static_cast<int>(order.row.size());
    f.width = width;
    f.row = order.row;
    f.col = order.col;
    f.block_start = order.block_start;
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
    f.lower_rows = transpose(f.n, f.l_start, f.l_position);
    f.upper_columns = transpose(f.n, f.u_start, f.u_position);
    return f;
}

/// Parts what is right of the diagonal blocks from the matrix by rows.
CrossIndex take_right(CrossIndex& rows, const FactorLayout& f) {
    CrossIndex inside, right;
    inside.start.push_back(0);
    right.start.push_back(0);
    std::size_t block = 0;
    for (int i = 0; i < f.n; ++i) {
        while (i >= f.block_start[block + 1]) ++block;
        for (auto t = at(rows.start[at(i)]); t < at(rows.start[at(i) + 1]); ++t) {
            CrossIndex& to = rows.other[t] < f.block_start[block + 1] ? inside : right;
            to.entry.push_back(rows.entry[t]);
            to.other.push_back(rows.other[t]);
        }
        inside.start.push_back(static_cast<int>(inside.entry.size()));
        right.start.push_back(static_cast<int>(right.entry.size()));
    }
    rows = std::move(inside);
    return right;
}

/// Which entries of U elimination changes, by number; those it leaves alone have the number of their value instead.
struct Changed {
    std::vector<char> changed;
    std::vector<int> value; ///< entry of the pattern
};
Changed changed_upper(const FactorLayout& f, const CrossIndex& rows) {
    Changed c{std::vector<char>(f.upper(), 0), std::vector<int>(f.upper(), -1)};
    std::vector<int> touched(at(f.n), -1), value(at(f.n), -1);
    for (int i = 0; i < f.n; ++i) {
        for (auto t = at(rows.start[at(i)]); t < at(rows.start[at(i) + 1]); ++t)
            value[at(rows.other[t])] = rows.entry[t];
        for (auto t = at(f.lower_rows.start[at(i)]); t < at(f.lower_rows.start[at(i) + 1]); ++t) {
            const auto p = at(f.lower_rows.other[t]);
            for (int e = f.u_start[p]; e < f.u_start[p + 1]; ++e) touched[at(f.u_position[at(e)])] = i;
        }
        for (auto e = at(f.u_start[at(i)]); e < at(f.u_start[at(i) + 1]); ++e) {
            const auto j = at(f.u_position[e]);
            c.changed[e] = touched[j] == i || value[j] < 0;
            c.value[e] = value[j];
        }
        for (auto t = at(rows.start[at(i)]); t < at(rows.start[at(i) + 1]); ++t) value[at(rows.other[t])] = -1;
    }
    return c;
}

void place_factors(FactorLayout& f, std::size_t nonzeros, const Changed& upper) {
    const std::size_t width = at(f.width);
    const auto padded = [](std::size_t end, std::size_t begin) {
        return begin + (end - begin + FactorLayout::padding - 1) / FactorLayout::padding * FactorLayout::padding;
    };
    f.values_begin = FactorLayout::pack;
    std::size_t next = f.part_begin[0] = padded(f.values_begin + nonzeros * width, 0);
    const auto place = [&] {
        f.slot.push_back(static_cast<Slot>(next));
        next += width;
    };
    for (std::size_t e = 0; e < f.lower(); ++e) place();
    next = f.part_begin[1] = padded(next, f.part_begin[0]);
    for (std::size_t e = 0; e < f.upper(); ++e) {
        if (upper.changed[e])
            place();
        else
            f.slot.push_back(static_cast<Slot>(f.values_begin + at(upper.value[e]) * width));
    }
    next = f.part_begin[2] = padded(next, f.part_begin[1]);
    for (int k = 0; k < f.n; ++k) place();
    f.units_begin = f.part_begin[3] = padded(next, f.part_begin[2]);
    const std::size_t numbers = f.part_begin[3] - f.part_begin[0];
    f.b_begin = f.units_begin + numbers;
    if (numbers <= FactorLayout::most_summed) {
        f.sums_begin = f.b_begin;
        f.b_begin += 3;
    }
    f.memory = f.b_begin + at(f.n) * width; // of both programs, before their temporaries
}

class EliminationWriter {
public:
    EliminationWriter(const FactorLayout& layout, const CrossIndex& rows, std::span<const char> real, bool fused)
        : f_(layout), rows_(rows), real_(real),
          writer_(layout.memory, layout.values_begin, layout.part_begin[0] - layout.values_begin, fused),
          sum_(writer_.temporary(layout.width)), value_(layout.entries()), accumulator_(at(layout.n)),
          chain_(at(layout.n), -1), tail_(at(layout.n), -1) {}

    void write() {
        for (int i = 0; i < f_.n; ++i) write_row(i);
        for (std::size_t part = 0; part < begun_.size(); ++part)
            if (begun_[part]) writer_.keep({static_cast<Slot>(f_.sums_begin + part), absent});
    }
    [[nodiscard]] Value of_matrix(int entry) const {
        const auto re = static_cast<Slot>(f_.values_begin + at(entry) * at(f_.width));
        return {re, f_.width == 2 && (real_.empty() || real_[at(entry)] == 0) ? re + 1 : absent};
    }
    [[nodiscard]] Writer& writer() { return writer_; }
    [[nodiscard]] const std::vector<Value>& values() const { return value_; }

private:
    /// The terms l_ip u_pj are gathered per target, then each target is computed in one go.
    void write_row(int i) {
        for (auto t = at(rows_.start[at(i)]); t < at(rows_.start[at(i) + 1]); ++t)
            accumulator_[at(rows_.other[t])] = of_matrix(rows_.entry[t]);
        const CrossIndex& lower = f_.lower_rows;
        const int l_first = lower.start[at(i)], l_last = lower.start[at(i) + 1];
        for (int t = l_first; t < l_last; ++t) lay_terms(lower.other[at(t)], lower.entry[at(t)]);
        for (int t = l_first; t < l_last; ++t) {
            const int k = lower.other[at(t)];
            const auto entry = at(lower.entry[at(t)]);
            define(entry, writer_.times(place(entry), sum_up(k, sum_), value_[f_.first_pivot() + at(k)]));
        }
        const std::size_t pivot = f_.first_pivot() + at(i);
        define(pivot, writer_.reciprocal(place(pivot), sum_up(i, sum_)));
        for (int e = f_.u_start[at(i)]; e < f_.u_start[at(i) + 1]; ++e) {
            const std::size_t entry = f_.lower() + at(e);
            const Value u = sum_up(f_.u_position[at(e)], place(entry));
            define(entry, f_.slot[entry] < f_.part_begin[0] ? u : writer_.gathered(place(entry), u));
        }
        terms_.clear();
    }

    struct Term {
        std::size_t l, u; ///< entries of the factors
        int next;
    };
    /// Remembers l u_pj for all targets j of row p.
    void lay_terms(int p, int l) {
        for (int e = f_.u_start[at(p)]; e < f_.u_start[at(p) + 1]; ++e) {
            const std::size_t j = at(f_.u_position[at(e)]);
            const int term = static_cast<int>(terms_.size());
            terms_.push_back({at(l), f_.lower() + at(e), -1});
            (chain_[j] < 0 ? chain_[j] : terms_[at(tail_[j])].next) = term;
            tail_[j] = term;
        }
    }
    Value sum_up(int j, const Value& d) {
        Value sum = std::exchange(accumulator_[at(j)], Value{});
        for (int t = std::exchange(chain_[at(j)], -1); t >= 0; t = terms_[at(t)].next)
            sum = writer_.minus_product(d, sum, value_[terms_[at(t)].l], value_[terms_[at(t)].u]);
        return sum;
    }
    [[nodiscard]] Value place(std::size_t entry) const {
        return {f_.slot[entry], f_.width == 2 ? f_.slot[entry] + 1 : absent};
    }
    void define(std::size_t entry, const Value& v) {
        value_[entry] = v;
        if (f_.slot[entry] < f_.part_begin[0]) return;
        writer_.keep(v);
        if (f_.sums_begin == 0) return;
        const std::size_t part = entry < f_.lower() ? 0 : entry < f_.first_pivot() ? 1 : 2;
        for (const Slot number : {v.re, v.im})
            if (number != absent)
                writer_.add_square(static_cast<Slot>(f_.sums_begin + part), begun_[part], number,
                                   static_cast<Slot>(f_.units_begin + number - f_.part_begin[0]));
    }

    const FactorLayout& f_;
    const CrossIndex& rows_;
    std::span<const char> real_;
    Writer writer_;
    Value sum_;                      ///< of what is not a factor yet
    std::vector<Value> value_;       ///< of the factors
    std::vector<Value> accumulator_; ///< of the row at hand: a_ij
    std::vector<Term> terms_;
    std::vector<int> chain_, tail_; ///< first and last term per target
    std::array<bool, 3> begun_{};   ///< sums
};

} // namespace

EliminationTapes elimination_tapes(const SparsityPattern& pattern, const EliminationOrder& order,
                                   std::span<const char> real) {
    const int width = real.empty() ? 1 : 2;
    EliminationTapes tapes;
    tapes.layout = layout_of(order, width);
    FactorLayout& f = tapes.layout;
    CrossIndex rows = rows_of(pattern, f);
    f.right = take_right(rows, f);
    place_factors(f, pattern.row_index.size(), changed_upper(f, rows));
    const bool fused = tape::has_fused_products();
    EliminationWriter elimination(f, rows, real, fused);
    elimination.write();
    tapes.operations = elimination.writer().operations();
    tapes.factor = elimination.writer().finish(0);

    // Where a factor has no imaginary (or real) part, the solve does not look at it. Sums end with what was computed
    // last, so that nothing else waits for it: solving is a chain of dependent operations.
    const std::vector<Value>& factor = elimination.values();
    Writer w(f.memory, f.b_begin, at(f.n) * at(width), fused);
    StoresInPlace stores(w, f);
    const auto in_b = [&](const Value& v) { // still a number of b
        const auto inside = [&](Slot s) { return s != absent && s >= f.b_begin && s < f.memory; };
        return inside(v.re) || inside(v.im);
    };
    const Value sum = w.temporary(width);
    std::vector<Value> x(at(f.n));
    std::vector<int> ready(at(f.n), 0); ///< when x is known, in operations that wait for each other
    for (std::size_t block = f.block_start.size() - 1; block-- > 0;) {
        const int first = f.block_start[block], last = f.block_start[block + 1];
        for (int i = first; i < last; ++i) { // L y = P (b - what is right of the block)
            const auto b = static_cast<Slot>(f.b_begin + at(f.row[at(i)]) * at(width));
            Value v{b, width == 2 ? b + 1 : absent};
            const Value d = w.temporary(width);
            int& when = ready[at(i)];
            for (auto t = at(f.right.start[at(i) + 1]); t-- > at(f.right.start[at(i)]);) {
                v = w.minus_product(d, v, elimination.of_matrix(f.right.entry[t]), x[at(f.right.other[t])]);
                when = std::max(when, ready[at(f.right.other[t])]) + 1;
            }
            for (auto t = at(f.lower_rows.start[at(i)]); t < at(f.lower_rows.start[at(i) + 1]); ++t) {
                v = w.minus_product(d, v, factor[at(f.lower_rows.entry[t])], x[at(f.lower_rows.other[t])]);
                when = std::max(when, ready[at(f.lower_rows.other[t])]) + 1;
            }
            x[at(i)] = v;
            if (!in_b(v)) stores.release(f.row[at(i)]);
        }
        for (int i = last; i-- > first;) { // U Qᵀ x = y
            const int latest = f.u_start[at(i)];
            const Value& inverse = factor[f.first_pivot() + at(i)];
            Value v = x[at(i)];
            const bool reads_b = in_b(v);
            int& when = ready[at(i)];
            for (int e = f.u_start[at(i) + 1]; e-- > latest + 1;) {
                const auto j = at(f.u_position[at(e)]);
                v = w.minus_product(sum, v, factor[f.lower() + at(e)], x[j]);
                when = std::max(when, ready[j]) + 1;
            }
            const Value d = w.temporary(width);
            if (latest == f.u_start[at(i) + 1]) {
                x[at(i)] = w.times(d, v, inverse);
                when += 1;
            } else if (const auto j = at(f.u_position[at(latest)]); ready[j] > when) {
                // (v - u x)/p = v/p - (u/p) x: when x is known, one operation is left, not two.
                const Value u = w.times(w.temporary(width), factor[f.lower() + at(latest)], inverse);
                x[at(i)] = w.minus_product(d, w.times(d, v, inverse), u, x[j]);
                when = ready[j] + 1;
            } else {
                x[at(i)] = w.times(d, w.minus_product(sum, v, factor[f.lower() + at(latest)], x[j]), inverse);
                when = std::max(when, ready[j]) + 2;
            }
            if (reads_b) stores.release(f.row[at(i)]);
            stores.store(f.col[at(i)], x[at(i)]);
        }
    }
    tapes.operations += w.operations();
    tapes.solve = w.finish(at(f.n) * at(width));
    f.memory = std::max(tapes.factor.memory, tapes.solve.memory);
    tapes.factor.memory = tapes.solve.memory = static_cast<Slot>(f.memory);
    return tapes;
}

} // namespace daedalus::linalg
