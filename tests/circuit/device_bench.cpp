#include "device_bench.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <random>
#include <sstream>
#include <unistd.h>

namespace daedalus::testing {

namespace {

using circuit::Equations;
using expr::NodeId;

spice::Values values_of(const std::map<std::string, double>& numbers) {
    spice::Values out;
    for (const auto& [name, number] : numbers) out[name] = {.number = number, .span = {}};
    return out;
}

/// Rows with their gradients, evaluated at points.
class Rows {
public:
    explicit Rows(const Equations& e) : e_(e), g_(*e.model->graph), n_(static_cast<int>(e.model->variables.size())) {
        for (const model::Equation& row : e.model->equations) rows_.push_back(g_.sub(row.left, row.right));
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (const expr::Partial& p : expr::gradient(g_, rows_[r])) entries_.push_back({r, p.leaf, p.value});
            for (const expr::Partial& p : expr::gradient(g_, rows_[r], expr::Leaves::parameters))
                sources_.push_back({r, p.leaf, p.value});
        }
    }
    [[nodiscard]] int size() const { return n_; }
    void set_parameter(int id, double value) { set_[id] = value; }

    struct At {
        Eigen::VectorXd f;
        Eigen::MatrixXd by_value, by_slope;
        std::map<std::pair<int, int>, double> by_parameter; ///< row, parameter
    };
    [[nodiscard]] At at(const Eigen::VectorXd& x) const { return at(x, Eigen::VectorXd::Zero(n_)); }
    [[nodiscard]] At at(const Eigen::VectorXd& x, const Eigen::VectorXd& slope) const {
        std::vector<NodeId> wanted = rows_;
        for (const Entry& e : entries_) wanted.push_back(e.value);
        for (const Entry& e : sources_) wanted.push_back(e.value);
        const std::vector<double> v =
            expr::evaluate(g_, wanted, [&](NodeId leaf) { return leaf_value(leaf, x, slope); });
        At out{Eigen::VectorXd(rows_.size()), Eigen::MatrixXd::Zero(n_, n_), Eigen::MatrixXd::Zero(n_, n_), {}};
        for (std::size_t r = 0; r < rows_.size(); ++r) out.f[static_cast<int>(r)] = v[r];
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            const Entry& e = entries_[k];
            auto& to = g_.derivative_order(e.leaf) == 0 ? out.by_value : out.by_slope;
            to(static_cast<int>(e.row), g_.variable_id(e.leaf)) += v[rows_.size() + k];
        }
        for (std::size_t k = 0; k < sources_.size(); ++k)
            out.by_parameter[{static_cast<int>(sources_[k].row), g_.parameter_id(sources_[k].leaf)}] =
                v[rows_.size() + entries_.size() + k];
        return out;
    }

private:
    struct Entry {
        std::size_t row;
        NodeId leaf, value;
    };
    double leaf_value(NodeId leaf, const Eigen::VectorXd& x, const Eigen::VectorXd& slope) const {
        if (g_.op(leaf) == expr::Op::time) return 0.0;
        if (g_.op(leaf) == expr::Op::variable)
            return g_.derivative_order(leaf) == 0 ? x[g_.variable_id(leaf)] : slope[g_.variable_id(leaf)];
        const int id = g_.parameter_id(leaf);
        if (const auto at = set_.find(id); at != set_.end()) return at->second;
        return expr::evaluate(g_, e_.model->parameters[static_cast<std::size_t>(id)].binding,
                              [](NodeId) { return 0.0; });
    }
    const Equations& e_;
    expr::Graph& g_;
    int n_;
    std::vector<NodeId> rows_;
    std::vector<Entry> entries_, sources_;
    std::map<int, double> set_;
};

/// Newton's method with steps of 0.1 V at most, for few unknowns. A step below round-off of the unknowns ends it.
Eigen::VectorXd solve(const Rows& rows, Eigen::VectorXd x, const std::vector<int>& voltages) {
    constexpr int most = 3000;
    double before = 1e300;
    for (int k = 0; k < most; ++k) {
        const Rows::At at = rows.at(x);
        Eigen::VectorXd dx = at.by_value.fullPivLu().solve(-at.f);
        double largest = 0.0, relative = 0.0;
        for (const int v : voltages) {
            largest = std::max(largest, std::abs(dx[v]));
            relative = std::max(relative, std::abs(dx[v]) / (1e-3 + std::abs(x[v])));
        }
        if (largest > 0.1) {
            for (const int v : voltages) dx[v] *= 0.1 / largest;
        }
        x += dx;
        if (relative < 1e-12 && relative >= 0.5 * before) return x;
        before = relative;
    }
    ADD_FAILURE() << "Newton's method does not converge";
    return x;
}

bool has_ngspice() { return std::system("command -v ngspice > /dev/null 2>&1") == 0; }

std::string text(double value) {
    char buffer[40];
    (void)std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return buffer;
}

/// For .op, or for .ac: in one run ngspice 39 has charges of the small-signal analysis in later operating points.
std::string deck(const Device& d, bool small_signal) {
    std::ostringstream out;
    // Behind series resistances currents have the round-off of voltages, below which nothing converges.
    out << "one device, many times\n.options reltol=1e-9 vntol=1e-12 gmin=1e-12 tnom=27 abstol="
        << (d.conductance > 0.0 ? "1e-14" : "1e-18") << "\n";
    for (const auto& [name, value] : d.options) out << ".options " << name << "=" << text(value) << "\n";
    out << ".temp " << text(d.celsius) << "\n.model card " << d.type << "(";
    for (const auto& [name, value] : d.card) out << "\n+ " << name << "=" << text(value);
    out << ")\n";
    for (std::size_t b = 0; b < d.voltages.size(); ++b)
        for (std::size_t excited = 0; excited < (small_signal ? d.voltages[b].size() : 1); ++excited) {
            const std::string id = std::to_string(b) + "x" + std::to_string(excited);
            out << d.letter << id;
            for (std::size_t t = 0; t < d.voltages[b].size(); ++t) out << " n" << id << "t" << t;
            out << " card";
            for (const auto& [name, value] : d.values) out << " " << name << "=" << text(value);
            out << "\n";
            for (std::size_t t = 0; t < d.voltages[b].size(); ++t)
                out << "v" << id << "t" << t << " n" << id << "t" << t << " 0 dc " << text(d.voltages[b][t]) << " ac "
                    << (t == excited ? 1 : 0) << "\n";
        }
    const std::string frequency = text(0.5 / std::numbers::pi);
    out << ".save all\n" << (small_signal ? ".ac lin 1 " + frequency + " " + frequency : ".op") << "\n.end\n";
    return out.str();
}

/// Of a binary raw file with one plot: name of a vector → its first value.
std::map<std::string, std::complex<double>> read_raw(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string all((std::istreambuf_iterator<char>(file)), {});
    std::map<std::string, std::complex<double>> plot;
    std::size_t at = 0;
    std::vector<std::string> names;
    bool is_complex = false, in_names = false;
    std::size_t count = 0;
    while (at < all.size()) {
        const std::size_t end = all.find('\n', at);
        const std::string line = all.substr(at, end - at);
        at = end == std::string::npos ? all.size() : end + 1;
        if (line.starts_with("Flags:")) is_complex = line.find("complex") != std::string::npos;
        if (line.starts_with("No. Variables:")) count = std::stoul(line.substr(14));
        if (line.starts_with("Binary:")) break;
        if (in_names && names.size() < count) {
            std::istringstream words(line);
            std::string number, name;
            words >> number >> name;
            names.push_back(name);
        }
        if (line.starts_with("Variables:")) in_names = true;
    }
    for (const std::string& name : names) {
        std::array<double, 2> parts{};
        const std::size_t bytes = sizeof(double) * (is_complex ? 2 : 1);
        if (at + bytes > all.size()) return {};
        std::memcpy(parts.data(), all.data() + at, bytes);
        at += bytes;
        plot[name] = {parts[0], parts[1]};
    }
    return plot;
}

} // namespace

std::shared_ptr<spice::Netlist> netlist_of(const Device& d) {
    auto n = std::make_shared<spice::Netlist>();
    n->title = "one device";
    n->temperature = d.celsius;
    n->options = values_of(d.options);
    n->nodes.push_back({"0", {}});
    n->models.push_back({.name = "card", .type = d.type, .values = values_of(d.card), .span = {}});
    spice::Element device;
    device.kind = d.kind;
    device.name = d.letter + "1";
    device.model = 0;
    device.values = values_of(d.values);
    for (std::size_t t = 0; t < d.voltages.at(0).size(); ++t) {
        n->nodes.push_back({"t" + std::to_string(t), {}});
        device.nodes.push_back(static_cast<int>(t) + 1);
        spice::Element source;
        source.kind = spice::ElementKind::voltage_source;
        source.name = "v" + std::to_string(t);
        source.nodes = {static_cast<int>(t) + 1, 0};
        source.values = values_of({{"value", d.voltages[0][t]}});
        n->elements.push_back(source);
    }
    n->elements.push_back(device);
    return n;
}

Measured measure(const Device& d) {
    Measured out;
    const auto made = circuit::make_circuit(netlist_of(d));
    if (!made) {
        for (const Diagnostic& problem : made.error()) ADD_FAILURE() << problem.message;
        return out;
    }
    const Equations& e = made->transient;
    Rows rows(e);
    const std::size_t terminals = d.voltages[0].size();
    std::vector<int> voltages;
    for (int v = 0; v < rows.size(); ++v)
        if (e.model->variables[static_cast<std::size_t>(v)].unit == "V") voltages.push_back(v);
    for (const std::vector<double>& bias : d.voltages) {
        Eigen::VectorXd x = Eigen::VectorXd::Zero(rows.size());
        for (std::size_t t = 0; t < terminals; ++t) {
            rows.set_parameter(e.value_parameter[t], bias[t]);
            x[e.node_voltage[t + 1]] = bias[t];
        }
        x = solve(rows, x, voltages);
        const Rows::At at = rows.at(x);
        std::vector<double>& currents = out.current.emplace_back();
        for (std::size_t t = 0; t < terminals; ++t) currents.push_back(-x[e.branch_current[t]]);
        const Eigen::MatrixXcd matrix =
            at.by_value.cast<std::complex<double>>() + std::complex<double>(0.0, 1.0) * at.by_slope;
        const Eigen::FullPivLU<Eigen::MatrixXcd> lu(matrix);
        auto& admittance = out.capacitance.emplace_back();
        for (std::size_t excited = 0; excited < terminals; ++excited) {
            Eigen::VectorXcd b = Eigen::VectorXcd::Zero(rows.size());
            for (const auto& [where, value] : at.by_parameter)
                if (where.second == e.value_parameter[excited]) b[where.first] = -value;
            const Eigen::VectorXcd dx = lu.solve(b);
            std::vector<double>& row = admittance.emplace_back();
            for (std::size_t t = 0; t < terminals; ++t) row.push_back(-dx[e.branch_current[t]].imag());
        }
    }
    return out;
}

std::optional<Measured> measure_with_ngspice(const Device& d) {
    if (!has_ngspice()) return std::nullopt;
    namespace fs = std::filesystem;
    static int count = 0;
    const fs::path folder =
        fs::temp_directory_path() / ("daedalus_bench_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    fs::create_directories(folder);
    std::array<std::map<std::string, std::complex<double>>, 2> plots;
    for (const bool small_signal : {false, true}) {
        std::ofstream(folder / "deck.cir") << deck(d, small_signal);
        const std::string command = "cd '" + folder.string() + "' && ngspice -b -r out.raw deck.cir > out.txt 2>&1";
        (void)std::system(command.c_str());
        plots[small_signal ? 1 : 0] = read_raw((folder / "out.raw").string());
        if (!plots[small_signal ? 1 : 0].empty()) continue;
        std::ifstream log(folder / "out.txt");
        ADD_FAILURE() << "ngspice: " << std::string((std::istreambuf_iterator<char>(log)), {});
        fs::remove_all(folder);
        return Measured{};
    }
    fs::remove_all(folder);
    Measured out;
    for (std::size_t b = 0; b < d.voltages.size(); ++b) {
        auto& currents = out.current.emplace_back();
        auto& capacitance = out.capacitance.emplace_back();
        for (std::size_t excited = 0; excited < d.voltages[b].size(); ++excited) {
            auto& row = capacitance.emplace_back();
            for (std::size_t t = 0; t < d.voltages[b].size(); ++t) {
                const std::string name =
                    "i(v" + std::to_string(b) + "x" + std::to_string(excited) + "t" + std::to_string(t) + ")";
                if (excited == 0) currents.push_back(-plots[0].at(name).real());
                row.push_back(-plots[1].at(name).imag());
            }
        }
    }
    return out;
}

void expect_like_ngspice(const Device& d, double relative) {
    const auto theirs = measure_with_ngspice(d);
    if (!theirs) GTEST_SKIP() << "ngspice is not installed";
    const Measured ours = measure(d);
    ASSERT_EQ(ours.current.size(), theirs->current.size());
    int shown = 0;
    for (std::size_t b = 0; b < d.voltages.size(); ++b) {
        std::string where = "at";
        for (const double v : d.voltages[b]) where += " " + std::to_string(v);
        double largest = 0.0, highest = 0.0, all = 0.0;
        for (const auto& row : theirs->capacitance[b])
            for (const double c : row) largest = std::max(largest, std::abs(c));
        for (const double v : d.voltages[b]) highest = std::max(highest, std::abs(v));
        // A current that is the difference of larger ones is known to their round-off only.
        for (const double i : theirs->current[b]) all = std::max(all, std::abs(i));
        const double round_off = 1e-10 * all + 2e-15 * highest * d.conductance + 1e-22;
        for (std::size_t t = 0; t < d.voltages[b].size() && shown < 12; ++t) {
            const double i = theirs->current[b][t], bound = relative * std::abs(i) + round_off;
            if (!(std::abs(ours.current[b][t] - i) <= bound)) {
                ++shown;
                ADD_FAILURE() << "current of terminal " << t << " " << where << " V: " << text(ours.current[b][t])
                              << ", ngspice: " << text(i);
            }
            for (std::size_t excited = 0; excited < d.voltages[b].size() && shown < 12 && !d.currents_only; ++excited) {
                const double c = theirs->capacitance[b][excited][t];
                if (!(std::abs(ours.capacitance[b][excited][t] - c) <= relative * largest + 1e-24)) {
                    ++shown;
                    ADD_FAILURE() << "capacitance of terminal " << t << " against " << excited << " " << where
                                  << " V: " << text(ours.capacitance[b][excited][t]) << ", ngspice: " << text(c);
                }
            }
        }
    }
}

void expect_smooth(const Device& d, const std::vector<double>& low, const std::vector<double>& high,
                   bool by_differences) {
    const auto made = circuit::make_circuit(netlist_of(d));
    ASSERT_TRUE(made);
    const Equations& e = made->transient;
    const Rows rows(e);
    std::mt19937 random(7); // NOLINT: the same points in every run
    const std::size_t terminals = low.size();
    constexpr int points = 200;
    int compared = 0;
    for (int k = 0; k < points; ++k) {
        Eigen::VectorXd x = Eigen::VectorXd::Zero(rows.size()), slope = Eigen::VectorXd::Zero(rows.size());
        for (std::size_t t = 0; t < terminals; ++t)
            x[e.node_voltage[t + 1]] = std::uniform_real_distribution<double>(low[t], high[t])(random);
        for (int i = 0; i < rows.size(); ++i) {
            const std::string& name = e.model->variables[static_cast<std::size_t>(i)].name;
            const auto at = [&](std::size_t t) { return x[e.node_voltage[t + 1]]; };
            if (name.find(".base") != std::string::npos) x[i] = at(1);
            if (name.find(".source") != std::string::npos || name.find(".emitter") != std::string::npos) x[i] = at(2);
            if (name.find(".drain") != std::string::npos || name.find(".collector") != std::string::npos ||
                name.find(".anode") != std::string::npos)
                x[i] = at(0);
            if (name.starts_with("I(")) x[i] = 0.0;
            slope[i] = std::uniform_real_distribution<double>(-1e6, 1e6)(random);
        }
        const Rows::At at = rows.at(x, slope);
        ASSERT_TRUE(at.f.allFinite() && at.by_value.allFinite() && at.by_slope.allFinite())
            << "at " << x.transpose() << ": " << at.f.transpose();
        if (!by_differences || at.f.lpNorm<Eigen::Infinity>() > 10.0) continue;
        ++compared;
        constexpr double h = 1e-6; // V; the exponentials bend over 25 mV, their differences err by (h/25 mV)²/6
        for (int i = 0; i < rows.size(); ++i) {
            Eigen::VectorXd up = x, down = x;
            up[i] += h;
            down[i] -= h;
            const Eigen::VectorXd difference = (rows.at(up, slope).f - rows.at(down, slope).f) / (2.0 * h);
            for (int r = 0; r < rows.size(); ++r)
                EXPECT_NEAR(difference[r], at.by_value(r, i), 1e-5 * std::abs(at.by_value(r, i)) + 1e-8)
                    << "row " << r << " by " << e.model->variables[static_cast<std::size_t>(i)].name << " at "
                    << x.transpose();
        }
    }
    if (by_differences) {
        EXPECT_GT(compared, 20);
    }
}

std::vector<std::vector<double>> grid(const std::vector<std::vector<double>>& terminals) {
    std::vector<std::vector<double>> out{{}};
    for (const std::vector<double>& values : terminals) {
        std::vector<std::vector<double>> more;
        for (const std::vector<double>& head : out)
            for (const double v : values) {
                more.push_back(head);
                more.back().push_back(v);
            }
        out = std::move(more);
    }
    return out;
}

} // namespace daedalus::testing
