// As much of XML 1.0 as robot files need: elements with attributes. Text between elements, comments, processing
// instructions and CDATA are skipped; a document type is skipped too, so that no entity but the five of the
// specification and character references exists, and nothing outside the file is ever looked at.
#pragma once

#include "base/problems.hpp"

#include <string>
#include <vector>

namespace daedalus::mechanics {

struct XmlAttribute {
    std::string name, value;
    SourceSpan span; ///< of the value
};
struct XmlElement {
    std::string name;
    std::vector<XmlAttribute> attributes;
    int parent = -1;
    SourceSpan span; ///< of its name

    [[nodiscard]] const XmlAttribute* find(std::string_view attribute) const;
};

/// In the order of their opening tags. What is not well-formed is reported, and ends the reading.
[[nodiscard]] std::vector<XmlElement> read_xml(const SourceFile& file, Problems& problems);

} // namespace daedalus::mechanics
