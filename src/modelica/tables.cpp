// CombiTimeTable, CombiTable1D and CombiTable2D as expressions: a tree of choices between polynomials. Of time tables
// the choices are events, of the others they are not.
#include "modelica/object.hpp"
#include "modelica/table_files.hpp"
#include "modelica/translator.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

Quantity Translator::make_object(const Context& c, Instance* type, Arguments given, Span span) {
    Element* e = find_local(type, "constructor");
    if (e == nullptr || !e->is_class()) fail("type", c.unit, span, "this external object has no constructor");
    const std::string name(type->definition->name);
    auto object = std::make_shared<Object>();
    if (name == "ExternalCombiTimeTable")
        object->kind = Object::Kind::time_table;
    else if (name == "ExternalCombiTable1D")
        object->kind = Object::Kind::table_1d;
    else if (name == "ExternalCombiTable2D")
        object->kind = Object::Kind::table_2d;
    else
        unsupported(c.unit, span, "the external object '" + name + "'");
    Instance* constructor = class_of(e);
    build(constructor);
    std::vector<std::string_view> names;
    for (Element* input : constructor->elements)
        if (!input->is_class() && input->prefixes.causality == ast::Causality::input) names.push_back(input->name);
    std::string table_name, file_name, delimiter = ",";
    int header_lines = 0;
    for (std::size_t k = 0; k < given.size(); ++k) {
        const std::string key =
            given[k].first.empty() ? std::string(k < names.size() ? names[k] : std::string_view{}) : given[k].first;
        Quantity q = given[k].second;
        if (key == "tableName" && !q.strings.empty()) table_name = q.strings[0];
        if (key == "fileName" && !q.strings.empty()) file_name = q.strings[0];
        if (has_nodes(q.kind) && !fold_all(q)) fail("varies", c.unit, span, "a table must not vary in time");
        const auto number_of = [&](std::size_t i) { return g_.constant_value(q.nodes[i]); };
        if (key == "table" && q.rank() == 2) {
            object->rows = q.dimensions[0];
            object->columns = q.dimensions[1];
            for (std::size_t i = 0; i < q.nodes.size(); ++i) object->values.push_back(number_of(i));
        }
        if (key == "columns")
            for (std::size_t i = 0; i < q.nodes.size(); ++i) object->chosen.push_back(static_cast<int>(number_of(i)));
        if (key == "smoothness") object->smoothness = static_cast<Smoothness>(static_cast<int>(number_of(0)));
        if (key == "extrapolation") object->extrapolation = static_cast<Extrapolation>(static_cast<int>(number_of(0)));
        if (key == "delimiter" && !q.strings.empty()) delimiter = q.strings[0];
        if (key == "nHeaderLines") header_lines = static_cast<int>(number_of(0));
        if (key == "startTime") object->start_time = number_of(0);
        if (key == "shiftTime") object->shift_time = number_of(0);
    }
    if (file_name != "NoName" && !file_name.empty()) {
        std::string path = library_.resource(file_name);
        if (path.empty()) path = file_name;
        const auto table =
            read_table(path, table_name, delimiter == "\t" || delimiter.size() == 1 ? delimiter[0] : ',', header_lines);
        if (!table) fail("table", c.unit, span, table.error());
        object->rows = table->rows;
        object->columns = table->columns;
        object->values = table->values;
    }
    if (object->rows == 0 || object->columns == 0) fail("table", c.unit, span, "the table is empty");
    if (object->kind == Object::Kind::table_2d && object->smoothness != Smoothness::linear &&
        object->smoothness != Smoothness::constant)
        unsupported(c.unit, span, "tables in two dimensions with continuous derivatives");
    for (int r = 1; r < object->rows; ++r)
        if (object->kind != Object::Kind::table_2d && object->at(r, 0) < object->at(r - 1, 0))
            fail("table", c.unit, span, "the first column of the table does not ascend");
    Quantity q;
    q.kind = Kind::object;
    q.type = type;
    q.object = std::move(object);
    return q;
}

NodeId Translator::piecewise(const Object& table, const std::vector<double>& x, const std::vector<double>& y,
                             NodeId u) {
    Pieces pieces = interpolate(x, y, table.smoothness, table.extrapolation == Extrapolation::periodic);
    if (table.extrapolation == Extrapolation::periodic && x.size() > 1) {
        const double period = x.back() - x.front();
        const NodeId turns = g_.div(g_.sub(u, g_.constant(x.front())), g_.constant(period));
        const NodeId whole_turns =
            in_function_ > 0 ? g_.neg(g_.unary(Op::ceil, g_.neg(turns))) : g_.unary(Op::floor, turns);
        u = g_.sub(u, g_.mul(g_.constant(period), whole_turns));
        if (table.smoothness == Smoothness::constant) pieces.list.pop_back();
    } else {
        auto& list = pieces.list;
        if (table.extrapolation == Extrapolation::hold) {
            list.insert(list.begin(), {x.front(), x.front(), y.front(), 0, 0, 0});
            list.push_back({x.back(), x.back(), y.back(), 0, 0, 0});
        } else if (table.smoothness != Smoothness::linear && table.smoothness != Smoothness::constant &&
                   list.size() > 1) { // straight on, with the slope at the ends
            const Pieces::Piece& end = list.back();
            const double h = x.back() - end.origin;
            const double slope = end.c1 + h * (2 * end.c2 + h * 3 * end.c3);
            const double first_slope = list.front().c1;
            list.push_back({x.back(), x.back(), y.back(), slope, 0, 0});
            list.insert(list.begin(), {x.front(), x.front(), y.front(), first_slope, 0, 0});
        }
        if (list.size() > 1) list.front().begin = -HUGE_VAL;
        if (table.extrapolation == Extrapolation::hold && list.size() > 1) list[1].begin = x.front();
    }
    const auto value = [&](const Pieces::Piece& p) {
        const NodeId s = g_.sub(u, g_.constant(p.origin));
        NodeId sum = g_.constant(p.c3);
        for (const double k : {p.c2, p.c1, p.c0}) sum = g_.add(g_.mul(sum, s), g_.constant(k));
        return sum;
    };
    const std::function<NodeId(std::size_t, std::size_t)> choose = [&](std::size_t first, std::size_t last) -> NodeId {
        if (first + 1 == last) return value(pieces.list[first]);
        const std::size_t middle = (first + last) / 2;
        return g_.select(logical(Op::lt, u, g_.constant(pieces.list[middle].begin)), choose(first, middle),
                         choose(middle, last));
    };
    return choose(0, pieces.list.size());
}

std::optional<std::vector<Quantity>> Translator::table_call(const Context& c, const std::string& name,
                                                            std::vector<Quantity>& a, Span span) {
    if (!name.starts_with("ModelicaStandardTables_")) return std::nullopt;
    const auto one = [](NodeId n) { return std::vector<Quantity>{scalar(Kind::real, n)}; };
    if (a.empty() || a[0].kind != Kind::object || a[0].object == nullptr)
        fail("type", c.unit, span, "'" + name + "' needs a table");
    const Object& table = *a[0].object;
    const auto column = [&](int k) {
        std::vector<double> list;
        for (int r = 0; r < table.rows; ++r) list.push_back(table.at(r, k));
        return list;
    };
    const auto chosen_column = [&] {
        const int k = whole(c, a.at(1), span, "the column of a table");
        if (k < 1 || k > static_cast<int>(table.chosen.size()) ||
            table.chosen[static_cast<std::size_t>(k - 1)] > table.columns)
            fail("table", c.unit, span, "the table has no such column");
        return column(table.chosen[static_cast<std::size_t>(k - 1)] - 1);
    };
    if (name == "ModelicaStandardTables_CombiTimeTable_nextTimeEvent")
        return one(g_.constant(1e60)); // choices are events by themselves
    if (name.ends_with("minimumTime") || name == "ModelicaStandardTables_CombiTable1D_minimumAbscissa")
        return one(g_.constant(table.at(0, 0)));
    if (name.ends_with("maximumTime") || name == "ModelicaStandardTables_CombiTable1D_maximumAbscissa")
        return one(g_.constant(table.at(table.rows - 1, 0)));
    const auto inside = [&](NodeId u, double first, double last) {
        if (table.extrapolation == Extrapolation::none)
            must_hold(logical(Op::logical_and, g_.binary(Op::ge, u, g_.constant(first)),
                              g_.binary(Op::le, u, g_.constant(last))),
                      "the table ends here, and its extrapolation is NoExtrapolation", guard_, acting_,
                      place(c.unit, span));
    };
    if (name == "ModelicaStandardTables_CombiTimeTable_getValue") {
        const int depth = in_function_;
        in_function_ = 0;
        const NodeId t = a.at(2).node();
        const NodeId in_table = g_.sub(t, g_.constant(table.shift_time));
        inside(in_table, table.at(0, 0), table.at(table.rows - 1, 0));
        const NodeId later = piecewise(table, column(0), chosen_column(), in_table);
        const NodeId value = g_.select(logical(Op::lt, t, g_.constant(table.start_time)), g_.constant(0.0), later);
        in_function_ = depth;
        return one(value);
    }
    if (name == "ModelicaStandardTables_CombiTable1D_getValue") {
        inside(a.at(2).node(), table.at(0, 0), table.at(table.rows - 1, 0));
        return one(piecewise(table, column(0), chosen_column(), a.at(2).node()));
    }
    if (name == "ModelicaStandardTables_CombiTable2D_getValue") {
        std::vector<double> x, y;
        for (int r = 1; r < table.rows; ++r) x.push_back(table.at(r, 0));
        for (int k = 1; k < table.columns; ++k) y.push_back(table.at(0, k));
        if (table.smoothness != Smoothness::linear || table.extrapolation == Extrapolation::periodic)
            unsupported(c.unit, span, "this kind of table in two dimensions");
        inside(a.at(1).node(), x.front(), x.back());
        inside(a.at(2).node(), y.front(), y.back());
        // Linear in both directions: the value in column direction at each row, then between rows.
        std::vector<NodeId> rows;
        for (int r = 1; r < table.rows; ++r) {
            std::vector<double> row;
            for (int k = 1; k < table.columns; ++k) row.push_back(table.at(r, k));
            rows.push_back(piecewise(table, y, row, a.at(2).node()));
        }
        const NodeId u = a.at(1).node();
        const auto between = [&](std::size_t k) {
            const NodeId w = g_.div(g_.sub(u, g_.constant(x[k])), g_.constant(x[k + 1] - x[k]));
            return g_.add(rows[k], g_.mul(w, g_.sub(rows[k + 1], rows[k])));
        };
        if (rows.size() == 1) return one(rows[0]);
        NodeId value = between(rows.size() - 2);
        for (std::size_t k = rows.size() - 2; k-- > 0;)
            value = g_.select(logical(Op::lt, u, g_.constant(x[k + 1])), between(k), value);
        if (table.extrapolation == Extrapolation::hold) {
            value = g_.select(logical(Op::lt, u, g_.constant(x.front())), rows.front(), value);
            value = g_.select(logical(Op::gt, u, g_.constant(x.back())), rows.back(), value);
        }
        return one(value);
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
