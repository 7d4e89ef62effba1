#include "modelica/builtin.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

// Functions that are more than one operation of the graph; elementary ones come from their own list.
constexpr std::array written_here{
    Function{"sign", 1, Lowering::sign, Op::sign, 0, false, "v"},
    Function{"ceil", 1, Lowering::ceil, Op::ceil, 0, false, "x"},
    Function{"der", 1, Lowering::derivative, Op::constant, 0, false, "x"},
    Function{"noEvent", 1, Lowering::identity, Op::constant, 0, true, "expr"},
    Function{"smooth", 2, Lowering::identity, Op::constant, 1, false, "p expr"},
    Function{"integer", 1, Lowering::integer, Op::constant, 0, true, "x"},
    Function{"mod", 2, Lowering::mod, Op::constant, 0, true, "x y"},
    Function{"div", 2, Lowering::div, Op::constant, 0, true, "x y"},
    Function{"rem", 2, Lowering::rem, Op::constant, 0, true, "x y"},
    Function{"semiLinear", 3, Lowering::semi_linear, Op::constant, 0, false, "x positiveSlope negativeSlope"},
};

// Part of the language; arrays and streams come later.
constexpr std::string_view later_names[] = {
    "delay",        "reinit",   "terminate", "cardinality", "inStream", "actualStream", "spatialDistribution",
    "sum",          "product",  "size",      "ndims",       "zeros",    "ones",         "fill",
    "identity",     "diagonal", "linspace",  "transpose",   "cross",    "skew",         "symmetric",
    "outerProduct", "scalar",   "vector",    "matrix",      "cat",      "array",        "String",
    "Integer",      "homotopy"};

// SI Brochure (2019) for the defining constants, CODATA 2018 for G and mu_0; machine numbers are those of IEEE
// double precision. Names as in Modelica.Constants 4.0.
constexpr double pi = 3.14159265358979323846;
constexpr double light_speed = 299792458.0;
constexpr double planck = 6.62607015e-34;
constexpr double boltzmann = 1.380649e-23;
constexpr double avogadro = 6.02214076e23;
constexpr double charge = 1.602176634e-19;
constexpr double mu_0 = 1.25663706212e-6;
constexpr std::array constants{
    NamedConstant{"pi", pi},
    NamedConstant{"e", 2.71828182845904523536},
    NamedConstant{"D2R", pi / 180.0},
    NamedConstant{"R2D", 180.0 / pi},
    NamedConstant{"gamma", 0.57721566490153286061},
    NamedConstant{"eps", 2.2204460492503131e-16},
    NamedConstant{"small", 2.2250738585072014e-308},
    NamedConstant{"inf", 1.7976931348623157e308},
    NamedConstant{"Integer_inf", 2147483647.0},
    NamedConstant{"c", light_speed},
    NamedConstant{"g_n", 9.80665},
    NamedConstant{"G", 6.67430e-11},
    NamedConstant{"q", charge},
    NamedConstant{"F", charge* avogadro},
    NamedConstant{"h", planck},
    NamedConstant{"k", boltzmann},
    NamedConstant{"R", boltzmann* avogadro},
    NamedConstant{"sigma", 2.0 * pi* pi* pi* pi* pi* boltzmann* boltzmann* boltzmann* boltzmann /
                               (15.0 * planck * planck * planck * light_speed * light_speed)},
    NamedConstant{"N_A", avogadro},
    NamedConstant{"mu_0", mu_0},
    NamedConstant{"epsilon_0", 1.0 / (mu_0 * light_speed * light_speed)},
    NamedConstant{"T_zero", -273.15},
};

using Unit = std::pair<std::string_view, std::string_view>;
constexpr std::array units{
    Unit{"Angle", "rad"},
    Unit{"Length", "m"},
    Unit{"Position", "m"},
    Unit{"Distance", "m"},
    Unit{"Height", "m"},
    Unit{"Radius", "m"},
    Unit{"Diameter", "m"},
    Unit{"Area", "m2"},
    Unit{"Volume", "m3"},
    Unit{"Time", "s"},
    Unit{"Duration", "s"},
    Unit{"AngularVelocity", "rad/s"},
    Unit{"AngularAcceleration", "rad/s2"},
    Unit{"Velocity", "m/s"},
    Unit{"Acceleration", "m/s2"},
    Unit{"Jerk", "m/s3"},
    Unit{"Frequency", "Hz"},
    Unit{"AngularFrequency", "rad/s"},
    Unit{"Mass", "kg"},
    Unit{"Density", "kg/m3"},
    Unit{"MassFlowRate", "kg/s"},
    Unit{"VolumeFlowRate", "m3/s"},
    Unit{"Inertia", "kg.m2"},
    Unit{"MomentOfInertia", "kg.m2"},
    Unit{"Force", "N"},
    Unit{"Torque", "N.m"},
    Unit{"Pressure", "Pa"},
    Unit{"AbsolutePressure", "Pa"},
    Unit{"DynamicViscosity", "Pa.s"},
    Unit{"Energy", "J"},
    Unit{"Work", "J"},
    Unit{"Heat", "J"},
    Unit{"Power", "W"},
    Unit{"HeatFlowRate", "W"},
    Unit{"Temperature", "K"},
    Unit{"TemperatureDifference", "K"},
    Unit{"HeatCapacity", "J/K"},
    Unit{"SpecificHeatCapacity", "J/(kg.K)"},
    Unit{"SpecificEnthalpy", "J/kg"},
    Unit{"ThermalConductivity", "W/(m.K)"},
    Unit{"ThermalConductance", "W/K"},
    Unit{"ThermalResistance", "K/W"},
    Unit{"CoefficientOfHeatTransfer", "W/(m2.K)"},
    Unit{"ElectricCurrent", "A"},
    Unit{"Current", "A"},
    Unit{"ElectricCharge", "C"},
    Unit{"Voltage", "V"},
    Unit{"ElectricPotential", "V"},
    Unit{"PotentialDifference", "V"},
    Unit{"Resistance", "Ohm"},
    Unit{"Conductance", "S"},
    Unit{"Capacitance", "F"},
    Unit{"Inductance", "H"},
    Unit{"MagneticFlux", "Wb"},
    Unit{"MagneticFluxDensity", "T"},
    Unit{"AmountOfSubstance", "mol"},
    Unit{"MolarMass", "kg/mol"},
    Unit{"Concentration", "mol/m3"},
    Unit{"TranslationalSpringConstant", "N/m"},
    Unit{"TranslationalDampingConstant", "N.s/m"},
    Unit{"RotationalSpringConstant", "N.m/rad"},
    Unit{"RotationalDampingConstant", "N.m.s/rad"},
    Unit{"DimensionlessRatio", "1"},
    Unit{"Efficiency", "1"},
};

const Function* find(std::span<const Function> list, std::string_view name) {
    const auto it = std::find_if(list.begin(), list.end(), [&](const Function& f) { return f.name == name; });
    return it == list.end() ? nullptr : &*it;
}

const std::vector<Function>& functions() {
    static const std::vector<Function> all = [] {
        std::vector<Function> list(written_here.begin(), written_here.end());
        for (const expr::Function* f : expr::all_functions())
            if (find(written_here, f->name) == nullptr)
                list.push_back(
                    {f->name, expr::arity(f->op), Lowering::operation, f->op, 0, f->keeps_integer, f->arguments});
        return list;
    }();
    return all;
}

bool drop_prefix(std::string_view& name, std::string_view prefix) {
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

} // namespace

const Function* find_function(std::string_view dotted) {
    drop_prefix(dotted, "Modelica.Math.");
    return find(functions(), dotted);
}

bool is_event_function(std::string_view name) {
    return name == "initial" || name == "terminal" || name == "sample" || name == "pre" || name == "edge" ||
           name == "change";
}

bool is_later_function(std::string_view name) {
    return std::find(std::begin(later_names), std::end(later_names), name) != std::end(later_names);
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (const Function& f : functions()) names.emplace_back(f.name);
    return names;
}

const NamedConstant* find_constant(std::string_view dotted) {
    if (!drop_prefix(dotted, "Modelica.Constants.")) return nullptr;
    const auto* it = std::find_if(constants.begin(), constants.end(), [&](const auto& c) { return c.name == dotted; });
    return it == constants.end() ? nullptr : it;
}

const std::string_view* find_unit(std::string_view dotted) {
    if (!drop_prefix(dotted, "Modelica.Units.SI.") && !drop_prefix(dotted, "Modelica.SIunits.")) return nullptr;
    const auto* it = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == dotted; });
    return it == units.end() ? nullptr : &it->second;
}

NodeId build(expr::Graph& graph, const Function& function, std::span<const Value> arguments) {
    const auto argument = [&](int k) { return arguments[static_cast<std::size_t>(k)].node; };
    const auto towards_zero = [&](NodeId q) {
        return graph.select(graph.binary(Op::ge, q, graph.constant(0.0)), graph.unary(Op::floor, q),
                            graph.neg(graph.unary(Op::floor, graph.neg(q))));
    };
    switch (function.lowering) {
    case Lowering::operation:
        return function.arity == 1 ? graph.unary(function.op, argument(0))
                                   : graph.binary(function.op, argument(0), argument(1));
    case Lowering::identity: return argument(function.picked);
    case Lowering::integer: return graph.unary(Op::floor, argument(0));
    // As relations and integer parts, which make events: see expr::without_events.
    case Lowering::sign: {
        const NodeId zero = graph.constant(0.0);
        if (graph.is_constant(argument(0))) return graph.unary(Op::sign, argument(0));
        return graph.select(graph.binary(Op::gt, argument(0), zero), graph.constant(1.0),
                            graph.select(graph.binary(Op::lt, argument(0), zero), graph.constant(-1.0), zero));
    }
    case Lowering::ceil: return graph.neg(graph.unary(Op::floor, graph.neg(argument(0))));
    case Lowering::mod: {
        const NodeId quotient = graph.unary(Op::floor, graph.div(argument(0), argument(1)));
        return graph.sub(argument(0), graph.mul(quotient, argument(1)));
    }
    case Lowering::div: return towards_zero(graph.div(argument(0), argument(1)));
    case Lowering::rem: {
        const NodeId quotient = towards_zero(graph.div(argument(0), argument(1)));
        return graph.sub(argument(0), graph.mul(quotient, argument(1)));
    }
    case Lowering::semi_linear:
        return graph.select(graph.binary(Op::ge, argument(0), graph.constant(0.0)), graph.mul(argument(1), argument(0)),
                            graph.mul(argument(2), argument(0)));
    default: return expr::no_node;
    }
}

} // namespace daedalus::modelica
