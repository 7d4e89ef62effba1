// The line of an element while it is read: its nodes, numbers and parameters, from left to right.
#pragma once

#include "spice/reader.hpp"

namespace daedalus::spice {

/// Words separated by blanks.
struct ParameterNames {
    std::string_view numbers; ///< name=number
    std::string_view flags;   ///< a word alone, or name=number
    std::string_view ignored; ///< name=number or a word that changes nothing here; a warning says so
};

class ElementCard {
public:
    ElementCard(Reader& reader, Frame& frame, const Line& line);

    [[nodiscard]] std::string shown() const { return "'" + printable_name_ + "'"; }
    /// So many nodes; `terminals` is what they are called, for messages.
    bool nodes(int count, const char* terminals);
    /// Two nodes more, as controlling ones.
    bool node_pair();
    /// Whether a word, an expression or anything but the end is next.
    [[nodiscard]] Token peek() const { return cursor.peek(); }
    [[nodiscard]] bool next_is(std::string_view word) const { return peek().is_word(word); }
    [[nodiscard]] bool at_end() const { return peek().is(Token::Kind::end); }
    /// name= is next.
    [[nodiscard]] bool at_parameter() const;
    [[nodiscard]] bool at_number() const; ///< digits, a sign with them, or braces
    bool accept(Token::Kind kind);
    bool accept(std::string_view word);

    /// A value without blanks: a number, an expression in braces, the name of a parameter, 2*w.
    [[nodiscard]] std::optional<Value> number(const std::string& what);
    /// The same, kept under this name.
    bool number_as(const std::string& key, const std::string& what);
    /// A number as values[key], or the formula of the element. `whole`: blanks may be in it.
    bool value_or_formula(const std::string& key, bool whole);
    bool formula_only(bool whole);
    [[nodiscard]] bool known_parameter(std::string_view word) const; ///< of the deck
    /// One name=value or flag, or what is left of the line.
    bool parameter(const ParameterNames& names);
    bool parameters(const ParameterNames& names);
    /// name=a,b,c as name, name2, name3.
    bool list(const std::string& first, const std::vector<std::string>& keys);
    /// An element that controls this one, in `others`; resolved later.
    bool other(const Token& name);
    bool fail(const char* code, const SourceSpan& span, std::string message, std::string hint = {});
    /// Puts it into the netlist.
    void finish();

    Reader& r;
    Frame& frame;
    Cursor cursor;
    Token name;
    Element e;
    std::vector<Reader::Reference> references; ///< to other elements, without this one's place

private:
    void multiply();

    std::string printable_name_;
};

} // namespace daedalus::spice
