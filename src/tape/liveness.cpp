#include "tape/liveness.hpp"

#include <algorithm>
#include <unordered_map>

namespace daedalus::tape {

namespace {

void add_exposed(std::span<const Instruction> part, std::vector<char>& written, std::vector<char>& persistent) {
    std::fill(written.begin(), written.end(), 0);
    const auto read = [&](std::uint32_t slot) {
        if (!written[slot]) persistent[slot] = 1;
    };
    for (const Instruction& i : part) {
        const int n = operand_count(i.code);
        if (n > 0) read(i.a);
        if (n > 1) read(i.b);
        if (reads_destination(i.code)) read(i.d);
        if (i.code != Code::store && i.code != Code::halt) written[i.d] = 1;
    }
}

// Pairs within a chunk only: what a pair leaves for its second member lives in the chunk's stack frame.
void find_pairs(const Tape& tape, std::span<const Instruction> part, PartAnalysis& analysis) {
    const auto index_of = [&](std::string_view name) {
        for (std::size_t f = 0; f < tape.functions.size(); ++f)
            if (tape.functions[f].name == name && tape.functions[f].one != nullptr) return static_cast<int>(f);
        return -1;
    };
    const int sine = index_of("sin"), cosine = index_of("cos");
    if (sine < 0 || cosine < 0) return;
    analysis.sincos.assign(analysis.length, {});
    std::unordered_map<std::uint32_t, std::uint32_t> open; ///< argument's slot → call whose partner is not yet seen
    std::size_t chunk = 0;
    for (std::uint32_t k = 0; k < analysis.length; ++k) {
        if (k == analysis.chunk_begin[chunk + 1]) {
            ++chunk;
            open.clear();
        }
        const Instruction& i = part[k];
        if (i.code == Code::store) continue;
        if (i.code == Code::call1 && (i.f == sine || i.f == cosine)) {
            const auto [at, is_new] = open.try_emplace(i.a, k);
            if (!is_new && part[at->second].f != i.f) {
                const auto number = static_cast<std::int32_t>(analysis.chunk_pairs[chunk]++);
                analysis.sincos[at->second] = {number, false, part[at->second].f == cosine, false};
                analysis.sincos[k] = {number, true, i.f == cosine, false};
                open.erase(at);
            }
        }
        open.erase(i.d);
    }
    if (std::all_of(analysis.chunk_pairs.begin(), analysis.chunk_pairs.end(), [](std::uint32_t n) { return n == 0; }))
        analysis.sincos.clear();
}

} // namespace

std::vector<char> persistent_slots(const Tape& tape) {
    std::vector<char> persistent(tape.memory, 0), written(tape.memory, 0);
    add_exposed(tape.static_part, written, persistent);
    add_exposed(tape.main_part, written, persistent);
    for (const std::uint32_t slot : tape.kept) persistent[slot] = 1;
    return persistent;
}

PartAnalysis analyze_part(const Tape& tape, std::span<const Instruction> part, const std::vector<char>& persistent,
                          std::uint32_t chunk, bool pair_sincos) {
    PartAnalysis analysis;
    const auto halt = std::find_if(part.begin(), part.end(), [](const Instruction& i) { return i.code == Code::halt; });
    analysis.length = static_cast<std::uint32_t>(halt - part.begin());
    for (std::uint32_t k = 0; k < analysis.length; k += chunk) analysis.chunk_begin.push_back(k);
    analysis.chunk_begin.push_back(analysis.length);
    analysis.chunk_pairs.assign(analysis.chunk_begin.size(), 0);
    if (pair_sincos) find_pairs(tape, part, analysis);

    std::vector<std::uint32_t> next(tape.memory, never);
    for (std::uint32_t slot = 0; slot < tape.memory; ++slot)
        if (persistent[slot]) next[slot] = analysis.length;
    std::unordered_map<std::int64_t, bool> wanted; ///< chunk and pair → the second member is alive
    std::size_t at_chunk = analysis.chunk_begin.size() - 1;
    analysis.reads.resize(analysis.length);
    for (std::uint32_t k = analysis.length; k-- > 0;) {
        while (k < analysis.chunk_begin[at_chunk]) --at_chunk;
        const Instruction& i = part[k];
        NextReads& r = analysis.reads[k];
        SinCos* const pair = analysis.sincos.empty() || analysis.sincos[k].pair < 0 ? nullptr : &analysis.sincos[k];
        const std::int64_t key = pair == nullptr ? 0 : (static_cast<std::int64_t>(at_chunk) << 32) + pair->pair;
        if (i.code != Code::store) {
            r.d = next[i.d];
            if (pair != nullptr && !pair->second) pair->wanted = wanted.contains(key);
            if (r.d == never && (pair == nullptr || !pair->wanted)) continue; // dead, and reads nothing
            next[i.d] = never;
        }
        r.dead = false;
        if (pair != nullptr && pair->second) {
            wanted.emplace(key, true);
            continue; // its value waits in the frame
        }
        const int n = operand_count(i.code);
        r.a = next[i.a];
        if (n > 1) r.b = next[i.b];
        next[i.a] = k;
        if (n > 1) next[i.b] = k;
        if (reads_destination(i.code)) next[i.d] = k;
    }
    return analysis;
}

} // namespace daedalus::tape
