#include "output/html_page.hpp"

#include "output/markup.hpp"

namespace daedalus::output::html {

std::string head(std::string_view title) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
           "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
           "style-src 'unsafe-inline'; img-src data:\">\n<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<meta name=\"generator\" content=\"Daedalus\">\n<meta name=\"color-scheme\" "
           "content=\"light dark\">\n<title>" +
           escape_markup(title) + "</title>\n";
}

} // namespace daedalus::output::html
