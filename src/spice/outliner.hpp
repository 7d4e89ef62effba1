// The work of `read_outline`: which subcircuit is open, which condition, which file.
#pragma once

#include "spice/cards.hpp"
#include "spice/deck_files.hpp"
#include "spice/outline.hpp"

namespace daedalus::spice {

class Outliner {
public:
    Outliner(const std::shared_ptr<const SourceFile>& file, const ReadOptions& options, Problems& problems,
             Outline& outline);

    void read(const SourceFile& file);

private:
    struct Opened {
        const SourceFile* file;
        std::string section;
    };

    /// The first line, whatever it says. Behind it the deck begins.
    std::uint32_t title(const SourceFile& file);

    static bool reads_like_an_element(const Line& line);

    Definition& here() { return *open_.back(); }
    int branch() { return branch_.back().empty() ? -1 : branch_.back().back(); }

    void take(const SourceFile& file, const std::vector<Line>& lines, std::size_t first);
    void control(const Line& line);
    /// False: .end.
    bool command(const std::vector<Line>& lines, std::size_t& k);
    bool refuse_condition(const Token& word);
    void subcircuit(Cursor& c, const Token& word);
    void ports(Cursor& c, Definition& d);
    void ends(Cursor& c, const Token& word);
    void close_branches();
    void close_all();
    void model(Cursor& c, const Token& word);
    void parameters(Cursor& c);
    void function(Cursor& c, const Token& word);
    /// The name of a file, with or without quotes. Not lexed: names may have anything in them.
    static Token path(Cursor& c);
    void include(Cursor& c, const Token& word);
    /// .lib FILE SECTION; .lib NAME … .endl; .lib FILE, which some programs take for .include.
    void library(Cursor& c, const Token& word, const std::vector<Line>& lines, std::size_t& k);
    /// Whether the .lib of this line begins a section.
    static bool sections_end(const std::vector<Line>& lines, std::size_t k);
    void follow(std::string_view path, const std::string& section, const SourceSpan& from);
    void take_section(const SourceFile& file, const std::vector<Line>& lines, const std::string& section,
                      const SourceSpan& from);
    void globals(Cursor& c, const Token& word);
    void condition(Cursor& c, const Token& word, const std::string& name);

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

} // namespace daedalus::spice
