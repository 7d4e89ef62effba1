#include "output/html_table.hpp"

#include "output/markup.hpp"

#include <cassert>

namespace daedalus::output::html {

void Table::row(const std::vector<std::string>& cells) {
    assert(cells.size() == columns_.size());
    body_ += "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c) {
        body_ += "<td";
        if (!columns_[c].css.empty()) body_ += " class=\"" + std::string(columns_[c].css) + "\"";
        body_ += ">" + cells[c] + "</td>";
    }
    body_ += "</tr>\n";
}

std::string Table::html() const {
    const std::string name = escape_markup(caption_);
    // Focusable, so that a keyboard can scroll it.
    std::string out = "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + name +
                      "\"><table class=\"data\"><thead><tr>";
    for (const TableColumn& column : columns_) {
        out += "<th scope=\"col\"";
        if (column.css == "num") out += " class=\"num\"";
        out += ">" + escape_markup(column.title) + "</th>";
    }
    out += "</tr></thead><tbody>\n" + body_ + "</tbody></table></div>\n";
    if (rows_ > limit_)
        out += "<p class=\"note\">The first " + std::to_string(limit_) + " of " + std::to_string(rows_) +
               " are shown; the JSON output has all.</p>\n";
    return out;
}

} // namespace daedalus::output::html
