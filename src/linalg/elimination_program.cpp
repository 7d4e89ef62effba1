#include "linalg/elimination_program.hpp"

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace daedalus::linalg {

namespace {

// Some problems with all their matrices; a small program takes 10 to 100 kB.
constexpr std::size_t most_remembered = 256;
constexpr std::size_t largest_remembered = 20'000; // operations

/// Bytes that determine a result, compared as they are; the hash only saves comparisons.
class Key {
public:
    explicit Key(std::size_t bytes) { words_.reserve(bytes / 8 + 32); }
    void add(std::uint64_t word) { words_.push_back(word); }
    template <class T>
    void add(std::span<const T> values) {
        const std::size_t begin = words_.size(), bytes = values.size_bytes();
        words_.resize(begin + 1 + (bytes + 7) / 8);
        words_[begin] = bytes;
        if (bytes != 0) std::memcpy(words_.data() + begin + 1, values.data(), bytes);
    }
    void seal() {
        for (const std::uint64_t w : words_) hash_ = (hash_ ^ w) * 0x9e3779b97f4a7c15ULL + (hash_ >> 29U); // Knuth's
    }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    friend bool operator==(const Key& a, const Key& b) { return a.hash_ == b.hash_ && a.words_ == b.words_; }

private:
    std::vector<std::uint64_t> words_;
    std::uint64_t hash_ = 0;
};

template <class Value>
class Memory {
public:
    [[nodiscard]] bool find(const Key& key, Value& value) {
        const std::lock_guard lock(mutex_);
        const auto it = place_.find(key.hash());
        if (it == place_.end() || !(it->second->first == key)) return false;
        entries_.splice(entries_.begin(), entries_, it->second); // the latest first
        value = it->second->second;
        return true;
    }
    void keep(Key key, Value value) {
        const std::lock_guard lock(mutex_);
        const std::uint64_t hash = key.hash();
        if (const auto it = place_.find(hash); it != place_.end()) entries_.erase(it->second);
        entries_.emplace_front(std::move(key), std::move(value));
        place_[hash] = entries_.begin();
        if (entries_.size() <= most_remembered) return;
        place_.erase(entries_.back().first.hash());
        entries_.pop_back();
    }

private:
    std::mutex mutex_;
    using Entries = std::list<std::pair<Key, Value>>;
    Entries entries_;
    std::unordered_map<std::uint64_t, typename Entries::iterator> place_; ///< by hash
};

Memory<OrderedProgram> by_samples;
Memory<std::shared_ptr<const EliminationProgram>> by_order;

/// A processor multiplies about once per cycle in such code, but a pivot that another one waits for takes a division, a
/// product and a difference, and in the solves two products more.
constexpr double cycles_per_level = 30.0;
double work(const EliminationOrder& order) {
    return order.multiplications + static_cast<double>(order.l_row.size() + order.u_col.size() + 2 * order.row.size());
}
double cycles(const EliminationOrder& order) { return cycles_per_level * order.levels + work(order); }
bool waits_much(const EliminationOrder& order) {
    constexpr std::size_t few = 64; // whose order is found in less time than is lost
    return order.row.size() >= few && cycles_per_level * order.levels > work(order);
}

template <class T>
void add(Key& key, const std::vector<T>& values) {
    key.add(std::span<const T>(values));
}
void add_pattern(const SparsityPattern& pattern, Key& key) {
    add(key, pattern.column_start);
    add(key, pattern.row_index);
    key.add(static_cast<std::uint64_t>(tape::machine_code_allowed()));
}

std::shared_ptr<const EliminationProgram> make(const SparsityPattern& pattern, const EliminationOrder& order,
                                               std::vector<char> real) {
    auto program = std::make_shared<EliminationProgram>();
    EliminationTapes tapes = elimination_tapes(pattern, order, real);
    program->layout = std::move(tapes.layout);
    program->operations = tapes.operations;
    program->memory.assign(program->layout.memory, 0.0);
    std::copy(tapes.factor.constants.begin(), tapes.factor.constants.end(), program->memory.begin());
    program->factor = tape::make_program(std::move(tapes.factor), tape::Backend::automatic, tape::Inputs::outside);
    program->solve = tape::make_program(std::move(tapes.solve), tape::Backend::automatic, tape::Inputs::outside);
    program->backward_error = BackwardError(pattern);
    program->real = std::move(real);
    return program;
}

} // namespace

template <class Scalar>
OrderedProgram elimination_program(const SparsityPattern& pattern, std::span<const std::vector<Scalar>> samples,
                                   double most_multiplications) {
    constexpr std::uint64_t width = sizeof(Scalar) / sizeof(double);
    const std::size_t pattern_bytes = (pattern.column_start.size() + pattern.row_index.size()) * sizeof(int);
    Key samples_key(pattern_bytes + samples.size() * pattern.row_index.size() * sizeof(Scalar));
    samples_key.add(width);
    samples_key.add(std::bit_cast<std::uint64_t>(most_multiplications));
    add_pattern(pattern, samples_key);
    for (const std::vector<Scalar>& sample : samples) add(samples_key, sample);
    samples_key.seal();
    OrderedProgram result;
    if (by_samples.find(samples_key, result)) return result;

    EliminationOrder order;
    result.status = markowitz_order<Scalar>(pattern, samples, {.most_multiplications = most_multiplications}, order);
    if (result.status == OrderStatus::ok && waits_much(order)) {
        constexpr double waiting = 0.1; // products per level
        EliminationOrder wide;
        if (markowitz_order<Scalar>(pattern, samples,
                                    {.most_multiplications = most_multiplications, .waiting = waiting},
                                    wide) == OrderStatus::ok &&
            cycles(wide) < 0.9 * cycles(order))
            order = std::move(wide);
    }
    if (result.status != OrderStatus::ok) {
        by_samples.keep(std::move(samples_key), result);
        return result;
    }
    std::vector<char> real;
    if constexpr (width == 2) {
        real.assign(pattern.row_index.size(), 1);
        for (const std::vector<Scalar>& sample : samples)
            for (std::size_t e = 0; e < sample.size(); ++e) real[e] = real[e] != 0 && sample[e].imag() == 0.0;
    }
    Key order_key(2 * pattern_bytes + (order.l_row.size() + order.u_col.size()) * sizeof(int));
    order_key.add(width);
    add_pattern(pattern, order_key);
    add(order_key, order.row);
    add(order_key, order.col);
    add(order_key, real);
    // Exact cancellation may leave a sample's factors sparser than the pattern's: they belong to the key.
    add(order_key, order.l_row);
    add(order_key, order.u_col);
    order_key.seal();
    if (!by_order.find(order_key, result.program)) {
        result.program = make(pattern, order, std::move(real));
        if (result.program->operations <= largest_remembered) by_order.keep(std::move(order_key), result.program);
    }
    if (result.program->operations <= largest_remembered) by_samples.keep(std::move(samples_key), result);
    return result;
}

template OrderedProgram elimination_program(const SparsityPattern&, std::span<const std::vector<double>>, double);
template OrderedProgram elimination_program(const SparsityPattern&, std::span<const std::vector<std::complex<double>>>,
                                            double);

} // namespace daedalus::linalg
