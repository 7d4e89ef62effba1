// Small decks, changed at random in bytes, words and lines: whatever comes, reading ends, says something where it
// refuses, and what it makes is whole.
#pragma once

#include "spice/netlist.hpp"

#include <array>
#include <cmath>
#include <random>
#include <string>
#include <string_view>

namespace daedalus::fuzz {

/// Every kind of line is in one of these.
inline const std::array<std::string, 5>& seed_decks() {
    static const std::array<std::string, 5> decks{
        R"(passive
V1 in 0 DC 1 AC 1 45 SIN(0 1 1k 1u 2 3)
R1 in out 4.7K tc=1m,2u
C1 out 0 10PF ic=2
L1 out m 1u
L2 m 0 {2*k}
K1 L1 L2 0.9
.param k = 3 j={k^2}
R2 out 0 r={1k*(1+V(out)^2)}
C2 m 0 Q='1p*V(m)'
I1 0 m PWL(0 0 1u 1 2u
+ 0) r=0 td=1n
T1 in 0 out 0 z0=50 td=1n
.ic v(out)=1 i(L1)=2
.nodeset v(m)=1
.tran 1u 1m uic
.ac dec 10 1 1meg
.end
)",
        R"(controlled
V1 a 0 PULSE(0 1 1n 1n 1n 5n 10n)
E1 b 0 a 0 10
E2 c 0 POLY(2) a 0 b 0 1 2 3
E3 d 0 TABLE {V(a)} = (0,0) (1,2)
E4 e 0 VALUE={limit(V(a),0,1)}
E5 f 0 OPAMP a b
F1 b 0 V1 2
G1 b 0 a 0 1m
H1 g 0 V1 5
B1 h 0 V=V(a)>0.5 ? sin(time) : -I(V1)**2
B2 h 0 I='if(V(a,b) < 1, ddt(V(a)), pwl(V(b),0,0,1,1))'
S1 a h c 0 sw on
W1 a h V1 cs
.model sw sw(vt=0.5 vh=0.1)
.model cs csw(it=1m)
R1 f 0 1
R2 h 0 1
.print tran v(a) v(b,c) i(V1)
.meas tran m1 max v(a) from=0 to=1n
.dc V1 0 1 0.1 temp 0 50 25
.end
)",
        R"(devices
D1 a 0 dm 2 off ic=0.5
Q1 c b e qn area=2
Q2 c b e s qp
J1 d g s jn
M1 d g s 0 mn l=1u w='2*w0' ad=1p
.param w0=1u
.func f(x,y) {x*y+g(x)}
.func g(x) {x+1}
R1 a b {f(1,2)}
R2 c d 1
R3 e s 1
R4 g 0 1
.model dm d(is=1e-14 n=1.05 bv=5)
.model qn npn bf=100
.model qp ako:qn pnp(bf=50)
.model jn njf
.model mn nmos(level=1 vto=0.7)
.options reltol=1e-4 method=gear
.temp 25 50
.op
.end
)",
        R"(hierarchy
.global vdd
.subckt inv in out w=2 PARAMS: l=1
.param h={w*l}
M1 out in vdd vdd mp w={w*1u}
M2 out in 0 0 mn w={h*1u}
.model mp pmos(vto={-w/4})
.subckt load a
C1 a 0 1p
.ends load
X1 out load m=2
.if (w > 1)
R1 out 0 1k
.elseif (w == 1)
R1 out 0 2k
.else
R1 out 0 3k
.endif
.ends inv
.model mn nmos
X1 a b inv
X2 b c inv w=1
X3 c a inv PARAMS: w={k} l=2
.param k=3
V1 vdd 0 5
.step param k 1 3 1
.end
)",
        R"(control
V1 1 0 1
R1 1 2 1k
C1 2 0 1u
.lib corner
R9 1 0 1
.endl
.control
set x = 1
op
tran 1u 1m
plot v(2) vs v(1) xlimit 0 1m
print all
.endc
.save v(1) @r1[i]
.end
)"};
    return decks;
}

inline std::string mutated_deck(std::mt19937_64& random) {
    static constexpr std::array<std::string_view, 54> words{"{",
                                                            "}",
                                                            "'",
                                                            "(",
                                                            ")",
                                                            "=",
                                                            ",",
                                                            "\n+ ",
                                                            "\n",
                                                            "\"",
                                                            ";",
                                                            "$",
                                                            "//",
                                                            "*",
                                                            ".",
                                                            "1e999",
                                                            "-1",
                                                            "0",
                                                            "1k5",
                                                            "1e-400",
                                                            "a",
                                                            "gnd",
                                                            "V(",
                                                            "I(V1)",
                                                            "x1.m",
                                                            "{k}",
                                                            "PARAMS:",
                                                            ".ends\n",
                                                            ".subckt s a\n",
                                                            "X9 a s\n",
                                                            ".if (1)\n",
                                                            ".endif\n",
                                                            ".param k={j}\n",
                                                            ".func g(x) {f(x,x)}\n",
                                                            ".include main.cir\n",
                                                            ".lib a b\n",
                                                            ".control\n",
                                                            ".endc\n",
                                                            ".end\n",
                                                            "POLY(3)",
                                                            "TABLE",
                                                            "?",
                                                            ":",
                                                            "^",
                                                            "**",
                                                            "&&",
                                                            "m=2",
                                                            "ic=1,2",
                                                            "\xC2\xB5",
                                                            std::string_view("\0", 1),
                                                            "time",
                                                            "temper",
                                                            "pwl(",
                                                            "1e9"};
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
    const auto& decks = seed_decks();
    std::string text = decks[below(decks.size())];
    for (std::size_t k = 1 + below(6); k > 0; --k) {
        const std::size_t at = below(text.size());
        switch (below(8)) {
        case 0: text.insert(at, 1, static_cast<char>(random())); break;
        case 1: text.erase(at, 1 + below(8)); break;
        case 2:
        case 3: text.insert(at, words[below(words.size())]); break;
        case 4: { // a line again somewhere else
            const auto begin = text.rfind('\n', at), end = text.find('\n', at);
            if (begin == std::string::npos || end == std::string::npos) break;
            const std::string line = text.substr(begin, end - begin);
            const auto to = text.find('\n', below(text.size()));
            if (to != std::string::npos) text.insert(to, line);
            break;
        }
        case 5: { // a line less
            const auto begin = text.rfind('\n', at), end = text.find('\n', at);
            if (begin != std::string::npos && end != std::string::npos) text.erase(begin, end - begin);
            break;
        }
        case 6: { // a piece of another deck
            const std::string& other = decks[below(decks.size())];
            text.insert(at, other.substr(below(other.size()), below(40)));
            break;
        }
        default: { // the same piece many times
            const std::string piece = text.substr(at, 1 + below(12));
            std::string many;
            for (std::size_t n = below(400); n > 0; --n) many += piece;
            text.insert(at, many);
        }
        }
    }
    return text;
}

struct NetlistTally {
    long tried = 0, accepted = 0, messages = 0;
};

/// Places lie within their lists, numbers are finite, and spans within files.
inline bool is_whole(const spice::Netlist& n) {
    const auto inside = [](int place, std::size_t size) {
        return place >= 0 && static_cast<std::size_t>(place) < size;
    };
    const auto finite = [](const spice::Values& values) {
        for (const auto& [key, value] : values)
            if (!std::isfinite(value.number)) return false;
        return true;
    };
    if (n.nodes.empty() || n.elements.empty() || n.nodes[0].name != "0") return false;
    for (const spice::Element& e : n.elements) {
        if (e.model >= 0 && !inside(e.model, n.models.size())) return false;
        for (const int node : e.nodes)
            if (!inside(node, n.nodes.size())) return false;
        for (const int other : e.others)
            if (!inside(other, n.elements.size())) return false;
        if (!finite(e.values) || e.nodes.size() != e.node_spans.size()) return false;
        if (!e.formula) continue;
        if (e.formula->nodes.empty()) return false;
        for (std::size_t k = 0; k < e.formula->nodes.size(); ++k) {
            const spice::Formula::Node& f = e.formula->nodes[k];
            using Kind = spice::Formula::Kind;
            if (f.kind == Kind::voltage && (!inside(f.a, n.nodes.size()) || !inside(f.b, n.nodes.size()))) return false;
            if (f.kind == Kind::current && !inside(f.a, n.elements.size())) return false;
            if (f.kind == Kind::operation && (f.name.empty() || f.operands.empty())) return false;
            for (const int operand : f.operands)
                if (!inside(operand, k)) return false;
        }
    }
    for (const spice::DeviceModel& m : n.models)
        if (!finite(m.values)) return false;
    for (const auto& list : {n.initial, n.node_set})
        for (const spice::NodeValue& v : list)
            if (!inside(v.node, n.nodes.size()) || !inside(v.reference, n.nodes.size())) return false;
    return true;
}

/// False: what was read is not whole, or what was refused has no reason.
inline bool try_deck(const std::string& text, NetlistTally& tally) {
    spice::ReadOptions options;
    options.most_elements = 10'000;
    const auto read = spice::read_netlist(std::make_shared<const SourceFile>("/nowhere/deck.cir", text), options);
    ++tally.tried;
    if (read) {
        ++tally.accepted;
        return is_whole(*read) && !has_errors(read->warnings);
    }
    tally.messages += static_cast<long>(read.error().size());
    return has_errors(read.error()) && !render(read.error()).empty();
}

} // namespace daedalus::fuzz
