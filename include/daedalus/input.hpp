// Values over time that a caller gives to an `input Real u` of the model: by a table, or by a function.
#pragma once

#include "daedalus/expected.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace daedalus {

/// What a table is between its times.
enum class Interpolation {
    linear, ///< continuous, with kinks: may be differentiated once
    cubic,  ///< a natural cubic spline, twice continuously differentiable: may be differentiated three times
    hold    ///< the last value until the next time, where it jumps: may not be differentiated
};

/// A function of time with derivatives, as far as they are known.
struct InputFunction {
    std::function<double(double t)> value;
    /// The first, second, … derivative: needed where the reduction of the index differentiates the input.
    std::vector<std::function<double(double t)>> derivatives = {};
    std::vector<double> breaks = {}; ///< where it jumps or has a kink: times that steps end at
};

/// A function, or a table. A table of one value and no time is that value throughout, until Run::set_input changes it.
struct Input {
    std::string name; ///< of the model's input

    std::vector<double> times = {}; ///< ascending; the same time twice: a jump from the first value to the second
    std::vector<double> values = {};
    Interpolation between = Interpolation::linear;
    bool hold_ends = false;      ///< outside of the table its first or last value holds; else a run lies inside
    std::string origin = {};     ///< where the table is from, for messages: the name of a file
    std::vector<int> lines = {}; ///< and its lines there

    std::shared_ptr<const InputFunction> function = {};

    [[nodiscard]] static Input constant(std::string name, double value) {
        Input input{.name = std::move(name)};
        input.values = {value};
        return input;
    }
    [[nodiscard]] static Input table(std::string name, std::vector<double> times, std::vector<double> values,
                                     Interpolation between = Interpolation::linear) {
        Input input{.name = std::move(name)};
        input.times = std::move(times);
        input.values = std::move(values);
        input.between = between;
        return input;
    }
    [[nodiscard]] static Input of(std::string name, InputFunction function) {
        Input input{.name = std::move(name)};
        input.function = std::make_shared<const InputFunction>(std::move(function));
        return input;
    }
};

/// Tables from a CSV file whose first column is the time: one for each further column, named by the header. With
/// `name`, the file has two columns, and a header is not needed.
[[nodiscard]] Expected<std::vector<Input>> read_inputs(const std::string& path, const std::string& name = {});

} // namespace daedalus
