// The studies behind the public header: filters, unknown names, files.
#include "daedalus/study.hpp"

#include "output/atomic_file.hpp"
#include "study/order_table.hpp"
#include "study/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus {

namespace {

template <class List, class Id>
Expected<std::vector<std::size_t>> select(const List& list, const std::string& wanted, const char* what, Id id) {
    std::vector<std::size_t> exact, beginning;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        names.push_back(id(list[i]));
        if (names.back() == wanted) exact.push_back(i);
        if (names.back().starts_with(wanted)) beginning.push_back(i);
    }
    if (!exact.empty()) return exact;
    if (!beginning.empty()) return beginning;
    Diagnostic problem;
    problem.code = fmt::format("unknown-{}", what);
    problem.message = fmt::format("there is no {} '{}'", what, wanted);
    const auto close = closest(wanted, names);
    problem.hint =
        close ? fmt::format("did you mean '{}'?", *close) : fmt::format("there are {}", fmt::join(names, ", "));
    return Unexpected{Diagnostics{std::move(problem)}};
}

} // namespace

std::vector<OrderName> order_methods() {
    std::vector<OrderName> names;
    for (const auto& m : study::order_methods()) names.push_back({m.id(), m.title()});
    return names;
}

std::vector<OrderName> order_classes() {
    std::vector<OrderName> names;
    for (const auto& c : study::order_classes()) names.push_back({c.id, c.title});
    return names;
}

Expected<OrderTable> orders(const OrderOptions& options) {
    const auto& methods = study::order_methods();
    const auto& classes = study::order_classes();
    const auto rows = select(methods, options.method, "method", [](const auto& m) { return m.id(); });
    const auto columns = select(classes, options.problem_class, "class", [](const auto& c) { return c.id; });
    Diagnostics problems;
    for (const auto* list : {&rows, &columns})
        if (!*list) problems.insert(problems.end(), list->error().begin(), list->error().end());
    if (!problems.empty()) return Unexpected{std::move(problems)};
    OrderTable table;
    for (const std::size_t m : *rows) table.methods.push_back({methods[m].id(), methods[m].title()});
    for (const std::size_t c : *columns) {
        table.classes.push_back({classes[c].id, classes[c].title});
        for (const std::size_t m : *rows)
            for (OrderCell& cell : study::order_cells(methods[m], classes[c])) table.cells.push_back(std::move(cell));
    }
    return table;
}

int OrderTable::failures() const {
    return static_cast<int>(std::count_if(cells.begin(), cells.end(),
                                          [](const OrderCell& c) { return c.verdict == OrderVerdict::differs; }));
}

std::vector<ReproductionInfo> reproductions() {
    std::vector<ReproductionInfo> list;
    for (const auto& e : study::reproduction_table()) list.push_back({e.id, e.title, e.source, e.shows});
    return list;
}

Expected<Reproduction> reproduce(std::string_view id) {
    const auto same = [](std::string_view a, std::string_view b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
            return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
        });
    };
    std::vector<std::string> names;
    for (const auto& e : study::reproduction_table()) {
        names.emplace_back(e.id);
        if (!same(e.id, id)) continue;
        Reproduction result = e.run();
        result.info = {e.id, e.title, e.source, e.shows};
        return result;
    }
    Diagnostic problem;
    problem.code = "unknown-reproduction";
    problem.message = fmt::format("there is nothing to reproduce under '{}'", id);
    const auto close = closest(id, names);
    problem.hint = close ? fmt::format("did you mean '{}'?", *close) : "daedalus reproduce --list names them all";
    return Unexpected{Diagnostics{std::move(problem)}};
}

Expected<std::string> write_page(const Reproduction& reproduction, const std::string& path) {
    auto written = output::write_atomically(path, reproduction.to_html());
    if (!written) return Unexpected{std::move(written.error())};
    return written->path;
}

} // namespace daedalus
