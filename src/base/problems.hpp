// What is wrong with a text, collected while it is read: several mistakes per run, in the order of the file.
#pragma once

#include "base/diagnostic.hpp"

#include <cstdint>
#include <string>
#include <unordered_set>

namespace daedalus {

/// The same message for the same place counts once.
class Problems {
public:
    static constexpr int shown = 20; ///< further ones are counted: the first mistakes help

    void error(std::string code, const SourceSpan& span, std::string message, std::string hint = {});
    void warning(std::string code, const SourceSpan& span, std::string message, std::string hint = {});
    void add(Diagnostic error);
    void note(std::string code, std::string message, std::string hint = {});
    [[nodiscard]] bool any() const { return errors_ > 0; }
    [[nodiscard]] int count() const { return errors_; }
    /// By place; files in the order in which they were first complained about.
    [[nodiscard]] Diagnostics take();

private:
    [[nodiscard]] bool said(const std::string& code, const SourceSpan& span, const std::string& message);

    Diagnostics list_;
    std::unordered_set<std::uint64_t> said_; ///< hashes
    int errors_ = 0;
    int warnings_ = 0;
};

/// "did you mean 'x'?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view name, const std::vector<std::string>& candidates);

} // namespace daedalus
