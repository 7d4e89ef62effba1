#include "circuit/waveforms.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::circuit {

namespace {

using spice::Waveform;

class Maker {
public:
    Maker(Assembly& a, const spice::Element& source) : a_(a), g_(a.graph()), source_(source), w_(source.waveform) {
        for (const spice::Analysis& analysis : a.netlist().analyses)
            if (analysis.kind == spice::Analysis::Kind::transient) {
                step_ = analysis.step;
                stop_ = analysis.stop;
            }
    }

    NodeId sine() {
        const double offset = at(0, 0.0), amplitude = at(1, 0.0), delay = at(3, 0.0), damping = at(4, 0.0);
        const double frequency = at(2, stop_ > 0.0 ? 1.0 / stop_ : 0.0), phase = degrees(at(5, 0.0));
        NodeId value = g_.mul(n(amplitude), wave(since(delay), frequency, phase));
        if (damping != 0.0) value = g_.mul(value, g_.unary(Op::exp, g_.mul(n(-damping), since(delay))));
        value = g_.add(n(offset), value);
        if (delay <= 0.0) return value;
        return g_.select(before(delay), n(offset + amplitude * std::sin(phase)), value);
    }

    NodeId pulse() {
        const double low = at(0, 0.0), high = at(1, 0.0), delay = at(2, 0.0);
        const double rise = positive(3, step_), fall = positive(4, step_);
        const double width = positive(5, stop_), period = positive(6, stop_);
        const double count = at(7, 0.0); // of pulses; 0: without end
        if (rise + width + fall > period * (1.0 + 1e-12) && period < stop_)
            a_.error("pulse-period", w_.span, "the pulse of " + source_.name + " is longer than its period",
                     "rise time + width + fall time must not exceed the period");
        NodeId s = since(delay);
        NodeId value = n(low);
        if (period < stop_ - delay) s = g_.sub(s, g_.mul(n(period), g_.unary(Op::floor, g_.div(s, n(period)))));
        value = corner(s, rise + width + fall, line(s, rise + width, high, fall, low), value);
        value = corner(s, rise + width, n(high), value);
        value = corner(s, rise, line(s, 0.0, low, rise, high), value);
        if (count > 0.0 && period < stop_) value = g_.select(before(delay + count * period), value, n(low));
        if (delay > 0.0) value = g_.select(before(delay), n(low), value);
        return value;
    }

    NodeId exponential() {
        const double low = at(0, 0.0), high = at(1, 0.0), rise_at = at(2, step_), rise = positive(3, step_);
        const double fall_at = at(4, rise_at + step_), fall = positive(5, step_);
        const auto towards = [&](double from, double to, double begin, double tau) {
            const NodeId decay = g_.unary(Op::exp, g_.mul(n(-1.0 / tau), since(begin)));
            return g_.mul(n(to - from), g_.sub(n(1.0), decay));
        };
        NodeId up = g_.add(n(low), towards(low, high, rise_at, rise));
        NodeId both = g_.add(up, towards(high, low, fall_at, fall));
        NodeId value = g_.select(before(fall_at), up, both);
        return rise_at > 0.0 ? g_.select(before(rise_at), n(low), value) : value;
    }

    NodeId frequency_modulated() {
        const double one = stop_ > 0.0 ? 1.0 / stop_ : 0.0;
        const double carrier = at(2, one), index = at(3, 0.0), signal = at(4, one);
        const NodeId inner = g_.mul(n(index), wave(g_.time(), signal, degrees(at(6, 0.0))));
        const NodeId angle = g_.add(g_.add(turns(g_.time(), carrier), n(degrees(at(5, 0.0)))), inner);
        return g_.add(n(at(0, 0.0)), g_.mul(n(at(1, 0.0)), g_.unary(Op::sin, angle)));
    }

    NodeId amplitude_modulated() {
        const double delay = at(4, 0.0);
        const NodeId s = since(delay);
        const NodeId signal = g_.add(n(at(1, 0.0)), wave(s, at(2, 0.0), 0.0));
        const NodeId value = g_.mul(g_.mul(n(at(0, 0.0)), signal), wave(s, at(3, 0.0), 0.0));
        return delay > 0.0 ? g_.select(before(delay), n(0.0), value) : value;
    }

    NodeId piecewise_linear() {
        if (w_.numbers.size() < 2 || w_.numbers.size() % 2 != 0) {
            a_.error("pwl", w_.span, "PWL of " + source_.name + " needs pairs of times and values");
            return n(0.0);
        }
        for (std::size_t k = 2; k < w_.numbers.size(); k += 2)
            if (w_.numbers[k].number < w_.numbers[k - 2].number) {
                a_.error("pwl", w_.numbers[k].span, "the times of PWL of " + source_.name + " must not decrease");
                return n(0.0);
            }
        const auto delay = source_.values.find("td");
        NodeId s = since(delay == source_.values.end() ? 0.0 : delay->second.number);
        if (w_.repeat) { // from time r on, the piece [r, T] again and again
            const double from = w_.repeat->number, last = w_.numbers[w_.numbers.size() - 2].number;
            if (!(from >= 0.0 && from < last)) {
                a_.error("pwl", w_.repeat->span, "PWL of " + source_.name + " cannot repeat from there",
                         "r must lie between 0 and the last time");
                return n(0.0);
            }
            const NodeId over = g_.sub(s, n(from)), length = n(last - from);
            const NodeId whole = g_.unary(Op::floor, g_.div(over, length));
            const NodeId folded = g_.sub(s, g_.mul(length, whole));
            s = g_.select(g_.binary(Op::lt, s, n(last)), s, folded);
        }
        return pieces(s, 0, w_.numbers.size() / 2 - 1);
    }

private:
    [[nodiscard]] double at(std::size_t k, double otherwise) const {
        return k < w_.numbers.size() ? w_.numbers[k].number : otherwise;
    }
    /// SPICE takes 0 for "not given" where a time must be positive.
    [[nodiscard]] double positive(std::size_t k, double otherwise) {
        const double value = at(k, 0.0);
        if (value > 0.0) return value;
        if (otherwise > 0.0) return otherwise;
        a_.error("waveform", w_.span, "a time of the source " + source_.name + " must be given",
                 "its default is that of .tran, which the deck does not have");
        return 1.0;
    }
    static double degrees(double angle) { return angle * std::numbers::pi / 180.0; }
    NodeId n(double value) { return a_.number(value); }
    NodeId since(double begin) { return begin == 0.0 ? g_.time() : g_.sub(g_.time(), n(begin)); }
    NodeId before(double end) { return g_.binary(Op::lt, g_.time(), n(end)); }
    NodeId turns(NodeId s, double frequency) { return g_.mul(n(2.0 * std::numbers::pi * frequency), s); }
    NodeId wave(NodeId s, double frequency, double phase) {
        const NodeId angle = turns(s, frequency);
        return g_.unary(Op::sin, phase == 0.0 ? angle : g_.add(angle, n(phase)));
    }
    NodeId corner(NodeId s, double end, NodeId earlier, NodeId later) {
        return g_.select(g_.binary(Op::lt, s, n(end)), earlier, later);
    }
    NodeId line(NodeId s, double begin, double from, double length, double to) {
        return g_.add(n(from), g_.mul(n((to - from) / length), g_.sub(s, n(begin))));
    }
    /// Between knots first … last; a balanced tree of choices, constant outside.
    NodeId pieces(NodeId s, std::size_t first, std::size_t last) { // NOLINT(misc-no-recursion): depth is a logarithm
        const auto time = [&](std::size_t k) { return w_.numbers[2 * k].number; };
        const auto value = [&](std::size_t k) { return w_.numbers[2 * k + 1].number; };
        const std::size_t end = w_.numbers.size() / 2 - 1;
        if (first == last) return n(value(first));
        if (last == first + 1) {
            const double length = time(last) - time(first);
            NodeId piece = length > 0.0 ? line(s, time(first), value(first), length, value(last)) : n(value(last));
            if (last == end) piece = corner(s, time(last), piece, n(value(last)));
            if (first == 0) piece = corner(s, time(first), n(value(first)), piece);
            return piece;
        }
        const std::size_t middle = first + (last - first) / 2;
        return corner(s, time(middle), pieces(s, first, middle), pieces(s, middle, last));
    }

    Assembly& a_;
    expr::Graph& g_;
    const spice::Element& source_;
    const Waveform& w_;
    double step_ = 0.0, stop_ = 0.0; ///< of the transient analysis
};

} // namespace

NodeId waveform(Assembly& a, const spice::Element& source) {
    Maker make(a, source);
    using enum Waveform::Kind;
    switch (source.waveform.kind) {
    case sine: return make.sine();
    case pulse: return make.pulse();
    case piecewise_linear: return make.piecewise_linear();
    case Waveform::Kind::exponential: return make.exponential();
    case single_frequency_fm: return make.frequency_modulated();
    case Waveform::Kind::amplitude_modulated: return make.amplitude_modulated();
    case none: break;
    }
    return a.number(0.0);
}

} // namespace daedalus::circuit
