// `daedalus derive MODEL`: a model made of a model, as Modelica text.
#include "commands.hpp"
#include "daedalus/derived_models.hpp"
#include "daedalus/modelica.hpp"
#include "daedalus/stabilize.hpp"
#include "read_model.hpp"

namespace cli {

ExitCode run_derive(const Request& request) {
    const Console& console = request.console;
    const int asked = int{request.derive_stabilized} + int{request.derive_lagrange} +
                      int{!request.derive_cost.empty()} + int{!request.derive_parameter.empty()};
    if (asked != 1) {
        daedalus::Diagnostic problem;
        problem.code = "usage-derive";
        problem.message = "one of --stabilized, --lagrange, --minimize and --expand says what to derive";
        problem.hint = "see " + request.program + " derive --help";
        return console.fail({problem});
    }
    if (request.derive_lagrange && request.model != "-" && !request.model.ends_with(".lagrange")) {
        daedalus::Diagnostic problem;
        problem.code = "usage-derive";
        problem.message = "--lagrange reads energies from a file whose name ends in .lagrange";
        problem.hint = "docs/mechanics.md shows one";
        return console.fail({problem});
    }
    const auto model = read_model(request);
    if (!model) return console.fail(model.error());
    console.warn(model->warnings());
    if (request.derive_lagrange) { // reading it derives them
        const auto flat = daedalus::flatten(*model);
        if (!flat) return console.fail(flat.error());
        const std::string& text = *flat;
        console.result(console.json ? "{\n  \"modelica\": " + quoted(text) + "\n}\n" : text);
        return ExitCode::success;
    }
    const auto derived = request.derive_stabilized ? daedalus::stabilized(*model)
                         : !request.derive_cost.empty()
                             ? daedalus::optimality_conditions(*model, request.derive_cost)
                             : daedalus::perturbation_hierarchy(*model, request.derive_parameter, request.derive_order);
    if (!derived) return console.fail(derived.error());
    const auto flat = daedalus::flatten(*derived);
    if (!flat) return console.fail(flat.error());
    const std::string& text = *flat;
    console.result(console.json ? "{\n  \"modelica\": " + quoted(text) + "\n}\n" : text);
    return ExitCode::success;
}

} // namespace cli
