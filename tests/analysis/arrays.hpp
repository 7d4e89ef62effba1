// Models as derivative arrays, for tests: read, differentiated, and started consistently.
#pragma once

#include "analysis/differentiation_index.hpp"
#include "compile/derivative_array.hpp"
#include "integrate/consistent_start.hpp"
#include "modelica/read_modelica.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

namespace daedalus::analysis {

inline std::shared_ptr<const model::Model> read_problem(const std::string& path) {
    auto read = modelica::read_modelica_file(std::string(DAEDALUS_SOURCE_DIR) + "/" + path, {});
    if (!read) ADD_FAILURE() << render(read.error());
    return read ? std::make_shared<const model::Model>(*std::move(read)) : nullptr;
}

inline std::shared_ptr<const model::Model> model_of(const std::string& text) {
    auto read = modelica::read_modelica(std::make_shared<SourceFile>("m.mo", text), {});
    if (!read) ADD_FAILURE() << render(read.error());
    return read ? std::make_shared<const model::Model>(*std::move(read)) : nullptr;
}

struct Analysed {
    compile::ArrayModel model;
    ArrayIndex index;
};

/// Points are the consistent initial values of each order.
inline Analysed index_of(const std::shared_ptr<const model::Model>& model, double t0 = 0.0) {
    Analysed result;
    compile::CompileOptions how;
    how.start_time = t0;
    auto array = compile::derivative_array(model, how);
    if (!array) {
        ADD_FAILURE() << render(array.error());
        return result;
    }
    result.model = *std::move(array);
    PointSource source;
    source.at = [&](int order, std::string& why_not) -> std::optional<std::vector<double>> {
        auto start = compile::array_start(result.model, order, how);
        if (!start) {
            why_not = render(start.error());
            return std::nullopt;
        }
        const auto consistent = integrate::consistent_start(start->initial);
        if (!consistent) {
            why_not = render(consistent.error());
            return std::nullopt;
        }
        std::vector<double> z;
        for (const int u : start->z_from) z.push_back(consistent->u[static_cast<std::size_t>(u)]);
        return z;
    };
    result.index = array_index(*result.model.array, t0, source);
    return result;
}

} // namespace daedalus::analysis
