// External objects that are built in: tables.
#pragma once

#include <vector>

namespace daedalus::modelica {

/// Numbers of Modelica.Blocks.Types.Smoothness and Extrapolation.
enum class Smoothness { linear = 1, akima = 2, constant = 3, fritsch_butland = 4, steffen = 5, modified_akima = 6 };
enum class Extrapolation { hold = 1, last_two = 2, periodic = 3, none = 4 };

struct Object {
    enum class Kind { time_table, table_1d, table_2d } kind = Kind::table_1d;
    int rows = 0, columns = 0;
    std::vector<double> values; ///< row by row
    std::vector<int> chosen;    ///< columns that outputs stand for, 1-based
    Smoothness smoothness = Smoothness::linear;
    Extrapolation extrapolation = Extrapolation::last_two;
    double start_time = 0, shift_time = 0;

    [[nodiscard]] double at(int row, int column) const {
        return values[static_cast<std::size_t>(row * columns + column)];
    }
};

/// Pieces c0 + c1 s + c2 s² + c3 s³ with s = u − origin; piece k begins at begin[k].
struct Pieces {
    struct Piece {
        double begin, origin, c0, c1, c2, c3;
    };
    std::vector<Piece> list;
};
/// Through the points (x_k, y_k), x ascending; equal x are jumps.
[[nodiscard]] Pieces interpolate(const std::vector<double>& x, const std::vector<double>& y, Smoothness smoothness,
                                 bool periodic);

} // namespace daedalus::modelica
