// What an MJCF file states, before it is a mechanism: attributes with the defaults of their classes, numbers, poses,
// masses of geoms. Everything that is not understood is named here.
#pragma once

#include "base/problems.hpp"
#include "mechanics/poses.hpp"
#include "mechanics/xml.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus::mechanics {

class MjcfFile {
public:
    MjcfFile(const SourceFile& file, Problems& problems);

    [[nodiscard]] const std::vector<XmlElement>& elements() const { return elements_; }
    [[nodiscard]] const XmlElement& operator[](int k) const { return elements_[static_cast<std::size_t>(k)]; }
    /// Elements in this one, in their order.
    [[nodiscard]] std::vector<int> children(int parent) const;
    /// The first top-level section of this name, or -1.
    [[nodiscard]] std::vector<int> sections(std::string_view name) const;

    /// Of the element or else of its class; null: nobody says.
    [[nodiscard]] const XmlAttribute* find(int k, std::string_view attribute) const;
    [[nodiscard]] std::string text(int k, std::string_view attribute, std::string_view otherwise = {}) const;
    [[nodiscard]] double number(int k, std::string_view attribute, double otherwise) const;
    /// Between `least` and `most` numbers; empty: not given.
    [[nodiscard]] std::vector<double> numbers(int k, std::string_view attribute, std::size_t least,
                                              std::size_t most) const;
    [[nodiscard]] std::optional<Triple> triple(int k, std::string_view attribute) const;
    /// In radians, whatever the file's unit is.
    [[nodiscard]] double angle(double value) const { return degrees_ ? value * radians_per_degree : value; }
    [[nodiscard]] Pose pose(int k) const;

    /// Of an <inertial>, in the frame of its body.
    [[nodiscard]] MassPoint inertial(int k) const;
    /// Of a geom, in the frame of its body; nothing is known of meshes.
    [[nodiscard]] MassPoint geom(int k) const;
    [[nodiscard]] bool always_from_geoms() const { return from_geoms_ == "true"; }
    [[nodiscard]] bool never_from_geoms() const { return from_geoms_ == "false"; }

    /// "armature" in <joint> and the like: an error where it is given and not zero.
    void refuse_unless_zero(int k, std::string_view attribute) const;
    void refuse(int k, const std::string& why) const;

private:
    static constexpr double radians_per_degree = 0.017453292519943295;
    struct DefaultClass {
        std::string name;
        int element = -1, parent = -1; ///< of elements_; of classes_
    };
    void read_classes(int element, int parent);
    void read_compiler(int k);
    [[nodiscard]] int class_of(int k) const;
    [[nodiscard]] int class_named(const XmlAttribute& name) const;
    [[nodiscard]] double mass_of_shape(int k, double volume) const;

    Problems& problems_;
    std::vector<XmlElement> elements_;
    std::vector<DefaultClass> classes_;
    bool degrees_ = true;
    std::string euler_ = "xyz", from_geoms_ = "auto";
};

} // namespace daedalus::mechanics
