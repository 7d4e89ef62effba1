#include "spice/outline.hpp"

#include "base/printable.hpp"
#include "spice/cards.hpp"
#include "spice/deck_files.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

namespace {

/// Files in files: real libraries stay below ten.
constexpr std::size_t deepest_include = 50;
/// All includes of a deck together. Libraries of foundries have hundreds of sections.
constexpr int most_includes = 10'000;
/// Subcircuits defined within subcircuits; as many levels as instances may have.
constexpr std::size_t deepest_definition = 200;

using Kind = Token::Kind;

class Outliner {
public:
    Outliner(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
             Outline& outline)
        : problems_(problems), out_(outline), files_(file, options.allowed_folders, problems),
          most_lines_(4 * options.most_elements + 1'000'000) {
        open_.push_back(&out_.top);
        branch_.push_back({});
    }

    void read(const SourceFile& file) {
        const std::uint32_t begin = title(file);
        take(file, lines_of(file, begin, problems_), 0);
        close_all();
        out_.sources = files_.sources();
    }

private:
    struct Opened {
        const SourceFile* file;
        std::string section;
    };

    /// The first line, whatever it says. Behind it the deck begins.
    std::uint32_t title(const SourceFile& file) {
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
            problems_.warning("title", span,
                              "the first line of a deck is its title, and this one looks like a part of it",
                              "put a line with a title above it");
        return static_cast<std::uint32_t>(std::min(end + 1, text.size()));
    }

    static bool reads_like_an_element(const Line& line) {
        Cursor c(line);
        const Token name = c.next();
        if (!name.is(Kind::word) || std::string_view("RCLVIrclvi").find(name.text[0]) == std::string_view::npos)
            return false;
        const Token a = c.next(), b = c.next(), value = c.next();
        return a.is(Kind::word) && b.is(Kind::word) && value.is(Kind::word) &&
               (read_number(value.text, true) || value.is_word("dc") || value.is_word("ac"));
    }

    Definition& here() { return *open_.back(); }
    int branch() { return branch_.back().empty() ? -1 : branch_.back().back(); }

    /// True: the file ends here (.end).
    void take(const SourceFile& file, const std::vector<Line>& lines, std::size_t first) {
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

    void control(const Line& line) {
        if (Cursor(line).next().is_word(".endc"))
            in_control_ = false;
        else
            out_.control.back().push_back(line);
    }

    /// False: .end.
    bool command(const std::vector<Line>& lines, std::size_t& k) {
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

    bool refuse_condition(const Token& word) {
        if (branch() < 0) return false;
        problems_.error("condition", word.span, "'" + lower(word.text) + "' cannot depend on a condition",
                        "elements, models and instances can stand between .if and .endif");
        return true;
    }

    void subcircuit(Cursor& c, const Token& word) {
        refuse_condition(word);
        const Token name = c.next();
        auto made = std::make_unique<Definition>();
        Definition& d = *made;
        d.enclosing = &here();
        d.span = name.span;
        if (!name.is(Kind::word)) problems_.error("subcircuit", word.span, "a subcircuit needs a name and its nodes");
        d.name = printable(name.text);
        ports(c, d);
        d.defaults = parameter_cards(c, problems_);
        if (const Token rest = c.next(); !rest.is(Kind::end))
            problems_.error("subcircuit", rest.span,
                            "'" + printable(rest.text) + "' behind the parameters of a subcircuit",
                            "nodes come first, then name=value");
        std::unordered_set<std::string> seen;
        for (const Token& port : d.ports)
            if (!seen.insert(lower(port.text)).second)
                problems_.error("subcircuit", port.span,
                                "node '" + printable(port.text) + "' stands twice among those of '" + d.name + "'");
        auto& slot = here().subcircuits[lower(name.text)];
        if (slot && (slot->span.file != d.span.file || slot->span.begin != d.span.begin)) // not a file included twice
            problems_.error("duplicate-subcircuit", name.span, "there are two subcircuits '" + d.name + "'",
                            "the first one is in line " + std::to_string(slot->span.locate().line) + " of " +
                                slot->span.file->name());
        if (open_.size() > deepest_definition) {
            if (open_.size() == deepest_definition + 1)
                problems_.error("subcircuit", name.span, "subcircuits are defined more than 200 levels deep");
            // Its lines go to the one around it, which is wrong already.
            open_.push_back(&here());
            branch_.emplace_back();
            return;
        }
        if (slot) // kept aside, so that its lines do no harm
            spare_.push_back(std::move(made));
        else
            slot = std::move(made);
        open_.push_back(&d);
        branch_.emplace_back();
    }

    void ports(Cursor& c, Definition& d) {
        for (;;) {
            Cursor ahead = c;
            const Token t = ahead.next();
            if (t.is_word("params:") || t.is_word("params") || t.is_word("param:")) {
                if (ahead.peek().is(Kind::equals)) return;
                c = ahead;
                if (c.peek().is_word(":")) (void)c.next();
                return;
            }
            if (t.is_word("optional:")) {
                problems_.error("subcircuit", t.span, "optional nodes of subcircuits are not read");
                c = ahead;
            } else if (t.is(Kind::open) || t.is(Kind::close) || t.is(Kind::comma)) {
                c = ahead;
            } else if (!t.is(Kind::word) || ahead.peek().is(Kind::equals)) {
                return;
            } else {
                d.ports.push_back(t);
                c = ahead;
            }
        }
    }

    void ends(Cursor& c, const Token& word) {
        if (open_.size() == 1) {
            problems_.error("ends", word.span, ".ends without a .subckt before it");
            return;
        }
        const Token name = c.next();
        if (name.is(Kind::word) && !same(name.text, here().name)) {
            const std::string message =
                ".ends of '" + printable(name.text) + "', but '" + here().name + "' is the subcircuit that is open";
            const std::string hint = "it begins in line " + std::to_string(here().span.locate().line);
            // Of one around it: an .ends is missing. Otherwise somebody gave it another name.
            const bool outer = std::any_of(open_.begin() + 1, open_.end(),
                                           [&](const Definition* d) { return same(name.text, d->name); });
            if (outer)
                problems_.error("ends", name.span, message, hint);
            else
                problems_.warning("ends", name.span, message, hint);
        }
        close_branches();
        open_.pop_back();
        branch_.pop_back();
    }

    void close_branches() {
        if (!branch_.back().empty())
            problems_.error("condition", here().branches[static_cast<std::size_t>(branch())].span,
                            "this .if has no .endif");
        branch_.back().clear();
    }

    void close_all() {
        if (in_control_) problems_.error("control", control_span_, "this .control has no .endc");
        for (close_branches(); open_.size() > 1; close_branches()) {
            problems_.error("ends", here().span, "subcircuit '" + here().name + "' has no .ends");
            open_.pop_back();
            branch_.pop_back();
        }
    }

    void model(Cursor& c, const Token& word) {
        const Token name = c.next(), type = c.next();
        if (!name.is(Kind::word) || !type.is(Kind::word)) {
            problems_.error("model", word.span, "a model needs a name and a type: .model fast D(is=1e-14)");
            return;
        }
        ModelCard card{printable(name.text), lower(type.text), {}, c.line(), c.at(), name.span, branch()};
        if (card.type.starts_with("ako:")) { // .model slow AKO:fast D(tt=1u)
            card.base = card.type.substr(card.type.size() > 4 ? 4 : 0);
            if (card.type.size() == 4) card.base = lower(c.next().text);
            Cursor ahead = c;
            const Token own = ahead.next();
            card.type = own.is(Kind::word) && !ahead.peek().is(Kind::equals) ? lower(own.text) : std::string{};
            if (!card.type.empty()) c = ahead;
            card.at = c.at();
        }
        // Other names for the same: of other simulators.
        constexpr std::array<std::array<std::string_view, 2>, 5> also{
            {{"res", "r"}, {"cap", "c"}, {"ind", "l"}, {"vswitch", "sw"}, {"iswitch", "csw"}}};
        for (const auto& [other, ours] : also)
            if (card.type == other) card.type = ours;
        auto& same_name = here().models[lower(name.text)];
        for (const ModelCard& other : same_name)
            if (other.branch < 0 || card.branch < 0) {
                if (other.span.file != card.span.file ||
                    other.span.begin != card.span.begin) // not a file included twice
                    problems_.warning("duplicate-model", name.span,
                                      "there is another model '" + card.name + "', which counts: this one is ignored",
                                      "the first one is in line " + std::to_string(other.span.locate().line) + " of " +
                                          other.span.file->name());
                return;
            }
        same_name.push_back(std::move(card));
    }

    void parameters(Cursor& c) {
        if (refuse_condition(Cursor(c.line()).next())) return;
        // HSPICE defines functions this way, too: .param f(x)='x*2'
        Cursor ahead = c;
        const Token name = ahead.next();
        if (name.is(Kind::word) && ahead.peek().is(Kind::open)) return function(c, name);
        auto cards = parameter_cards(c, problems_);
        if (const Token rest = c.next(); !rest.is(Kind::end))
            problems_.error("parameter", rest.span, "'" + printable(rest.text) + "' is no parameter: name=value is");
        here().parameters.insert(here().parameters.end(), std::make_move_iterator(cards.begin()),
                                 std::make_move_iterator(cards.end()));
    }

    void function(Cursor& c, const Token& word) {
        if (refuse_condition(word)) return;
        const Token name = c.next();
        FunctionCard card;
        card.span = name.span;
        card.name = lower(name.text);
        bool good = name.is(Kind::word) && c.next().is(Kind::open);
        for (Token t = c.next(); good && !t.is(Kind::close); t = c.next()) {
            if (t.is(Kind::comma)) continue;
            good = t.is(Kind::word);
            card.arguments.push_back(lower(t.text));
        }
        if (!good) {
            problems_.error("function", word.span,
                            "a function needs a name, arguments and a value: .func f(x,y) {x*y}");
            return;
        }
        if (c.peek().is(Kind::equals)) (void)c.next();
        auto body = whole_expression(c, problems_);
        if (!body) return;
        card.body = *std::move(body);
        if (const Token rest = c.next(); !rest.is(Kind::end))
            problems_.error("function", rest.span, "'" + printable(rest.text) + "' behind the value of a function");
        const auto [at, fresh] = here().functions.try_emplace(card.name, card);
        if (!fresh) {
            problems_.warning("duplicate-function", card.span,
                              "function '" + card.name + "' is defined again: this one counts",
                              "the first one is in line " + std::to_string(at->second.span.locate().line));
            at->second = std::move(card);
        }
    }

    /// The name of a file, with or without quotes. Not lexed: names may have anything in them.
    static Token path(Cursor& c) {
        c.skip_blanks();
        const char quote = c.here();
        if (quote != '"' && quote != '\'') return c.until("");
        c.move_to(c.at() + 1);
        const std::uint32_t begin = c.at();
        const std::string_view text = c.line().file->text();
        const auto close = text.find(quote, begin);
        if (close >= c.line().end) return {};
        c.move_to(static_cast<std::uint32_t>(close) + 1);
        return {
            Kind::word, text.substr(begin, close - begin), {c.line().file, begin, static_cast<std::uint32_t>(close)}};
    }

    void include(Cursor& c, const Token& word) {
        if (refuse_condition(word)) return;
        const Token name = path(c);
        follow(name.text, {}, name.span.known() ? name.span : word.span);
    }

    /// .lib FILE SECTION; .lib NAME … .endl; .lib FILE, which some programs take for .include.
    void library(Cursor& c, const Token& word, const std::vector<Line>& lines, std::size_t& k) {
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
    static bool sections_end(const std::vector<Line>& lines, std::size_t k) {
        Cursor c(lines[k]);
        (void)c.next();
        (void)path(c);
        return !c.next().is(Kind::word);
    }

    void follow(std::string_view path, const std::string& section, const SourceSpan& from) {
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

    void take_section(const SourceFile& file, const std::vector<Line>& lines, const std::string& section,
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
            if (end == lines.size())
                problems_.error("section", name.span, "section '" + known.back() + "' has no .endl");
            take(file,
                 {lines.begin() + static_cast<std::ptrdiff_t>(k) + 1, lines.begin() + static_cast<std::ptrdiff_t>(end)},
                 0);
            return;
        }
        out_.incomplete = true;
        problems_.error("section", from, "there is no section '" + section + "' in this file",
                        suggestion(section, known));
    }

    void globals(Cursor& c, const Token& word) {
        int count = 0;
        for (Token t = c.next(); !t.is(Kind::end); t = c.next(), ++count)
            if (t.is(Kind::word)) out_.globals.insert(lower(t.text));
        if (count == 0) problems_.error("global", word.span, ".global needs the names of nodes");
    }

    void condition(Cursor& c, const Token& word, const std::string& name) {
        std::vector<int>& open = branch_.back();
        Definition& d = here();
        const bool begins = name == ".if";
        if (!begins && open.empty()) {
            problems_.error("condition", word.span, "'" + name + "' without an .if before it");
            return;
        }
        Branch b;
        b.span = word.span;
        b.first = static_cast<int>(d.branches.size());
        if (!begins) {
            const Branch& before = d.branches[static_cast<std::size_t>(open.back())];
            if (before.condition.empty() && name != ".endif")
                problems_.error("condition", word.span, "'" + name + "' behind .else");
            b.first = before.first;
            open.pop_back();
        }
        if (name == ".endif") return;
        b.parent = open.empty() ? -1 : open.back();
        if (name != ".else") {
            auto value = whole_expression(c, problems_);
            if (value) b.condition = *std::move(value);
        }
        open.push_back(static_cast<int>(d.branches.size()));
        d.branches.push_back(std::move(b));
    }

    Problems& problems_;
    Outline& out_;
    DeckFiles files_;
    std::vector<Definition*> open_;
    std::vector<std::vector<int>> branch_; ///< open .if of each open definition
    std::vector<std::unique_ptr<Definition>> spare_;
    std::vector<Opened> includes_;
    std::size_t lines_ = 0, most_lines_;
    int included_ = 0;
    bool in_control_ = false, too_many_ = false;
    SourceSpan control_span_;
};

} // namespace

void read_outline(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
                  Outline& outline) {
    Outliner(file, options, problems, outline).read(*file);
}

} // namespace daedalus::spice
