// Functions of Modelica.Utilities.Strings, Streams and Files, executed at translation.
#include "modelica/table_files.hpp"
#include "modelica/translator.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace daedalus::modelica {

namespace {

constexpr std::uintmax_t largest_file = 100'000'000;

bool is_space(char ch) { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'; }
bool is_digit(char ch) { return ch >= '0' && ch <= '9'; }
bool is_letter(char ch) { return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_'; }

std::size_t skip_space(const std::string& s, std::size_t at) {
    while (at < s.size() && is_space(s[at])) ++at;
    return at;
}
std::size_t skip_digits(const std::string& s, std::size_t at) {
    while (at < s.size() && is_digit(s[at])) ++at;
    return at;
}

/// Where a number that begins at `at` ends; `at` if there is none.
std::size_t end_of_number(const std::string& s, std::size_t at, bool real, bool unsigned_only) {
    std::size_t k = at;
    if (k < s.size() && (s[k] == '+' || s[k] == '-')) {
        if (unsigned_only) return at;
        ++k;
    }
    const std::size_t whole = skip_digits(s, k);
    if (!real) { // 2.3 and 2e3 do not begin with an Integer
        const bool goes_on = whole < s.size() && (s[whole] == '.' || s[whole] == 'e' || s[whole] == 'E');
        return whole > k && !goes_on ? whole : at;
    }
    std::size_t end = whole;
    bool digits = whole > k;
    if (end < s.size() && s[end] == '.') {
        const std::size_t fraction = skip_digits(s, end + 1);
        digits = digits || fraction > end + 1;
        end = fraction;
    }
    if (!digits) return at;
    if (end < s.size() && (s[end] == 'e' || s[end] == 'E')) {
        std::size_t power = end + 1;
        if (power < s.size() && (s[power] == '+' || s[power] == '-')) ++power;
        if (const std::size_t last = skip_digits(s, power); last > power) end = last;
    }
    return end;
}

double number_in(std::string s) {
    if (!s.empty() && s[0] == '+') s.erase(0, 1);
    double value = 0.0;
    std::from_chars(s.data(), s.data() + s.size(), value);
    return value;
}

/// The AP hash function by A. Partow (2002), which Modelica.Utilities.Strings.hashString is said to be.
std::int32_t hash(const std::string& s) {
    std::uint32_t h = 0xAAAAAAAAU;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto letter = static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<signed char>(s[i])));
        h ^= i % 2 == 0 ? (h << 7U) ^ (letter * (h >> 3U)) : ~((h << 11U) + (letter ^ (h >> 5U)));
    }
    return static_cast<std::int32_t>(h);
}

std::vector<std::string> lines_of(const std::string& path, bool& readable) {
    std::vector<std::string> lines;
    std::error_code trouble;
    readable = std::filesystem::is_regular_file(path, trouble) &&
               std::filesystem::file_size(path, trouble) <= largest_file && !trouble;
    if (!readable) return lines;
    std::ifstream file(path);
    readable = file.good();
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

} // namespace

std::optional<std::vector<Quantity>> Translator::string_native(const Context& c, const std::string& name,
                                                               std::vector<Quantity>& a, Span span) {
    const auto one = [](Quantity q) { return std::vector<Quantity>{std::move(q)}; };
    const auto string = [&](std::size_t k) -> const std::string& {
        if (k >= a.size() || a[k].strings.size() != 1) fail("type", c.unit, span, "'" + name + "' needs a string");
        if (!is_known(a[k].strings[0])) unsupported(c.unit, span, "'" + name + "' of a string that varies in time");
        return a[k].strings[0];
    };
    const auto integer = [&](std::size_t n) { return scalar(Kind::integer, g_.constant(static_cast<double>(n))); };
    const auto place_of = [&](std::size_t k) { // 0-based
        return static_cast<std::size_t>(std::max(1, whole(c, a.at(k), span, "the position in a string"))) - 1;
    };
    if (name == "ModelicaStrings_length") return one(integer(string(0).size()));
    if (name == "ModelicaStrings_hashString") return one(scalar(Kind::integer, g_.constant(hash(string(0)))));
    if (name == "ModelicaStrings_substring") {
        const std::size_t first = place_of(1);
        const int last = whole(c, a.at(2), span, "the position in a string");
        const std::string& s = string(0);
        const auto begin = std::min(first, s.size());
        return one(text(last > static_cast<int>(first) ? s.substr(begin, static_cast<std::size_t>(last) - first)
                                                       : std::string()));
    }
    if (name == "ModelicaStrings_compare") {
        std::string x = string(0), y = string(1);
        if (a.size() > 2 && !truth(c, a[2], span, "caseSensitive"))
            for (std::string* s : {&x, &y})
                for (char& letter : *s) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
        const int order = x.compare(y);
        return one(scalar(Kind::enumeration, g_.constant(order < 0 ? 1.0 : order == 0 ? 2.0 : 3.0)));
    }
    if (name == "ModelicaStrings_skipWhiteSpace") return one(integer(skip_space(string(0), place_of(1)) + 1));
    if (name == "ModelicaStrings_scanReal" || name == "ModelicaStrings_scanInteger") {
        const bool real = name.ends_with("Real");
        const std::string& s = string(0);
        const bool unsigned_only = a.size() > 2 && a[2].kind == Kind::boolean && truth(c, a[2], span, "unsigned");
        const std::size_t begin = skip_space(s, place_of(1)), end = end_of_number(s, begin, real, unsigned_only);
        const double value = end > begin ? number_in(s.substr(begin, end - begin)) : 0.0;
        return std::vector<Quantity>{integer(end > begin ? end + 1 : place_of(1) + 1),
                                     scalar(real ? Kind::real : Kind::integer, g_.constant(value))};
    }
    if (name == "ModelicaStrings_scanIdentifier" || name == "ModelicaStrings_scanString") {
        const std::string& s = string(0);
        const std::size_t begin = skip_space(s, place_of(1));
        std::size_t end = begin;
        std::string found;
        if (name.ends_with("Identifier")) {
            if (end < s.size() && is_letter(s[end]))
                while (end < s.size() && (is_letter(s[end]) || is_digit(s[end]))) ++end;
            found = s.substr(begin, end - begin);
        } else if (begin < s.size() && s[begin] == '"') {
            std::size_t close = begin + 1;
            while (close < s.size() && (s[close] != '"' || s[close - 1] == '\\')) ++close;
            if (close < s.size()) {
                found = s.substr(begin + 1, close - begin - 1);
                end = close + 1;
            }
        }
        return std::vector<Quantity>{integer(end > begin ? end + 1 : place_of(1) + 1), text(found)};
    }
    if (name == "ModelicaInternal_print" || name == "ModelicaStreams_closeFile") return std::vector<Quantity>{};
    if (name == "ModelicaInternal_fullPathName") {
        std::error_code trouble;
        if (const std::string resource = library_.resource(string(0)); !resource.empty()) return one(text(resource));
        const auto path = std::filesystem::absolute(string(0), trouble);
        return one(text(trouble ? string(0) : path.lexically_normal().string()));
    }
    if (name == "ModelicaInternal_stat") { // 1: none, 2: regular file, 3: directory, 4: something else
        std::error_code trouble;
        const auto status = std::filesystem::status(string(0), trouble);
        const int kind = !std::filesystem::exists(status)           ? 1
                         : std::filesystem::is_regular_file(status) ? 2
                         : std::filesystem::is_directory(status)    ? 3
                                                                    : 4;
        return one(scalar(Kind::enumeration, g_.constant(kind)));
    }
    if (name == "ModelicaInternal_countLines" || name == "ModelicaInternal_readLine" ||
        name == "ModelicaInternal_readFile") {
        const std::string path = library_.resource(string(0)).empty() ? string(0) : library_.resource(string(0));
        bool readable = false;
        const std::vector<std::string> lines = lines_of(path, readable);
        if (!readable) fail("file", c.unit, span, "'" + string(0) + "' cannot be read");
        if (name.ends_with("countLines")) return one(integer(lines.size()));
        if (name.ends_with("readFile")) {
            Quantity q;
            q.kind = Kind::string;
            q.strings = lines;
            q.dimensions = {static_cast<int>(lines.size())};
            return one(q);
        }
        const std::size_t line = place_of(1);
        const bool behind = line >= lines.size();
        return std::vector<Quantity>{text(behind ? std::string() : lines[line]),
                                     scalar(Kind::boolean, g_.constant(behind ? 1.0 : 0.0))};
    }
    if (name == "ModelicaIO_readMatrixSizes" || name == "ModelicaIO_readRealMatrix") {
        const std::string path = library_.resource(string(0)).empty() ? string(0) : library_.resource(string(0));
        const auto table = read_table(path, string(1));
        if (!table) fail("table", c.unit, span, table.error());
        Quantity q;
        if (name.ends_with("Sizes")) {
            q.kind = Kind::integer;
            q.dimensions = {2};
            q.nodes = {g_.constant(table->rows), g_.constant(table->columns)};
        } else {
            q.kind = Kind::real;
            q.dimensions = {table->rows, table->columns};
            for (const double value : table->values) q.nodes.push_back(g_.constant(value));
        }
        return one(q);
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
