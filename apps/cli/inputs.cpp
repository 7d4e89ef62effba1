// --input and --inputs: values over time from files, or numbers.
#include "inputs.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

namespace cli {

namespace {

using daedalus::Diagnostic;
using daedalus::Diagnostics;
using daedalus::Input;

Diagnostic wrong(std::string message, std::string hint) {
    Diagnostic d;
    d.severity = daedalus::Severity::error;
    d.code = "bad-input";
    d.message = std::move(message);
    d.hint = std::move(hint);
    return d;
}

/// NAME=FILE or NAME=NUMBER.
Diagnostics take(const std::string& text, std::vector<Input>& list) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
        return {
            wrong(fmt::format("--input {}: a name, '=' and a file or a number are needed", text), "--input u=u.csv")};
    const std::string name = text.substr(0, sign), value = text.substr(sign + 1);
    double number = 0.0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size()) {
        list.push_back(Input::constant(name, number));
        return {};
    }
    auto tables = daedalus::read_inputs(value, name);
    if (!tables) return std::move(tables.error());
    list.insert(list.end(), tables->begin(), tables->end());
    return {};
}

} // namespace

Diagnostics read_inputs(const Request& request, daedalus::SolveOptions& options) {
    const std::map<std::string, daedalus::Interpolation> ways{{"linear", daedalus::Interpolation::linear},
                                                              {"cubic", daedalus::Interpolation::cubic},
                                                              {"hold", daedalus::Interpolation::hold}};
    const auto way = ways.find(request.interpolation);
    if (way == ways.end())
        return {wrong(fmt::format("--interpolation {} is not known", request.interpolation), "linear, cubic or hold")};
    std::vector<Input> list;
    for (const std::string& path : request.input_files) {
        auto tables = daedalus::read_inputs(path);
        if (!tables) return std::move(tables.error());
        list.insert(list.end(), tables->begin(), tables->end());
    }
    for (const std::string& text : request.input_values)
        if (Diagnostics problems = take(text, list); !problems.empty()) return problems;
    for (Input& input : list) {
        input.between = way->second;
        input.hold_ends = request.hold_inputs;
    }
    options.inputs = std::move(list);
    return {};
}

} // namespace cli
