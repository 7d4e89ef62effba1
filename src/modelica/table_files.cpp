#include "modelica/table_files.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>

namespace daedalus::modelica {

namespace {

constexpr int most_rows = 1'000'000, most_columns = 10'000;
constexpr std::size_t most_values = 20'000'000;

bool possible(int rows, int columns) {
    return rows > 0 && columns > 0 && rows <= most_rows && columns <= most_columns &&
           static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) <= most_values;
}

/// "#1", then "double name(rows,columns)" and numbers; # begins a comment.
std::optional<FileTable> read_text(std::istream& stream, const std::string& name) {
    std::string line;
    while (std::getline(stream, line)) {
        std::istringstream words(line);
        std::string type, head;
        words >> type;
        if (type != "double" && type != "float") continue;
        std::getline(words, head);
        std::erase_if(head, [](char ch) { return ch == ' ' || ch == '\t' || ch == '\r'; });
        const std::size_t open = head.find('(');
        if (open == std::string::npos || head.substr(0, open) != name) continue;
        FileTable table;
        if (std::sscanf(head.c_str() + open, "(%d,%d)", &table.rows, &table.columns) != 2) return std::nullopt;
        if (!possible(table.rows, table.columns)) return std::nullopt;
        const std::size_t wanted = static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns);
        while (table.values.size() < wanted && std::getline(stream, line)) {
            line = line.substr(0, line.find('#'));
            std::replace_if(
                line.begin(), line.end(), [](char ch) { return ch == ',' || ch == ';' || ch == '\t'; }, ' ');
            std::istringstream numbers(line);
            double value = 0;
            while (numbers >> value) table.values.push_back(value);
        }
        table.values.resize(std::min(table.values.size(), wanted));
        if (table.values.size() != wanted) return std::nullopt;
        return table;
    }
    return std::nullopt;
}

/// Lines of as many numbers each; a decimal comma where the delimiter is another character.
std::optional<FileTable> read_csv(std::istream& stream, char delimiter, int header_lines) {
    FileTable table;
    std::string line;
    for (int k = 0; k < header_lines; ++k) std::getline(stream, line);
    while (std::getline(stream, line)) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.empty()) continue;
        int columns = 0;
        for (std::size_t begin = 0; begin <= line.size(); ++columns) {
            const std::size_t end = std::min(line.find(delimiter, begin), line.size());
            std::string cell = line.substr(begin, end - begin);
            std::erase_if(cell, [](char ch) { return ch == ' ' || ch == '\t' || ch == '"'; });
            if (delimiter != ',') std::replace(cell.begin(), cell.end(), ',', '.');
            if (!cell.empty() && cell[0] == '+') cell.erase(0, 1);
            double value = 0.0;
            const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
            if (cell.empty() || read.ec != std::errc() || read.ptr != cell.data() + cell.size()) return std::nullopt;
            table.values.push_back(value);
            begin = end + 1;
        }
        if (table.rows > 0 && columns != table.columns) return std::nullopt;
        table.columns = columns;
        if (!possible(++table.rows, columns)) return std::nullopt;
    }
    return table.rows > 0 ? std::optional(table) : std::nullopt;
}

/// A file as bytes; what lies outside of it reads as zero and is remembered.
class Bytes {
public:
    explicit Bytes(std::istream& stream) {
        std::ostringstream all;
        all << stream.rdbuf();
        data_ = std::move(all).str();
    }
    bool swapped = false;
    [[nodiscard]] std::size_t size() const { return data_.size(); }
    template <class T>
    [[nodiscard]] T get(std::size_t at) const {
        char bytes[sizeof(T)] = {};
        if (at <= data_.size() && data_.size() - at >= sizeof(T)) std::memcpy(bytes, data_.data() + at, sizeof(T));
        if (swapped) std::reverse(std::begin(bytes), std::end(bytes));
        T value;
        std::memcpy(&value, bytes, sizeof(T));
        return value;
    }
    [[nodiscard]] std::string text(std::size_t at, std::size_t length) const {
        if (at >= data_.size()) return {};
        std::string s = data_.substr(at, length);
        return s.substr(0, s.find('\0'));
    }

private:
    std::string data_;
};

/// Columns one after the other, as these files have them, into rows.
template <class Element>
FileTable transposed(int rows, int columns, const Element& element) {
    FileTable table{rows, columns,
                    std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns))};
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i)
            table
                .values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)] =
                element(static_cast<std::size_t>(j) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(i));
    return table;
}

// MAT-File Format (The MathWorks), Level 4: per matrix the header type, rows, columns, imaginary, length of the name.
std::optional<FileTable> read_mat4(Bytes& b, const std::string& name) {
    constexpr std::size_t header = 20, sizes[] = {8, 4, 4, 2, 2, 1};
    for (std::size_t at = 0; at + header <= b.size();) {
        b.swapped = false;
        if (const auto type = b.get<std::int32_t>(at); type < 0 || type > 4052) b.swapped = true;
        const auto type = b.get<std::int32_t>(at), rows = b.get<std::int32_t>(at + 4),
                   columns = b.get<std::int32_t>(at + 8);
        const auto imaginary = b.get<std::int32_t>(at + 12), length = b.get<std::int32_t>(at + 16);
        const int precision = type / 10 % 10;
        if (type < 0 || precision > 5 || rows < 0 || columns < 0 || length < 1 || length > 1000) return std::nullopt;
        const std::size_t size = sizes[precision], data = at + header + static_cast<std::size_t>(length);
        if (b.text(at + header, static_cast<std::size_t>(length)) == name && type % 10 == 0 &&
            possible(rows, columns)) {
            return transposed(rows, columns, [&](std::size_t k) -> double {
                const std::size_t place = data + k * size;
                switch (precision) {
                case 0: return b.get<double>(place);
                case 1: return b.get<float>(place);
                case 2: return b.get<std::int32_t>(place);
                case 3: return b.get<std::int16_t>(place);
                case 4: return b.get<std::uint16_t>(place);
                default: return b.get<std::uint8_t>(place);
                }
            });
        }
        at = data +
             static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) * size * (imaginary != 0 ? 2U : 1U);
    }
    return std::nullopt;
}

/// A data element of Level 5: its type, and where its contents are.
struct DataElement {
    std::uint32_t type = 0, size = 0;
    std::size_t begin = 0, next = 0;
};
DataElement element_at(const Bytes& b, std::size_t at) {
    const auto first = b.get<std::uint32_t>(at);
    if (first >> 16U != 0) return {first & 0xFFFFU, first >> 16U, at + 4, at + 8}; // small: all in eight bytes
    const auto size = b.get<std::uint32_t>(at + 4);
    return {first, size, at + 8, at + 8 + (std::size_t{size} + 7) / 8 * 8};
}
double number_at(const Bytes& b, const DataElement& e, std::size_t k) {
    switch (e.type) {
    case 1: return b.get<std::int8_t>(e.begin + k);
    case 2: return b.get<std::uint8_t>(e.begin + k);
    case 3: return b.get<std::int16_t>(e.begin + 2 * k);
    case 4: return b.get<std::uint16_t>(e.begin + 2 * k);
    case 5: return b.get<std::int32_t>(e.begin + 4 * k);
    case 6: return b.get<std::uint32_t>(e.begin + 4 * k);
    case 7: return b.get<float>(e.begin + 4 * k);
    case 12: return static_cast<double>(b.get<std::int64_t>(e.begin + 8 * k));
    case 13: return static_cast<double>(b.get<std::uint64_t>(e.begin + 8 * k));
    default: return b.get<double>(e.begin + 8 * k);
    }
}

// Level 5: elements behind a header of 128 bytes; a matrix (14) holds flags, dimensions, name and numbers.
std::optional<FileTable> read_mat5(Bytes& b, const std::string& name, bool& compressed) {
    b.swapped = b.text(126, 2) == "MI";
    for (std::size_t at = 128; at + 8 <= b.size();) {
        const DataElement matrix = element_at(b, at);
        at = matrix.type == 15 ? matrix.begin + matrix.size : matrix.next; // what is compressed is not padded
        compressed = compressed || matrix.type == 15;
        if (matrix.type != 14) continue;
        const DataElement flags = element_at(b, matrix.begin), dimensions = element_at(b, flags.next),
                          called = element_at(b, dimensions.next), numbers = element_at(b, called.next);
        if (b.text(called.begin, called.size) != name || dimensions.size != 8) continue;
        const int rows = b.get<std::int32_t>(dimensions.begin), columns = b.get<std::int32_t>(dimensions.begin + 4);
        if (!possible(rows, columns) || numbers.begin + numbers.size > b.size()) return std::nullopt;
        return transposed(rows, columns, [&](std::size_t k) { return number_at(b, numbers, k); });
    }
    return std::nullopt;
}

} // namespace

Expected<FileTable, std::string> read_table(const std::string& path, const std::string& name, char delimiter,
                                            int header_lines) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return Unexpected{std::string("the file '" + path + "' cannot be read")};
    std::optional<FileTable> table;
    bool compressed = false;
    if (path.ends_with(".csv")) {
        table = read_csv(stream, delimiter, header_lines);
        if (!table) return Unexpected{"'" + path + "' is no table of numbers"};
    } else if (path.ends_with(".mat")) {
        Bytes bytes(stream);
        table = bytes.text(0, 6) == "MATLAB" ? read_mat5(bytes, name, compressed) : read_mat4(bytes, name);
    } else {
        table = read_text(stream, name);
    }
    if (table) return *std::move(table);
    return Unexpected{"there is no table '" + name + "' in '" + path + "'" +
                      (compressed ? " that could be read: it holds compressed ones (save with -v6)" : "")};
}

} // namespace daedalus::modelica
