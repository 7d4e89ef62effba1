// A differential-algebraic model: read from a Modelica file, or written in C++.
//
// Many threads may solve, initialize and analyse one const Model at the same time. What can only be a mistake in the
// writing of a model throws where it is made: std::invalid_argument (see expression.hpp), and std::logic_error for a
// model that was moved from.
#pragma once

#include "daedalus/expected.hpp"
#include "daedalus/expression.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

/// What a variable may be told. A NaN means "not given".
struct VariableOptions {
    double start = std::numeric_limits<double>::quiet_NaN(); ///< preferred initial value …
    bool fixed = false;                                      ///< … that must hold
    double nominal = std::numeric_limits<double>::quiet_NaN();
    double min = std::numeric_limits<double>::quiet_NaN();
    double max = std::numeric_limits<double>::quiet_NaN();
    std::string unit = {};
    std::string description = {};
};

class CompiledModel;
struct SolveOptions;

class Model {
public:
    explicit Model(std::string name);
    Model(Model&&) noexcept;
    Model& operator=(Model&&) noexcept;
    ~Model();

    /// Reads a Modelica file; `class_name` picks a model of several (default: the last one). `libraries` are folders
    /// that hold packages, before those of the environment variable MODELICAPATH.
    [[nodiscard]] static Expected<Model> from_file(const std::string& path, const std::string& class_name = {},
                                                   const std::vector<std::string>& libraries = {});
    /// Reads Modelica text; `file_name` is what messages call it.
    [[nodiscard]] static Expected<Model> from_string(const std::string& text, const std::string& file_name = "text",
                                                     const std::string& class_name = {},
                                                     const std::vector<std::string>& libraries = {});
    /// A class of the libraries by its full name, as Modelica.Electrical.Analog.Examples.CauerLowPassAnalog.
    [[nodiscard]] static Expected<Model> from_library(const std::string& class_name,
                                                      const std::vector<std::string>& libraries = {});

    // Writing a model in C++.
    Expression variable(std::string name, const VariableOptions& options = {});
    Expression parameter(std::string name, double value, std::string unit = {}, std::string description = {});
    [[nodiscard]] Expression time() const;
    void equation(const EquationExpression& equation, std::string description = {});
    void initial_equation(const EquationExpression& equation);
    /// The run ends where the condition becomes true.
    void stop_when(const Expression& condition, std::string message = {});
    /// Where the condition becomes true, variables whose derivatives occur take new values: {v, -0.8 * v}.
    struct Reinit {
        Expression variable, value;
    };
    void when(const Expression& condition, const std::vector<Reinit>& reinits);

    /// A residual F(t, x, x') = 0 written as a template,
    ///   template <class T> void f(T t, std::span<const T> x, std::span<const T> dx, std::span<T> r),
    /// traced into equations for variables x[0], x[1], … (or `names`) with start values.
    template <class F>
    [[nodiscard]] static Model trace(std::string name, F&& f, std::span<const double> start,
                                     std::span<const std::string> names = {});

    /// Compiles the model as it is now, for many runs (daedalus/compiled_model.hpp). The options tell which equations
    /// to make ready; they bind no run.
    [[nodiscard]] Expected<CompiledModel> compile() const;
    [[nodiscard]] Expected<CompiledModel> compile(const SolveOptions& options) const;

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] std::size_t equation_count() const;
    [[nodiscard]] std::size_t variable_count() const;
    [[nodiscard]] std::vector<std::string> variable_names() const;
    /// The model as Modelica text.
    [[nodiscard]] std::string to_modelica() const;
    [[nodiscard]] const Diagnostics& warnings() const;

    struct Impl;
    [[nodiscard]] const Impl& impl() const;
    [[nodiscard]] static Model make(std::shared_ptr<Impl> impl);

private:
    explicit Model(std::shared_ptr<Impl> impl);
    std::shared_ptr<Impl> impl_;
};

template <class F>
Model Model::trace(std::string name, F&& f, std::span<const double> start, std::span<const std::string> names) {
    Model model(std::move(name));
    std::vector<Expression> x, dx, r(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        VariableOptions options;
        options.start = start[i];
        x.push_back(model.variable(i < names.size() ? names[i] : "x[" + std::to_string(i) + "]", options));
        dx.push_back(der(x.back()));
    }
    f(model.time(), std::span<const Expression>(x), std::span<const Expression>(dx), std::span<Expression>(r));
    for (const Expression& row : r) model.equation(row == Expression(0.0));
    return model;
}

} // namespace daedalus
