// The Modelica front end: a file → a model.
#pragma once

#include "model/model.hpp"
#include "modelica/balance.hpp"

#include <memory>
#include <string>
#include <vector>

namespace daedalus::modelica {

struct ReadOptions {
    std::string model; ///< name of the class, dotted if nested; empty: the last model of the file
    /// Folders that hold packages; behind them come those of the environment variable MODELICAPATH.
    std::vector<std::string> libraries;
    bool check_units = false;                      ///< compare units; what does not fit is a warning
    std::vector<ClassBalance>* balances = nullptr; ///< if wanted: unknowns and equations of each class
};

/// Errors and warnings carry their place; warnings of a successful reading are in Model::warnings.
[[nodiscard]] Expected<model::Model> read_modelica(std::shared_ptr<const SourceFile> file,
                                                   const ReadOptions& options = {});

/// Reads the file first: "no such file", "is a directory", "is not a text file" are errors of the same kind.
[[nodiscard]] Expected<model::Model> read_modelica_file(const std::string& path, const ReadOptions& options = {});

/// A class of the libraries, by its full name.
[[nodiscard]] Expected<model::Model> read_modelica_class(const std::string& class_name,
                                                         const ReadOptions& options = {});

} // namespace daedalus::modelica
