// Lines sorted by what they begin with.
#include "base/printable.hpp"
#include "spice/outliner.hpp"

#include <algorithm>

namespace daedalus::spice {

using Kind = Token::Kind;

Outliner::Outliner(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
                   Outline& outline)
    : problems_(problems), out_(outline), files_(file, options.allowed_folders, problems),
      most_lines_(4 * options.most_elements + 1'000'000) {
    open_.push_back(&out_.top);
    branch_.push_back({});
}

void Outliner::read(const SourceFile& file) {
    const std::uint32_t begin = title(file);
    take(file, lines_of(file, begin, problems_), 0);
    close_all();
    out_.sources = files_.sources();
}

/// The first line, whatever it says. Behind it the deck begins.
std::uint32_t Outliner::title(const SourceFile& file) {
    const std::string_view text = file.text();
    const std::uint32_t begin = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    const auto end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    const SourceSpan span{&file, begin, begin + static_cast<std::uint32_t>(line.size())};
    if (text.substr(begin, 8).find('\0') != std::string_view::npos)
        problems_.error("encoding", span, "this is not text in UTF-8 or ASCII",
                        "some programs write UTF-16: save the deck as UTF-8");
    if (same(line.substr(0, 7), ".title ")) line.remove_prefix(7);
    out_.title = printable(line.starts_with('*') ? line.substr(1) : line);
    if (reads_like_an_element({&file, span.begin, span.end}) || line.starts_with('.'))
        problems_.warning("title", span, "the first line of a deck is its title, and this one looks like a part of it",
                          "put a line with a title above it");
    return static_cast<std::uint32_t>(std::min(end + 1, text.size()));
}

bool Outliner::reads_like_an_element(const Line& line) {
    Cursor c(line);
    const Token name = c.next();
    if (!name.is(Kind::word) || std::string_view("RCLVIrclvi").find(name.text[0]) == std::string_view::npos)
        return false;
    const Token a = c.next(), b = c.next(), value = c.next();
    return a.is(Kind::word) && b.is(Kind::word) && value.is(Kind::word) &&
           (read_number(value.text, true) || value.is_word("dc") || value.is_word("ac"));
}

void Outliner::take(const SourceFile& file, const std::vector<Line>& lines, std::size_t first) {
    const std::size_t depth = includes_.size();
    for (std::size_t k = first; k < lines.size(); ++k) {
        if (++lines_ > most_lines_) {
            if (lines_ == most_lines_ + 1)
                problems_.error("too-large", lines[k].span(), "this deck has too many lines");
            return;
        }
        const char c = file.text()[lines[k].begin];
        if (in_control_) {
            control(lines[k]);
        } else if (c != '.') {
            here().statements.push_back({lines[k], branch()});
        } else if (!command(lines, k)) {
            if (depth == 0 && k + 1 < lines.size())
                problems_.warning("ignored", Line{&file, lines[k + 1].begin, lines.back().end}.span(),
                                  "what stands behind .end is ignored");
            return;
        }
    }
}

void Outliner::control(const Line& line) {
    if (Cursor(line).next().is_word(".endc"))
        in_control_ = false;
    else
        out_.control.back().push_back(line);
}

/// False: .end.
bool Outliner::command(const std::vector<Line>& lines, std::size_t& k) {
    const Line& line = lines[k];
    Cursor c(line);
    const Token word = c.next();
    const std::string name = lower(word.text);
    if (name == ".end") return false;
    if (name == ".subckt" || name == ".macro")
        subcircuit(c, word);
    else if (name == ".ends" || name == ".eom")
        ends(c, word);
    else if (name == ".model")
        model(c, word);
    else if (name == ".param" || name == ".parameter" || name == ".params")
        parameters(c);
    else if (name == ".func" || name == ".function")
        function(c, word);
    else if (name == ".include" || name == ".inc" || name == ".incl")
        include(c, word);
    else if (name == ".lib")
        library(c, word, lines, k);
    else if (name == ".endl")
        problems_.error("section", word.span, ".endl without a .lib before it");
    else if (name == ".global")
        globals(c, word);
    else if (name == ".control") {
        in_control_ = true;
        control_span_ = word.span;
        out_.control.emplace_back();
    } else if (name == ".endc")
        problems_.error("control", word.span, ".endc without a .control before it");
    else if (name == ".if" || name == ".elseif" || name == ".elif" || name == ".else" || name == ".endif")
        condition(c, word, name);
    else if (name == ".title")
        out_.title = printable(c.rest());
    else if (open_.size() > 1)
        problems_.warning("ignored", word.span, "'" + name + "' inside of a subcircuit is ignored");
    else
        out_.commands.push_back({line, branch()});
    return true;
}

void Outliner::globals(Cursor& c, const Token& word) {
    int count = 0;
    for (Token t = c.next(); !t.is(Kind::end); t = c.next(), ++count)
        if (t.is(Kind::word)) out_.globals.insert(lower(t.text));
    if (count == 0) problems_.error("global", word.span, ".global needs the names of nodes");
}

void read_outline(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
                  Outline& outline) {
    Outliner(file, options, problems, outline).read(*file);
}

} // namespace daedalus::spice
