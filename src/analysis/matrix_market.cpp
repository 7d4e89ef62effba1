#include "analysis/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace daedalus::analysis {

namespace {

enum class Symmetry { general, symmetric, skew };

struct Word {
    std::string_view text;
    std::size_t begin = 0; ///< offset in the file
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// The number that `text` is as a whole; nothing if it is none or not representable.
template <class Number>
std::optional<Number> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

class Reader {
public:
    Reader(const std::string& text, const std::string& name) : file_(name, text), text_(file_.text()) {}

    Expected<MarketMatrix> read() {
        if (!read_header() || !read_sizes()) return Unexpected{Diagnostics{*error_}};
        const bool ok = dense_ ? read_array() : read_coordinates();
        if (ok && next_line())
            fail("matrix-market-trailing", words_.front(), "more entries than the size line announces");
        if (error_) return Unexpected{Diagnostics{*error_}};
        return std::move(matrix_);
    }

private:
    bool fail(const char* code, std::size_t begin, std::size_t end, std::string message, std::string hint = {}) {
        const auto place = [](std::size_t offset) { return static_cast<std::uint32_t>(offset); };
        error_ = make_error(code, std::move(message), SourceSpan{&file_, place(begin), place(end)}, std::move(hint));
        return false;
    }
    bool fail(const char* code, const Word& word, std::string message, std::string hint = {}) {
        return fail(code, word.begin, word.begin + word.text.size(), std::move(message), std::move(hint));
    }
    bool fail_at_line(const char* code, std::string message, std::string hint = {}) {
        const std::size_t end = std::min(position_, text_.size());
        return fail(code, line_, std::max(end, line_ + 1) - 1, std::move(message), std::move(hint));
    }

    /// Splits the next line that is neither empty nor a comment; false at the end.
    bool next_line(bool comments = true) {
        while (position_ < text_.size()) {
            line_ = position_;
            const std::size_t end = std::min(text_.find('\n', position_), text_.size());
            position_ = end + 1;
            split(line_, end);
            if (words_.empty() || (comments && words_.front().text.starts_with('%'))) continue;
            return true;
        }
        words_.clear();
        return false;
    }

    void split(std::size_t begin, std::size_t end) {
        words_.clear();
        while (begin < end) {
            while (begin < end && is_space(text_[begin])) ++begin;
            std::size_t stop = begin;
            while (stop < end && !is_space(text_[stop])) ++stop;
            if (stop > begin) words_.push_back({text_.substr(begin, stop - begin), begin});
            begin = stop;
        }
    }

    bool read_header() {
        const char* const hint = "the first line should read: %%MatrixMarket matrix coordinate real general";
        if (!next_line(false) || lower(words_[0].text) != "%%matrixmarket")
            return fail_at_line("matrix-market-header", "this is not a Matrix Market file", hint);
        if (words_.size() != 5 || lower(words_[1].text) != "matrix")
            return fail_at_line("matrix-market-header",
                                "the header needs five words: %%MatrixMarket matrix, then format, field, symmetry",
                                hint);
        const std::string format = lower(words_[2].text), field = lower(words_[3].text), kind = lower(words_[4].text);
        if (format != "array" && format != "coordinate")
            return fail("matrix-market-header", words_[2], fmt::format("unknown format '{}'", words_[2].text),
                        "it is array or coordinate");
        dense_ = format == "array";
        if (field != "real" && field != "double" && field != "integer")
            return fail("matrix-market-header", words_[3],
                        fmt::format("the field '{}' is not supported", words_[3].text), "it is real or integer");
        if (kind == "symmetric")
            symmetry_ = Symmetry::symmetric;
        else if (kind == "skew-symmetric")
            symmetry_ = Symmetry::skew;
        else if (kind != "general")
            return fail("matrix-market-header", words_[4],
                        fmt::format("the symmetry '{}' is not supported", words_[4].text),
                        "it is general, symmetric or skew-symmetric");
        return true;
    }

    bool read_sizes() {
        if (!next_line()) return fail_at_line("matrix-market-size", "the size line is missing");
        const std::size_t wanted = dense_ ? 2 : 3;
        if (words_.size() != wanted)
            return fail_at_line("matrix-market-size", fmt::format("the size line needs {} numbers: rows, columns{}",
                                                                  wanted, dense_ ? "" : ", entries"));
        long sizes[3] = {0, 0, 0};
        for (std::size_t k = 0; k < wanted; ++k) {
            const auto value = number<long>(words_[k].text);
            if (!value || *value < 0)
                return fail("matrix-market-size", words_[k], fmt::format("'{}' is not a size", words_[k].text));
            sizes[k] = *value;
        }
        constexpr long most = 20'000'000; // rows or columns: beyond, even the row counts are larger than what helps
        if (sizes[0] > most || sizes[1] > most)
            return fail_at_line("matrix-market-size",
                                fmt::format("a matrix with {} rows and {} columns is too large", sizes[0], sizes[1]));
        matrix_.rows = static_cast<int>(sizes[0]);
        matrix_.cols = static_cast<int>(sizes[1]);
        if (symmetry_ != Symmetry::general && sizes[0] != sizes[1])
            return fail_at_line("matrix-market-size",
                                fmt::format("a symmetric matrix is square, not {} by {}", sizes[0], sizes[1]));
        // Every entry takes at least two characters, of an array, and six, of a list of coordinates.
        const long room = static_cast<long>(text_.size() - std::min(position_, text_.size())) + 1;
        const double entries = dense_ ? (symmetry_ == Symmetry::general ? 1.0 : 0.5) * static_cast<double>(sizes[0]) *
                                            static_cast<double>(sizes[1])
                                      : static_cast<double>(sizes[2]);
        const double needed = (dense_ ? 1.0 : 6.0) * entries - 2.0 * static_cast<double>(sizes[0]);
        constexpr double harmless =
            1e5; // entries that are reserved anyway: what is missing is better said where it ends
        if (entries > harmless && needed > static_cast<double>(room))
            return fail_at_line("matrix-market-size",
                                "the size line announces more entries than the file has room for");
        announced_ = sizes[2];
        return true;
    }

    bool value_of(const Word& word, double& value) {
        std::string text = lower(word.text);
        std::replace(text.begin(), text.end(), 'd', 'e'); // Fortran writes 1.0D+00
        const auto found = number<double>(text);
        if (!found)
            return fail("matrix-market-number", word,
                        fmt::format("'{}' is not a number within the range of double precision", word.text));
        value = *found;
        return true;
    }

    void add(int row, int col, double value) {
        if (value == 0.0) return;
        matrix_.entries.push_back({row, col, value});
        if (symmetry_ == Symmetry::general || row == col) return;
        matrix_.entries.push_back({col, row, symmetry_ == Symmetry::skew ? -value : value});
    }

    bool read_array() {
        for (int j = 0; j < matrix_.cols; ++j) {
            const int first = symmetry_ == Symmetry::general ? 0 : symmetry_ == Symmetry::symmetric ? j : j + 1;
            for (int i = first; i < matrix_.rows; ++i) {
                if (at_ >= words_.size() || !in_array_) {
                    if (!next_line())
                        return fail_at_line("matrix-market-entries",
                                            fmt::format("the entries end before row {} of column {}", i + 1, j + 1));
                    at_ = 0;
                    in_array_ = true;
                }
                double value = 0.0;
                if (!value_of(words_[at_++], value)) return false;
                add(i, j, value);
            }
        }
        if (in_array_ && at_ < words_.size())
            return fail("matrix-market-trailing", words_[at_], "more entries than the size line announces");
        return true;
    }

    bool read_coordinates() {
        for (long k = 0; k < announced_; ++k) {
            if (!next_line())
                return fail_at_line("matrix-market-entries",
                                    fmt::format("the file ends after {} of {} entries", k, announced_));
            if (words_.size() != 3)
                return fail_at_line("matrix-market-entries", "an entry needs three numbers: row, column, value");
            int place[2] = {0, 0};
            for (std::size_t c = 0; c < 2; ++c) {
                const auto index = number<long>(words_[c].text);
                const int size = c == 0 ? matrix_.rows : matrix_.cols;
                if (!index || *index < 1 || *index > size)
                    return fail("matrix-market-entries", words_[c],
                                fmt::format("'{}' is not a {} of this matrix: they are numbered from 1 to {}",
                                            words_[c].text, c == 0 ? "row" : "column", size));
                place[c] = static_cast<int>(*index) - 1;
            }
            double value = 0.0;
            if (!value_of(words_[2], value)) return false;
            if (symmetry_ != Symmetry::general && place[1] > place[0])
                return fail_at_line("matrix-market-entries",
                                    "of a symmetric matrix only entries on and below the diagonal are given");
            if (symmetry_ == Symmetry::skew && place[0] == place[1] && value != 0.0)
                return fail_at_line("matrix-market-entries", "the diagonal of a skew-symmetric matrix is zero");
            add(place[0], place[1], value);
        }
        return true;
    }

    SourceFile file_;
    std::string_view text_;
    std::size_t position_ = 0, line_ = 0, at_ = 0;
    bool in_array_ = false;
    std::vector<Word> words_;
    bool dense_ = false;
    Symmetry symmetry_ = Symmetry::general;
    long announced_ = 0;
    MarketMatrix matrix_;
    std::optional<Diagnostic> error_;
};

Diagnostic file_error(const std::string& path, std::string message) {
    Diagnostic problem = make_error("cannot-read", std::move(message));
    problem.where = Location{path, 0, 0, 0, {}};
    return problem;
}

} // namespace

Expected<MarketMatrix> parse_matrix_market(const std::string& text, const std::string& name) {
    constexpr std::size_t most = std::size_t{1} << 31; // places in the text are 32 bits
    if (text.size() >= most) return fail(file_error(name, "the file is larger than 2 GiB"));
    return Reader(text, name).read();
}

Expected<MarketMatrix> read_matrix_market(const std::string& path) {
    std::error_code status;
    if (std::filesystem::is_directory(path, status)) return fail(file_error(path, "this is a directory, not a file"));
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return fail(file_error(path, std::string("cannot be read: ") + std::strerror(errno)));
    std::ostringstream text;
    text << stream.rdbuf();
    if (stream.bad()) return fail(file_error(path, "reading stopped with an error"));
    return parse_matrix_market(std::move(text).str(), path);
}

} // namespace daedalus::analysis
