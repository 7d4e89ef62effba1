#include "exit_code.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace cli {

namespace {

constexpr std::pair<ExitCode, const char*> meanings[] = {
    {ExitCode::success, "success"},
    {ExitCode::numerical_failure, "the solution ends early or could not be continued; results until then are kept"},
    {ExitCode::usage, "wrong usage: unknown flag, impossible value"},
    {ExitCode::model, "the model cannot be read or has errors"},
    {ExitCode::structure, "structural errors: equations too few, too many, or singular"},
    {ExitCode::initial_values, "no consistent initial values"},
    {ExitCode::output, "output could not be written"},
    {ExitCode::interrupted, "interrupted; results until then are kept"},
    {ExitCode::internal, "internal error: please report it"},
};

// Codes that start with the text. What is not listed is an error in the model: most codes are the front end's.
constexpr std::pair<std::string_view, ExitCode> table[] = {
    {"equation-count", ExitCode::structure},
    {"unbalanced-class", ExitCode::structure},
    {"not-square", ExitCode::structure},
    {"structurally-singular", ExitCode::structure},
    {"redundant-equation", ExitCode::structure},
    {"contradicting-equations", ExitCode::structure},
    {"inconsistent-initial-values", ExitCode::initial_values},
    {"initialization-failed", ExitCode::initial_values},
    {"domain-error", ExitCode::initial_values},
    {"start-out-of-bounds", ExitCode::initial_values},
    {"several-solutions", ExitCode::initial_values},
    {"start-not-finite", ExitCode::initial_values},
    {"cannot-write", ExitCode::output},
    {"output-", ExitCode::output},
    {"unknown-output-format", ExitCode::usage},
    {"unknown-parameter", ExitCode::usage},
    {"unknown-variable", ExitCode::usage},
    {"unknown-method", ExitCode::usage},
    {"unknown-class", ExitCode::usage},
    {"unknown-reproduction", ExitCode::usage},
    {"parameter-not-changeable", ExitCode::usage},
    {"bad-tolerance", ExitCode::usage},
    {"bad-interval", ExitCode::usage},
    {"bad-points", ExitCode::usage},
    {"bad-option", ExitCode::usage},
    {"bad-input", ExitCode::usage},
    {"unknown-input", ExitCode::usage},
    {"backward-inputs", ExitCode::usage},
    {"bad-expression", ExitCode::usage},
    {"bad-checkpoint", ExitCode::usage},
    {"name-taken", ExitCode::usage},
    {"no-end-time", ExitCode::usage},
    {"usage-", ExitCode::usage},
    {"solution-ends", ExitCode::numerical_failure},
    {"integration-failed", ExitCode::numerical_failure},
    {"not-certified", ExitCode::numerical_failure},
    {"internal-", ExitCode::internal},
};

} // namespace

ExitCode exit_code(const daedalus::Diagnostics& diagnostics) {
    for (const daedalus::Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity != daedalus::Severity::error) continue;
        for (const auto& [prefix, code] : table)
            if (diagnostic.code.starts_with(prefix)) return code;
        return ExitCode::model;
    }
    return ExitCode::internal;
}

std::string exit_code_help() {
    std::string text;
    for (const auto& [code, meaning] : meanings) text += fmt::format("  {:2}  {}\n", static_cast<int>(code), meaning);
    return text;
}

} // namespace cli
