#include "mechanics/xml.hpp"

#include "base/printable.hpp"

#include <charconv>

namespace daedalus::mechanics {

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
    for (const XmlAttribute& a : attributes)
        if (a.name == attribute) return &a;
    return nullptr;
}

namespace {

constexpr std::size_t most_elements = 1'000'000; // of a robot; a larger file is a mistake or malice

class Reader {
public:
    Reader(const SourceFile& file, Problems& problems) : file_(file), text_(file.text()), problems_(problems) {}

    std::vector<XmlElement> run() {
        while (good_) {
            const auto open = text_.find('<', at_);
            if (open == std::string_view::npos) break;
            at_ = open;
            markup();
        }
        if (good_ && !open_.empty()) {
            const XmlElement& e = elements_[static_cast<std::size_t>(open_.back())];
            problems_.error("xml", e.span, "<" + e.name + "> is not closed");
        } else if (good_ && elements_.empty()) {
            problems_.error("xml", {&file_, 0, 0}, "the file has no XML element");
        }
        return std::move(elements_);
    }

private:
    [[nodiscard]] SourceSpan span(std::size_t begin, std::size_t end) const {
        return {&file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }
    void fail(std::size_t begin, const std::string& message) {
        if (good_) problems_.error("xml", span(begin, begin + 1), message);
        good_ = false;
    }
    void skip_to(std::string_view end, const std::string& what) {
        const auto found = text_.find(end, at_);
        if (found == std::string_view::npos) return fail(at_, what + " is not closed by '" + std::string(end) + "'");
        at_ = found + end.size();
    }
    void blanks() {
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    }
    static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
    static bool ends_name(char c) { return is_blank(c) || c == '=' || c == '>' || c == '/' || c == '<' || c == '"'; }
    [[nodiscard]] std::string name() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && !ends_name(text_[at_])) ++at_;
        if (at_ == begin) fail(at_, "expected a name");
        return printable(text_.substr(begin, at_ - begin));
    }

    void markup() {
        const std::string_view rest = text_.substr(at_);
        if (rest.starts_with("<!--")) return skip_to("-->", "a comment");
        if (rest.starts_with("<![CDATA[")) return skip_to("]]>", "a section of text");
        if (rest.starts_with("<?")) return skip_to("?>", "an instruction");
        if (rest.starts_with("<!")) return document_type();
        if (rest.starts_with("</")) return closing();
        opening();
    }
    /// With what stands in its brackets.
    void document_type() {
        int depth = 0;
        for (const std::size_t begin = at_; at_ < text_.size(); ++at_) {
            if (text_[at_] == '<') ++depth;
            if (text_[at_] == '>' && --depth == 0) {
                ++at_;
                return;
            }
            if (at_ + 1 == text_.size()) return fail(begin, "a declaration is not closed");
        }
    }
    void closing() {
        const std::size_t begin = at_;
        at_ += 2;
        const std::string closed = name();
        blanks();
        if (!good_ || at_ >= text_.size() || text_[at_] != '>') return fail(begin, "a closing tag ends with '>'");
        ++at_;
        if (open_.empty()) return fail(begin, "</" + closed + "> closes nothing");
        const std::string& last = elements_[static_cast<std::size_t>(open_.back())].name;
        if (last != closed) return fail(begin, "</" + closed + "> closes <" + last + ">");
        open_.pop_back();
    }
    void opening() {
        const std::size_t begin = at_++;
        XmlElement e;
        e.name = name();
        e.span = span(begin + 1, at_);
        e.parent = open_.empty() ? -1 : open_.back();
        if (elements_.size() >= most_elements) return fail(begin, "the file has too many elements");
        while (good_) {
            blanks();
            if (at_ >= text_.size()) return fail(begin, "<" + e.name + "> is not closed by '>'");
            if (text_[at_] == '>' || text_.substr(at_).starts_with("/>")) break;
            attribute(e);
        }
        if (!good_) return;
        const bool empty = text_[at_] == '/';
        at_ += empty ? 2 : 1;
        elements_.push_back(std::move(e));
        if (!empty) open_.push_back(static_cast<int>(elements_.size()) - 1);
    }
    void attribute(XmlElement& e) {
        XmlAttribute a;
        const std::size_t begin = at_;
        a.name = name();
        blanks();
        if (!good_ || at_ >= text_.size() || text_[at_] != '=')
            return fail(begin, "the attribute '" + a.name + "' of <" + e.name + "> needs '=' and a value in quotes");
        ++at_;
        blanks();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '"' && quote != '\'') return fail(at_, "a value stands in quotes");
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) return fail(at_, "the quotes are not closed");
        a.span = span(at_ + 1, end);
        a.value = decoded(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        if (e.find(a.name) != nullptr) return fail(begin, "'" + a.name + "' is given twice");
        e.attributes.push_back(std::move(a));
    }
    [[nodiscard]] std::string decoded(std::string_view raw) {
        constexpr std::pair<std::string_view, char> entities[] = {
            {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
        std::string value;
        for (std::size_t i = 0; i < raw.size(); ++i) {
            bool found = false;
            for (const auto& [entity, c] : entities)
                if (raw[i] == '&' && raw.substr(i).starts_with(entity)) {
                    value += c;
                    i += entity.size() - 1;
                    found = true;
                    break;
                }
            if (!found) value += raw[i]; // other references stay as they are: no name or number has them
        }
        return value;
    }

    const SourceFile& file_;
    std::string_view text_;
    Problems& problems_;
    std::size_t at_ = 0;
    bool good_ = true;
    std::vector<XmlElement> elements_;
    std::vector<int> open_;
};

} // namespace

std::vector<XmlElement> read_xml(const SourceFile& file, Problems& problems) { return Reader(file, problems).run(); }

} // namespace daedalus::mechanics
