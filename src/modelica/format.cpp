#include "modelica/format.hpp"

#include "modelica/lexer.hpp"
#include "modelica/parse.hpp"

#include <algorithm>

namespace daedalus::modelica {

namespace {

using enum TokenKind;

/// A word of the text or a comment, with the empty lines before it.
struct Word {
    TokenKind kind = end_of_file;
    std::string_view text;
    bool is_comment = false;
    bool starts_line = false;
    bool after_blank_line = false;
};

bool is_line_comment(const Word& w) { return w.is_comment && w.text.starts_with("//"); }

std::string_view without_trailing_blanks(std::string_view text) {
    const auto last = text.find_last_not_of(" \t\r\f\v");
    return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

class Words {
public:
    explicit Words(std::string_view text) : text_(text) {}

    std::vector<Word> of(const std::vector<Token>& tokens) {
        std::size_t at = 0;
        for (const Token& token : tokens) {
            gap(at, token.begin);
            if (token.kind == end_of_file) break;
            push(token.kind, token.begin, token.end, false);
            at = token.end;
        }
        return std::move(words_);
    }

private:
    void gap(std::size_t at, std::size_t end) {
        while (at < end) {
            if (text_[at] == '\n') ++newlines_;
            if (text_[at] != '/') {
                ++at;
                continue;
            }
            const bool line = text_[at + 1] == '/';
            std::size_t close = line ? text_.find('\n', at) : text_.find("*/", at + 2) + 2;
            close = std::min(close, end);
            push(end_of_file, at, close, true);
            at = close;
        }
    }
    void push(TokenKind kind, std::size_t begin, std::size_t end, bool is_comment) {
        std::string_view text = text_.substr(begin, end - begin);
        if (is_comment) text = without_trailing_blanks(text);
        words_.push_back({kind, text, is_comment, newlines_ > 0 || words_.empty(), newlines_ > 1 && !words_.empty()});
        newlines_ = 0;
    }

    std::string_view text_;
    std::vector<Word> words_;
    int newlines_ = 0;
};

bool opens(TokenKind k) { return k == left_parenthesis || k == left_bracket || k == left_brace; }
bool closes(TokenKind k) { return k == right_parenthesis || k == right_bracket || k == right_brace; }
bool is_operand(TokenKind k) {
    return k == identifier || k == integer || k == real || k == string || closes(k) || k == kw_end || k == kw_true ||
           k == kw_false || k == kw_der || k == kw_initial;
}
bool binds_closely(TokenKind k) {
    return k == power || k == dot_power || k == times || k == divide || k == dot_times || k == dot_divide;
}
bool is_sign(TokenKind k) { return k == plus || k == minus || k == dot_plus || k == dot_minus; }
bool begins_class(TokenKind k) {
    return k == kw_model || k == kw_class || k == kw_block || k == kw_record || k == kw_connector || k == kw_type ||
           k == kw_package || k == kw_function || k == kw_operator;
}
bool is_section(TokenKind k) {
    return k == kw_equation || k == kw_algorithm || k == kw_public || k == kw_protected || k == kw_external;
}

/// Where the blocks of the text begin and end: how far each line is indented.
class Layout {
public:
    /// Depth of the line that begins with this word.
    [[nodiscard]] int depth(const Word& w, const Word* next) const {
        const int inside = static_cast<int>(blocks_.size());
        if (w.is_comment) return inside + (fresh_ ? 0 : continued());
        if (!fresh_) return inside + (closes(w.kind) && parentheses_ == 1 ? 0 : continued());
        const bool section = is_section(w.kind) || (w.kind == kw_initial && next != nullptr && is_section(next->kind));
        const bool middle = w.kind == kw_else || w.kind == kw_elseif || w.kind == kw_elsewhen;
        return std::max(0, inside - (section || middle || w.kind == kw_end ? 1 : 0));
    }

    void take(const Word& w, const Word* next, const Word* after) {
        if (w.is_comment) return;
        if (opens(w.kind)) ++parentheses_;
        if (closes(w.kind) && parentheses_ > 0) --parentheses_;
        if (parentheses_ > 0 || closes(w.kind)) {
            fresh_ = false;
            return;
        }
        if (w.kind == semicolon) {
            fresh_ = true;
            ends_ = class_ahead_ = header_ = false;
            return;
        }
        if (fresh_ && w.kind == kw_end) {
            if (!blocks_.empty()) blocks_.pop_back();
            ends_ = true;
        } else if (fresh_ && is_section(w.kind) && w.kind != kw_external) {
            return; // the next word begins a sentence
        } else if (fresh_ && w.kind == kw_initial && next != nullptr && is_section(next->kind)) {
            return;
        } else if (fresh_ && (w.kind == kw_if || w.kind == kw_for || w.kind == kw_while || w.kind == kw_when)) {
            blocks_.push_back(w.kind);
            header_ = true;
        } else if (fresh_ && (w.kind == kw_elseif || w.kind == kw_elsewhen)) {
            header_ = true;
        } else if (fresh_ && w.kind == kw_else) {
            return;
        } else if (header_ && (w.kind == kw_then || w.kind == kw_loop)) {
            header_ = false;
            fresh_ = true;
            return;
        } else if (!ends_ && (fresh_ || prefix_) && begins_class(w.kind)) {
            class_ahead_ = true;
        } else if (class_ahead_ && (w.kind == identifier || w.kind == kw_extends)) {
            const bool extended = w.kind == kw_extends;
            class_ahead_ = false;
            if (extended || next == nullptr || next->kind != equals) {
                if (!extended || after != nullptr) blocks_.push_back(kw_class);
                fresh_ = true; // its description, or its first element
                skip_name_ = extended;
                return;
            }
        } else if (skip_name_) {
            skip_name_ = false;
            return;
        }
        prefix_ = (fresh_ || prefix_) && (w.kind == kw_encapsulated || w.kind == kw_partial || w.kind == kw_final ||
                                          w.kind == kw_replaceable || w.kind == kw_redeclare || w.kind == kw_inner ||
                                          w.kind == kw_outer || w.kind == kw_expandable || w.kind == kw_pure ||
                                          w.kind == kw_impure || w.kind == kw_operator || begins_class(w.kind));
        fresh_ = w.kind == string && after_header();
    }

private:
    [[nodiscard]] int continued() const { return 1 + (parentheses_ > 1 ? parentheses_ - 1 : 0); }
    [[nodiscard]] bool after_header() const { return fresh_ && !ends_; }

    std::vector<TokenKind> blocks_;
    int parentheses_ = 0;
    bool fresh_ = true;   ///< a sentence begins
    bool prefix_ = false; ///< only prefixes of a class so far
    bool ends_ = false;   ///< behind `end`
    bool header_ = false; ///< between if and then, for and loop
    bool class_ahead_ = false;
    bool skip_name_ = false;
};

/// Whether a blank stands between two words of a line.
bool apart(const Word& a, const Word& b, bool sign) {
    if (a.is_comment || b.is_comment) return true;
    if (b.kind == semicolon || b.kind == comma || closes(b.kind)) return false;
    if (a.kind == dot || b.kind == dot) return false;
    if (opens(a.kind)) return false;
    if (b.kind == left_parenthesis || b.kind == left_bracket)
        return !is_operand(a.kind) && !sign && a.kind != kw_annotation && !binds_closely(a.kind) && !(a.kind == colon);
    if (sign) return false;
    if (a.kind == colon || b.kind == colon) return false;
    return !binds_closely(a.kind) && !binds_closely(b.kind);
}

bool same_words(const std::vector<Word>& a, const std::vector<Word>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Word& x, const Word& y) { return x.kind == y.kind && x.text == y.text; });
}

std::string lay_out(const std::vector<Word>& words) {
    std::string out;
    Layout layout;
    bool sign = false; // the word before is a sign, not an operation
    for (std::size_t k = 0; k < words.size(); ++k) {
        const Word& w = words[k];
        const Word* next = nullptr;
        const Word* after = nullptr;
        for (std::size_t j = k + 1; j < words.size() && after == nullptr; ++j)
            if (!words[j].is_comment) (next == nullptr ? next : after) = &words[j];
        if (w.starts_line) {
            if (k > 0) out += w.after_blank_line ? "\n\n" : "\n";
            out.append(static_cast<std::size_t>(layout.depth(w, next)) * 2, ' ');
        } else if (k > 0 && apart(words[k - 1], w, sign)) {
            out += ' ';
        }
        out += w.text;
        if (!w.is_comment) {
            const Word* before = nullptr;
            for (std::size_t j = k; j-- > 0 && before == nullptr;)
                if (!words[j].is_comment) before = &words[j];
            sign = is_sign(w.kind) && (before == nullptr || !is_operand(before->kind));
        }
        layout.take(w, next, after);
    }
    return out + "\n";
}

} // namespace

Expected<std::string> format(const SourceFile& file) {
    if (auto parsed = parse(file); !parsed.ok()) return Unexpected{std::move(parsed.diagnostics)};
    Report report(file);
    const auto words = Words(file.text()).of(tokenize(file, report).tokens);
    if (words.empty()) return std::string();
    const std::string out = lay_out(words);
    const SourceFile again(file.name(), out);
    Report second(again);
    if (!same_words(words, Words(again.text()).of(tokenize(again, second).tokens)))
        return fail(make_error("internal-error", "formatting would change '" + file.name() + "'"));
    return out;
}

} // namespace daedalus::modelica
