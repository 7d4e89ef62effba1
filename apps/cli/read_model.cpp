#include "read_model.hpp"

#include <cctype>
#include <filesystem>
#include <iostream>
#include <iterator>

namespace cli {

bool is_class_name(const std::string& name) {
    std::error_code status;
    if (name.empty() || name.ends_with(".mo") || name.ends_with(".bmo") || name.ends_with(".mech") ||
        name.ends_with(".lagrange") || name.ends_with(".urdf") || name.ends_with(".mjcf") || name.ends_with(".xml") ||
        std::filesystem::exists(name, status))
        return false;
    bool begins = true, dotted = false;
    for (const char c : name) {
        const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
        if (c == '.' ? begins : !letter && (begins || std::isdigit(static_cast<unsigned char>(c)) == 0)) return false;
        begins = c == '.';
        dotted = dotted || begins;
    }
    return dotted && !begins;
}

std::string standard_input() { return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()}; }

daedalus::Expected<daedalus::Model> read_model(const Request& request) {
    if (is_class_name(request.model)) return daedalus::Model::from_library(request.model, request.libraries);
    if (request.model != "-") return daedalus::Model::from_file(request.model, request.model_class, request.libraries);
    const std::string text = standard_input();
    const std::string kind = request.derive_lagrange ? ".lagrange" : ""; // names tell kinds of models apart
    return daedalus::Model::from_string(text, "standard input" + kind, request.model_class, request.libraries);
}

} // namespace cli
