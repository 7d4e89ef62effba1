#include "mechanics/mjcf_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

namespace daedalus::mechanics {

namespace {
constexpr double density_of_water = 1000.0; // the default of geoms
constexpr double pi = std::numbers::pi;

Tensor diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

/// Moments of shapes of mass m about their centres (any table of mechanics); axes of cylinders and capsules are z.
Tensor of_ellipsoid(double m, double a, double b, double c) {
    return diagonal(m * (b * b + c * c) / 5, m * (a * a + c * c) / 5, m * (a * a + b * b) / 5);
}
Tensor of_box(double m, double a, double b, double c) { // half lengths
    return diagonal(m * (b * b + c * c) / 3, m * (a * a + c * c) / 3, m * (a * a + b * b) / 3);
}
Tensor of_cylinder(double m, double r, double half) {
    const double across = m * (r * r / 4 + half * half / 3);
    return diagonal(across, across, m * r * r / 2);
}
/// A cylinder and two half balls, whose centres of mass lie 3r/8 beyond its ends.
Tensor of_capsule(double m, double r, double half) {
    const double cylinder = 2 * half, balls = 4 * r / 3; // volumes over π r²
    const double mc = m * cylinder / (cylinder + balls), mb = m - mc;
    const double across = mc * (r * r / 4 + half * half / 3) + mb * (0.4 * r * r + half * half + 0.75 * half * r);
    return diagonal(across, across, mc * r * r / 2 + mb * 0.4 * r * r);
}
} // namespace

MjcfFile::MjcfFile(const SourceFile& file, Problems& problems)
    : problems_(problems), elements_(read_xml(file, problems)) {
    if (problems.any()) return;
    if (elements_[0].name != "mujoco") {
        problems.error("mjcf", elements_[0].span,
                       "a file of MJCF begins with <mujoco>, not <" + elements_[0].name + ">");
        return;
    }
    for (std::size_t k = 1; k < elements_.size(); ++k)
        if (elements_[k].name == "include" || elements_[k].name == "frame" || elements_[k].name == "replicate" ||
            elements_[k].name == "composite" || elements_[k].name == "flexcomp" || elements_[k].name == "attach" ||
            elements_[k].name == "plugin")
            refuse(static_cast<int>(k), "is not read");
    for (const int k : sections("default")) read_classes(k, -1);
    for (const int k : sections("compiler")) read_compiler(k);
}

void MjcfFile::refuse(int k, const std::string& why) const {
    problems_.error("mjcf", (*this)[k].span, "<" + (*this)[k].name + "> " + why);
}

void MjcfFile::refuse_unless_zero(int k, std::string_view attribute) const {
    for (const double value : numbers(k, attribute, 1, 8))
        if (value != 0.0)
            return problems_.error("mjcf", find(k, attribute)->span,
                                   "'" + std::string(attribute) + "' of a <" + (*this)[k].name +
                                       "> is not read, and it changes the motion",
                                   "without it, or with 0, the file is read");
}

std::vector<int> MjcfFile::children(int parent) const {
    std::vector<int> list;
    for (std::size_t k = static_cast<std::size_t>(parent) + 1; k < elements_.size(); ++k)
        if (elements_[k].parent == parent) list.push_back(static_cast<int>(k));
    return list;
}

std::vector<int> MjcfFile::sections(std::string_view name) const {
    std::vector<int> list = children(0);
    std::erase_if(list, [&](int k) { return (*this)[k].name != name; });
    return list;
}

void MjcfFile::read_compiler(int k) {
    const std::string unit = text(k, "angle", "degree");
    degrees_ = unit != "radian";
    euler_ = text(k, "eulerseq", euler_);
    from_geoms_ = text(k, "inertiafromgeom", from_geoms_);
    if (text(k, "coordinate", "local") != "local") refuse(k, "has coordinates that are not local");
    if (euler_.size() != 3 || euler_.find_first_not_of("xyzXYZ") != std::string::npos)
        refuse(k, "has an eulerseq of other than three letters x, y, z");
    for (const char* attribute : {"boundmass", "boundinertia", "settotalmass"})
        if (number(k, attribute, 0.0) > 0.0) refuse(k, "has '" + std::string(attribute) + "', which is not read");
    if (text(k, "balanceinertia", "false") == "true") refuse(k, "has 'balanceinertia', which is not read");
}

void MjcfFile::read_classes(int element, int parent) {
    // Depth is that of the file's nesting, which XML readers bound; a list keeps it from the stack.
    std::vector<std::pair<int, int>> open{{element, parent}};
    while (!open.empty()) {
        const auto [at, above] = open.back();
        open.pop_back();
        const XmlAttribute* name = (*this)[at].find("class");
        const int own = static_cast<int>(classes_.size());
        classes_.push_back({name == nullptr ? "main" : name->value, at, above});
        for (const int k : children(at))
            if ((*this)[k].name == "default") open.emplace_back(k, own);
    }
}

int MjcfFile::class_named(const XmlAttribute& name) const {
    for (std::size_t c = 0; c < classes_.size(); ++c)
        if (classes_[c].name == name.value) return static_cast<int>(c);
    std::vector<std::string> known;
    for (const DefaultClass& c : classes_) known.push_back(c.name);
    problems_.error("mjcf", name.span, "there is no default class '" + name.value + "'", suggestion(name.value, known));
    return -1;
}

/// Its own, or the childclass of the nearest body that has one, or the outermost.
int MjcfFile::class_of(int k) const {
    if (const XmlAttribute* own = (*this)[k].find("class")) return class_named(*own);
    for (int at = (*this)[k].parent; at >= 0; at = (*this)[at].parent)
        if (const XmlAttribute* inherited = (*this)[at].find("childclass")) return class_named(*inherited);
    return classes_.empty() ? -1 : 0;
}

const XmlAttribute* MjcfFile::find(int k, std::string_view attribute) const {
    if (const XmlAttribute* own = (*this)[k].find(attribute)) return own;
    const std::string& kind = (*this)[k].name;
    if (kind != "joint" && kind != "geom" && kind != "site" && kind != "motor" && kind != "connect" && kind != "weld")
        return nullptr;
    for (int c = class_of(k); c >= 0; c = classes_[static_cast<std::size_t>(c)].parent)
        for (const int e : children(classes_[static_cast<std::size_t>(c)].element))
            if ((*this)[e].name == kind)
                if (const XmlAttribute* inherited = (*this)[e].find(attribute)) return inherited;
    return nullptr;
}

std::string MjcfFile::text(int k, std::string_view attribute, std::string_view otherwise) const {
    const XmlAttribute* a = find(k, attribute);
    return a == nullptr ? std::string(otherwise) : a->value;
}

std::vector<double> MjcfFile::numbers(int k, std::string_view attribute, std::size_t least, std::size_t most) const {
    const XmlAttribute* a = find(k, attribute);
    std::vector<double> list;
    if (a == nullptr) return list;
    const char *at = a->value.data(), *const end = at + a->value.size();
    const auto skip = [&] {
        while (at != end && std::isspace(static_cast<unsigned char>(*at)) != 0) ++at;
    };
    for (skip(); at != end; skip()) {
        if (*at == '+') ++at;
        double value = 0.0;
        const auto result = std::from_chars(at, end, value);
        if (result.ec != std::errc() || !std::isfinite(value)) {
            problems_.error("mjcf", a->span, "'" + a->name + "' needs numbers");
            return {};
        }
        list.push_back(value);
        at = result.ptr;
    }
    if (list.size() < least || list.size() > most) {
        problems_.error("mjcf", a->span,
                        "'" + a->name + "' has " + std::to_string(list.size()) + " numbers, not " +
                            std::to_string(least));
        return {};
    }
    return list;
}

double MjcfFile::number(int k, std::string_view attribute, double otherwise) const {
    const std::vector<double> list = numbers(k, attribute, 1, 1);
    return list.empty() ? otherwise : list[0];
}

std::optional<Triple> MjcfFile::triple(int k, std::string_view attribute) const {
    const std::vector<double> list = numbers(k, attribute, 3, 3);
    if (list.empty()) return std::nullopt;
    return Triple{list[0], list[1], list[2]};
}

Pose MjcfFile::pose(int k) const {
    Pose p;
    p.at = triple(k, "pos").value_or(Triple{});
    if (const auto q = numbers(k, "quat", 4, 4); !q.empty()) {
        const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (length == 0.0) refuse(k, "has a quaternion of zero");
        for (std::size_t i = 0; i < 4 && length > 0.0; ++i) p.turn[i] = q[i] / length;
    } else if (const auto a = numbers(k, "axisangle", 4, 4); !a.empty()) {
        if (std::hypot(a[0], a[1], a[2]) == 0.0)
            refuse(k, "has an axis of zero");
        else
            p.turn = turn_about({a[0], a[1], a[2]}, angle(a[3]));
    } else if (const auto e = triple(k, "euler")) {
        for (std::size_t i = 0; i < 3; ++i) { // small letters: axes that turn along; capitals: fixed ones
            Triple axis{};
            axis[static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(euler_[i])) - 'x')] = 1.0;
            const UnitQuaternion next = turn_about(axis, angle((*e)[i]));
            const bool fixed = std::isupper(static_cast<unsigned char>(euler_[i])) != 0;
            p.turn = fixed ? times(next, p.turn) : times(p.turn, next);
        }
    } else if (const auto z = triple(k, "zaxis")) {
        p.turn = turn_of_z_to(*z);
    } else if (find(k, "xyaxes") != nullptr) {
        problems_.error("mjcf", find(k, "xyaxes")->span, "'xyaxes' is not read", "quat, euler and axisangle are");
    }
    return p;
}

MassPoint MjcfFile::inertial(int k) const {
    const Pose p = pose(k);
    MassPoint m{number(k, "mass", 0.0), p.at, {}};
    if (find(k, "mass") == nullptr) refuse(k, "has no mass");
    Tensor own{};
    if (const auto full = numbers(k, "fullinertia", 6, 6); !full.empty())
        own = {{{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}}};
    else if (const auto d = triple(k, "diaginertia"))
        own = diagonal((*d)[0], (*d)[1], (*d)[2]);
    else
        refuse(k, "has no inertia: neither diaginertia nor fullinertia");
    m.inertia = turned_tensor(p.turn, own);
    return m;
}

double MjcfFile::mass_of_shape(int k, double volume) const {
    return find(k, "mass") != nullptr ? number(k, "mass", 0.0) : volume * number(k, "density", density_of_water);
}

MassPoint MjcfFile::geom(int k) const {
    const std::string type = text(k, "type", find(k, "mesh") != nullptr ? "mesh" : "sphere");
    std::vector<double> size = numbers(k, "size", 1, 3);
    Pose p = pose(k);
    if (const auto ends = numbers(k, "fromto", 6, 6); !ends.empty()) { // the axis from one point to another
        Triple d{};
        for (std::size_t i = 0; i < 3; ++i) {
            d[i] = ends[i + 3] - ends[i];
            p.at[i] = 0.5 * (ends[i] + ends[i + 3]);
        }
        p.turn = turn_of_z_to(d);
        size.resize(1);
        size.push_back(0.5 * std::hypot(d[0], d[1], d[2]));
        if (type == "box" || type == "ellipsoid") size.insert(size.begin(), size[0]);
    }
    const std::size_t needed = type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
    const bool solid =
        type == "sphere" || type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid";
    if (!solid || size.size() < needed) {
        if (find(k, "mass") != nullptr && number(k, "mass", 0.0) == 0.0) return {};
        refuse(k, !solid ? "of type '" + type + "' has no inertia that is computed: the body needs an <inertial>"
                         : "of type '" + type + "' has too few sizes");
        return {};
    }
    const double a = size[0], b = needed > 1 ? size[1] : 0.0, c = needed > 2 ? size[2] : 0.0;
    const double volume = type == "sphere"      ? 4.0 / 3.0 * pi * a * a * a
                          : type == "capsule"   ? pi * a * a * (2 * b + 4.0 / 3.0 * a)
                          : type == "cylinder"  ? 2 * pi * a * a * b
                          : type == "ellipsoid" ? 4.0 / 3.0 * pi * a * b * c
                                                : 8 * a * b * c;
    const double m = mass_of_shape(k, volume);
    const Tensor own = type == "sphere"      ? of_ellipsoid(m, a, a, a)
                       : type == "capsule"   ? of_capsule(m, a, b)
                       : type == "cylinder"  ? of_cylinder(m, a, b)
                       : type == "ellipsoid" ? of_ellipsoid(m, a, b, c)
                                             : of_box(m, a, b, c);
    return {m, p.at, turned_tensor(p.turn, own)};
}

} // namespace daedalus::mechanics
