#include "read_model.hpp"

#include <iostream>
#include <iterator>

namespace cli {

daedalus::Expected<daedalus::Model> read_model(const Request& request) {
    if (request.model != "-") return daedalus::Model::from_file(request.model, request.model_class);
    const std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return daedalus::Model::from_string(text, "standard input", request.model_class);
}

} // namespace cli
