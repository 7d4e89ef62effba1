// .include and .lib.
#include "base/printable.hpp"
#include "spice/outliner.hpp"

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// Files in files: real libraries stay below ten.
constexpr std::size_t deepest_include = 50;
/// All includes of a deck together. Libraries of foundries have hundreds of sections.
constexpr int most_includes = 10'000;

} // namespace

/// The name of a file, with or without quotes. Not lexed: names may have anything in them.
Token Outliner::path(Cursor& c) {
    c.skip_blanks();
    const char quote = c.here();
    if (quote != '"' && quote != '\'') return c.until("");
    c.move_to(c.at() + 1);
    const std::uint32_t begin = c.at();
    const std::string_view text = c.line().file->text();
    const auto close = text.find(quote, begin);
    if (close >= c.line().end) return {};
    c.move_to(static_cast<std::uint32_t>(close) + 1);
    return {Kind::word, text.substr(begin, close - begin), {c.line().file, begin, static_cast<std::uint32_t>(close)}};
}

void Outliner::include(Cursor& c, const Token& word) {
    if (refuse_condition(word)) return;
    const Token name = path(c);
    follow(name.text, {}, name.span.known() ? name.span : word.span);
}

/// .lib FILE SECTION; .lib NAME … .endl; .lib FILE, which some programs take for .include.
void Outliner::library(Cursor& c, const Token& word, const std::vector<Line>& lines, std::size_t& k) {
    if (refuse_condition(word)) return;
    const Token name = path(c), section = c.next();
    if (section.is(Kind::word)) return follow(name.text, lower(section.text), name.span);
    for (std::size_t end = k + 1; end < lines.size(); ++end) {
        const Token t = Cursor(lines[end]).next();
        if (t.is_word(".lib") && sections_end(lines, end)) break;
        if (!t.is_word(".endl")) continue;
        k = end; // a section that nobody asked for here
        return;
    }
    follow(name.text, {}, name.span.known() ? name.span : word.span);
}

/// Whether the .lib of this line begins a section.
bool Outliner::sections_end(const std::vector<Line>& lines, std::size_t k) {
    Cursor c(lines[k]);
    (void)c.next();
    (void)path(c);
    return !c.next().is(Kind::word);
}

void Outliner::follow(std::string_view path, const std::string& section, const SourceSpan& from) {
    const SourceFile* file = files_.open(path, from);
    out_.incomplete = out_.incomplete || file == nullptr;
    if (file == nullptr) return;
    if (includes_.empty()) includes_.push_back({files_.sources()[0].get(), {}});
    for (const Opened& o : includes_)
        if (o.file == file && o.section == section) {
            std::string chain;
            for (const Opened& each : includes_) chain += each.file->name() + " → ";
            problems_.error("include", from, "this file includes itself: " + chain + file->name());
            return;
        }
    if (includes_.size() > deepest_include || ++included_ > most_includes) {
        if (!too_many_)
            problems_.error("include", from,
                            includes_.size() > deepest_include ? "files include each other more than 50 levels deep"
                                                               : "this deck includes more than 10000 files");
        too_many_ = true;
        return;
    }
    includes_.push_back({file, section});
    const std::vector<Line> lines = lines_of(*file, file->text().starts_with("\xEF\xBB\xBF") ? 3 : 0, problems_);
    if (section.empty())
        take(*file, lines, 0);
    else
        take_section(*file, lines, section, from);
    includes_.pop_back();
    if (includes_.size() == 1) includes_.clear();
}

void Outliner::take_section(const SourceFile& file, const std::vector<Line>& lines, const std::string& section,
                            const SourceSpan& from) {
    std::vector<std::string> known;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        Cursor c(lines[k]);
        if (!c.next().is_word(".lib")) continue;
        const Token name = path(c);
        if (c.next().is(Kind::word)) continue; // asks for another one
        known.push_back(printable(name.text));
        if (!same(name.text, section)) continue;
        std::size_t end = k + 1;
        while (end < lines.size() && !Cursor(lines[end]).next().is_word(".endl")) ++end;
        if (end == lines.size()) problems_.error("section", name.span, "section '" + known.back() + "' has no .endl");
        take(file,
             {lines.begin() + static_cast<std::ptrdiff_t>(k) + 1, lines.begin() + static_cast<std::ptrdiff_t>(end)}, 0);
        return;
    }
    out_.incomplete = true;
    problems_.error("section", from, "there is no section '" + section + "' in this file", suggestion(section, known));
}

} // namespace daedalus::spice
