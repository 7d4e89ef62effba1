// Random generators of Modelica.Math.Random: the next number and the next state are functions of the state, so that a
// simulation can be repeated. Algorithms: S. Vigna, An experimental exploration of Marsaglia's xorshift generators,
// scrambled, ACM Trans. Math. Softw. 42 (2016), for xorshift64* and xorshift1024*; S. Vigna, Further scramblings of
// Marsaglia's xorshift generators, J. Comput. Appl. Math. 315 (2017), for xorshift128+ (shifts 23, 17, 26).
#include "expr/routine.hpp"
#include "modelica/translator.hpp"

#include <cmath>

namespace daedalus::modelica {

using expr::NodeId;

namespace {

using Word = std::uint64_t;

// The library keeps the scrambled word as the state in the first two, where the published generators keep the word
// before: found by comparison with published results of the library.

Word xorshift64_star(Word* s) {
    s[0] ^= s[0] >> 12U;
    s[0] ^= s[0] << 25U;
    s[0] ^= s[0] >> 27U;
    return s[0] *= 2685821657736338717ULL;
}

Word xorshift128_plus(Word* s) {
    Word a = s[0];
    const Word b = s[1];
    s[0] = b;
    a ^= a << 23U;
    return s[1] = (a ^ b ^ (a >> 17U) ^ (b >> 26U)) + b;
}

/// s[16] is the place of the word that was made last.
Word xorshift1024_star(Word* s) {
    Word& place = s[16];
    Word a = s[place & 15U];
    place = (place + 1) & 15U;
    Word b = s[place];
    b ^= b << 31U;
    b ^= b >> 11U;
    a ^= a >> 30U;
    s[place] = a ^ b;
    return s[place] * 1181783497276652981ULL;
}

struct Generator {
    const char* name;
    int integers; ///< of 32 bits, that the state is given as; two make a word, the lower one first
    Word (*next)(Word* state);
};
constexpr Generator generators[] = {
    {"ModelicaRandom_xorshift64star", 2, xorshift64_star},
    {"ModelicaRandom_xorshift128plus", 4, xorshift128_plus},
    {"ModelicaRandom_xorshift1024star", 33, xorshift1024_star},
};

/// Outputs: the number in (0, 1], and the state behind it.
class NextRandom final : public expr::Routine {
public:
    explicit NextRandom(const Generator& g) : g_(g) {}
    [[nodiscard]] int inputs() const override { return g_.integers; }
    [[nodiscard]] int outputs() const override { return g_.integers + 1; }
    void run(const double* in, double* out) const override {
        Word state[17] = {};
        const auto bits = [&](int k) {
            const double value = std::isfinite(in[k]) ? in[k] : 0.0;
            return static_cast<Word>(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
        };
        for (int k = 0; k < g_.integers; ++k) state[k / 2] |= bits(k) << (k % 2 == 0 ? 0U : 32U);
        const Word word = g_.next(state);
        out[0] = static_cast<double>(static_cast<std::int64_t>(word)) * 0x1p-64 + 0.5;
        for (int k = 0; k < g_.integers; ++k)
            out[k + 1] = static_cast<std::int32_t>(static_cast<std::uint32_t>(state[k / 2] >> (k % 2 == 0 ? 0U : 32U)));
    }
    [[nodiscard]] NodeId partial(expr::Graph&, NodeId, int) const override { return expr::no_node; }
    [[nodiscard]] std::string name() const override { return std::string(g_.name).substr(15); }
    [[nodiscard]] std::string text() const override { return g_.name; }

private:
    const Generator& g_;
};

/// One routine per generator, so that equal calls are one node.
std::shared_ptr<const expr::Routine> routine_of(const Generator& g) {
    static const std::shared_ptr<const expr::Routine> made[] = {std::make_shared<const NextRandom>(generators[0]),
                                                                std::make_shared<const NextRandom>(generators[1]),
                                                                std::make_shared<const NextRandom>(generators[2])};
    return made[&g - generators];
}

} // namespace

std::optional<std::vector<Quantity>> Translator::random_call(const Context& c, const std::string& name,
                                                             const std::vector<Quantity>& a, Span span) {
    for (const Generator& g : generators) {
        if (name != g.name) continue;
        if (a.empty() || static_cast<int>(a[0].nodes.size()) != g.integers)
            fail("array-size", c.unit, span,
                 "the state of this generator has " + std::to_string(g.integers) + " numbers");
        const auto next = routine_of(g);
        Quantity state = a[0];
        for (int k = 0; k < g.integers; ++k)
            state.nodes[static_cast<std::size_t>(k)] = g_.call(next, k + 1, a[0].nodes);
        return std::vector<Quantity>{scalar(Kind::real, g_.call(next, 0, a[0].nodes)), std::move(state)};
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
