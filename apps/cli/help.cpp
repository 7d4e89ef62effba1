#include "help.hpp"

#include <fmt/format.h>

#include <string_view>

namespace cli {

namespace {

struct Help {
    Command command;
    const char* purpose;
    /// What it does, then the arguments; "{}" is the program.
    std::string_view examples;
};

constexpr Help texts[] = {
    {Command::none,
     "Daedalus solves differential-algebraic equations F(t, x, x') = 0 of any index, as written.\n"
     "It explains a model, finds consistent initial values, solves, certifies, and shows the result.",
     "  {} solve examples/pendulum.mo --until 10\n"
     "  {} analyze examples/pendulum.mo\n"
     "  {} start examples/pendulum.mo\n"
     "  {} solve examples/amplifier.cir\n"
     "  {} sweep examples/pendulum.mo --until 10 --param L=0.5:2:20\n"
     "  {} compare examples/pendulum.mo --until 10 --output compared.html\n"
     "  {} list examples\n"
     "\nFlags of a command: {} solve --help\n"},
    {Command::solve,
     "Finds consistent initial values, solves, and checks the result against every equation.\n"
     "Prints a summary; --output writes files. MODEL is a Modelica file, a mechanism,\n"
     "a SPICE deck (.cir, .net, .sp, .ckt), or - for standard input.",
     "  {} solve examples/pendulum.mo --until 10 --output pendulum.html\n"
     "  {} solve examples/pendulum.mo --rtol 1e-9 --atol 1e-9 --param L=2 --param g=1.62\n"
     "  {} solve examples/pendulum.mo --start y=-0.6 --start v=0 --method bdf --output p.csv\n"
     "  {} solve examples/robertson.mo --atol-of b=1e-12 --points 0 --json > robertson.json\n"
     "  {} solve examples/pendulum.mo --plot 'x, lambda'\n"
     "  {} solve examples/pendulum.mo --from 1 --until 0 --backward\n"},
    {Command::compare,
     "One model in every formulation by every method at every tolerance, against a reference of its own, on all "
     "cores:\n"
     "cost at equal accuracy, drift of constraints, energy, which one is the best and why.",
     "  {} compare examples/pendulum.mo --until 10 --output pendulum.html\n"
     "  {} compare examples/four_bar.mech --reduce dummy,projection,ggl --methods radau,dop853 --tolerances 1e-4,1e-8\n"
     "  {} compare examples/robertson.mo --until 40 --accuracy 1e-5 --json\n"},
    {Command::sweep,
     "Many runs of one model with different parameters, compiled once, on all cores: where the variables end, and\n"
     "which runs fail and why. --output writes a table or a page with curves.",
     "  {} sweep examples/pendulum.mo --until 10 --param L=0.5:2:100 --output lengths.html\n"
     "  {} sweep examples/pendulum.mo --until 10 --param L=0.5:2:10 --param g=1.62,3.7,9.81 -o grid.csv\n"
     "  {} sweep examples/pendulum.mo --until 10 --param L=0.5:2 --param g=9:10 --latin 1000 --seed 7 -o many.json\n"
     "  {} sweep examples/pendulum.mo --until 10 --list points.csv --variables x,y\n"},
    {Command::start,
     "Initial values without solving: what they are, what was chosen freely and why, what had to change.",
     "  {} start examples/pendulum.mo\n"
     "  {} start examples/pendulum.mo --start x=0.6 --alternatives\n"
     "  {} start examples/pendulum.mo --init steady\n"
     "  {} start examples/pendulum.mo --start x=0.6 --init multistart 20 --json\n"},
    {Command::analyze,
     "What the model is: every index and why they differ, degrees of freedom, hidden constraints, conditioning.",
     "  {} analyze examples/pendulum.mo\n"
     "  {} analyze examples/robot_arm.mo --html robot_arm.html\n"
     "  {} analyze examples/transistor_amplifier.mo --measure --json\n"},
    {Command::explain, "Every pass from the model to the equations that are integrated: what it did, and why.",
     "  {} explain examples/pendulum.mo\n"
     "  {} explain examples/pendulum.mo --reduce none\n"},
    {Command::check,
     "Reads and instantiates a model, counts unknowns and equations class by class, and reports everything that is "
     "wrong.\nNothing is solved.",
     "  {} check examples/pendulum.mo\n"
     "  {} check model.mo --check-units\n"
     "  {} check Modelica.Electrical.Analog.Examples.ChuaCircuit --library msl --json\n"},
    {Command::flatten,
     "The model as flat Modelica text: no classes, no arrays, no connections. It reads back to the same model.",
     "  {} flatten examples/pendulum.mo\n"
     "  {} flatten Modelica.Electrical.Analog.Examples.ChuaCircuit --library msl -o chua.mo\n"},
    {Command::format,
     "Modelica text in one style: indentation and blanks follow from the words; lines and comments stay.\n"
     "Formatting a formatted text changes nothing.",
     "  {} format model.mo\n"
     "  {} format model.mo --in-place\n"
     "  {} format model.mo --check\n"},
    {Command::derive,
     "A model made of a model, printed as Modelica text: the stabilised form of a nearly index-2 model, the necessary\n"
     "conditions of an optimal control problem (variables without equation are the controls), or the equations that "
     "the\n"
     "terms of an expansion in a small parameter satisfy (of index order + 1).",
     "  {} derive model.mo --stabilized > stable.mo\n"
     "  {} derive plant.mo --minimize '0.5*(x^2 + u^2)' | {} analyze -\n"
     "  {} derive van_der_pol.mo --expand eps --order 2\n"
     "  {} derive --lagrange examples/spherical_pendulum.lagrange > pendulum.mo\n"},
    {Command::pencil,
     "What two matrices say about E x' + H x = c(t): regular or singular, index, Kronecker blocks, eigenvalues,\n"
     "degrees of freedom; with the evidence of every rank decision, and \"undecided\" where it does not suffice.\n"
     "Files are in Matrix Market format: array or coordinate, real or integer, general or symmetric.\n"
     "With --forcing the system is solved exactly, c differentiated as often as the index demands.",
     "  {} pencil E.mtx H.mtx\n"
     "  {} pencil E.mtx H.mtx --noise 1e-6\n"
     "  {} pencil E.mtx H.mtx --forcing 'sin(time); exp(-time)' --x0 1,0 --until 2\n"
     "  {} pencil E.mtx H.mtx --json\n"},
    {Command::orders,
     "Orders of convergence, method by method and class by class: what the theorems predict and what halving the step\n"
     "shows. A difference of more than 0.2 is a failure, unless the theorem is a bound and the method does better.\n"
     "With --model the orders are measured on your own model, variable by variable, against a far more accurate "
     "solution.",
     "  {} orders --method radau2a --class index2\n"
     "  {} orders --method bdf --class linear3\n"
     "  {} orders --class index1-direct\n"
     "  {} orders --model pendulum.mo --method gauss-3,bdf3 --reduce none --until 1\n"
     "  {} orders --json > orders.json\n"},
    {Command::reproduce, "Published tables, figures and examples, computed anew and put beside what was printed.",
     "  {} reproduce --list\n"
     "  {} reproduce NC-5.1\n"
     "  {} reproduce HW-1.9 --html circle.html\n"
     "  {} reproduce MW-7.1 --json\n"},
    {Command::list, "What there is: integration methods, functions for models, example models.",
     "  {} list methods\n"
     "  {} list functions --json\n"
     "  {} list examples\n"},
};

const Help& text_of(Command command) {
    for (const Help& text : texts)
        if (text.command == command) return text;
    return texts[0];
}

} // namespace

const char* purpose(Command command) { return text_of(command).purpose; }

std::string footer(Command command, const std::string& program) {
    std::string examples(text_of(command).examples);
    for (auto at = examples.find("{}"); at != std::string::npos; at = examples.find("{}", at + program.size()))
        examples.replace(at, 2, program);
    return fmt::format("Examples:\n{}\nExit codes:\n{}", examples, exit_code_help());
}

} // namespace cli
