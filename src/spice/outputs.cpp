// What a deck wants to see: .print .plot .save .probe .measure, and the values it begins with: .ic .nodeset.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

constexpr std::array<std::string_view, 4> analyses{"tran", "ac", "dc", "op"};
constexpr std::array<std::string_view, 7> others{"noise", "disto", "pz", "sens", "four", "sp", "tf"};

constexpr std::array<std::string_view, 4> ranges{"xlimit", "ylimit", "xl", "yl"};
constexpr std::array<std::string_view, 4> texts{"vs", "title", "xlabel", "ylabel"};

template <class List>
bool among(const List& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

/// The text up to a blank outside of parentheses, braces and quotes, without the blanks within.
std::string group(Cursor& c, SourceSpan& span) {
    c.skip_blanks();
    const std::uint32_t begin = c.at();
    std::string text;
    int depth = 0;
    char quote = '\0';
    for (char h = c.here(); c.at() < c.line().end; h = c.here()) {
        const bool blank = h == ' ' || h == '\t' || h == '\n' || h == '\r' || h == '\v' || h == '\f';
        if (blank && depth == 0 && quote == '\0') break;
        if (quote != '\0')
            quote = h == quote ? '\0' : quote;
        else if (h == '\'' || h == '"')
            quote = h;
        depth += h == '(' || h == '{' ? 1 : (h == ')' || h == '}') && depth > 0 ? -1 : 0;
        if (blank)
            c.skip_blanks();
        else {
            text += h;
            c.move_to(c.at() + 1);
        }
    }
    span = c.span(begin);
    return text;
}

/// v(a), v(a,b), vm(a), i(x): what is asked for is there. Other texts are judged by who computes them.
bool exists(const std::string& text, const SourceSpan& span, Reader& r) {
    const std::string small = lower(text);
    if (small.size() < 4 || small.back() != ')' || std::count(small.begin(), small.end(), '(') != 1) return true;
    const auto open = small.find('(');
    const std::string head = small.substr(0, open), inside = text.substr(open + 1, text.size() - open - 2);
    constexpr std::array<std::string_view, 6> kinds{"", "m", "p", "r", "i", "db"};
    if (!among(kinds, head.substr(head.empty() ? 0 : 1))) return true;
    if (head[0] == 'i') {
        if (r.existing_element(inside, {}) >= 0) return true;
        r.warning("ignored", span, "there is no element '" + inside + "' to show", r.like_element(inside, {}, '\0'));
        return false;
    }
    if (head[0] != 'v') return true;
    const auto comma = inside.find(',');
    for (const std::string& node :
         {inside.substr(0, comma), comma == std::string::npos ? "0" : inside.substr(comma + 1)})
        if (r.existing_node(node, r.top) < 0) {
            r.warning("ignored", span, "there is no node '" + node + "' to show", r.like_node(node));
            return false;
        }
    return true;
}

} // namespace

void Reader::wanted(Cursor& c, bool analysis_first) {
    std::string analysis;
    if (analysis_first) {
        const std::string word = lower(c.peek().text);
        if (among(others, word)) {
            warning("ignored", c.line().span(), "what is wanted of '" + word + "' is ignored");
            return;
        }
        if (among(analyses, word)) analysis = lower(c.next().text);
    }
    SourceSpan span;
    int skip = 0;
    for (std::string text = group(c, span); !text.empty(); text = group(c, span)) {
        const std::string small = lower(text);
        // Of plots: what they are drawn over, ranges and texts.
        const int behind = among(ranges, small) ? 2 : among(texts, small) ? 1 : 0;
        if (behind > 0 || skip > 0 || text[0] == '(') {
            skip = behind > 0 ? behind : std::max(0, skip - 1);
            continue;
        }
        if (exists(printable(text), span, *this)) netlist.wanted.push_back({analysis, printable(text), span});
    }
}

void Reader::measure(Cursor& c) {
    Measure m;
    m.span = c.line().span();
    const std::string first = lower(c.peek().text);
    if (among(others, first)) {
        warning("ignored", m.span, "a measurement of '" + first + "' is ignored");
        return;
    }
    if (among(analyses, first)) m.analysis = lower(c.next().text);
    const Token name = c.next();
    if (!name.is(Kind::word) && !name.is(Kind::quoted)) {
        error("measure", name.span, ".measure needs a name and what is measured");
        return;
    }
    m.name = printable(name.text);
    SourceSpan span;
    for (std::string text = group(c, span); !text.empty(); text = group(c, span)) m.words.push_back(printable(text));
    netlist.measures.push_back(std::move(m));
}

/// V(a)=1 V(a,b)=2; of inductors also I(L1)=3, which is their ic.
void Reader::initial_values(Cursor& c, bool node_set) {
    for (Token t = c.next(); !t.is(Kind::end); t = c.next()) {
        if (t.is(Kind::comma)) continue;
        const bool current = t.is_word("i");
        const std::uint32_t begin = t.span.begin;
        if ((!t.is_word("v") && !current) || !c.next().is(Kind::open)) {
            error("initial-value", t.span, "initial values are written V(node)=value");
            return;
        }
        const Token a = c.until("(),={}'");
        Token b;
        if (c.peek().is(Kind::comma)) {
            (void)c.next();
            b = c.until("(),={}'");
        }
        if (a.text.empty() || !c.next().is(Kind::close) || !c.next().is(Kind::equals)) {
            error("initial-value", c.span(begin), "initial values are written V(node)=value");
            return;
        }
        const SourceSpan place = c.span(begin);
        const auto v = value(c, top, "an initial value");
        if (!v) return;
        if (current) {
            const int at = existing_element(a.text, {});
            if (at < 0 || netlist.elements[static_cast<std::size_t>(at)].kind != ElementKind::inductor || node_set)
                warning("ignored", place, "there is no inductor '" + printable(a.text) + "': this is ignored");
            else
                netlist.elements[static_cast<std::size_t>(at)].values["ic"] = *v;
            continue;
        }
        NodeValue n;
        n.node = existing_node(a.text, top);
        n.reference = b.text.empty() ? 0 : existing_node(b.text, top);
        n.value = *v;
        if (n.node < 0 || n.reference < 0) {
            const std::string_view missing = n.node < 0 ? a.text : b.text;
            warning("ignored", place, "there is no node '" + printable(missing) + "': this is ignored",
                    like_node(missing));
            continue;
        }
        (node_set ? netlist.node_set : netlist.initial).push_back(n);
    }
}

} // namespace daedalus::spice
