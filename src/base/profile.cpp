#include "base/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus {

namespace {

PolynomialPiece line(double from, double to) { return {0.0, 1.0, {0.5 * (from + to), 0.5 * (to - from)}}; }

double first(const PolynomialPiece& p) { return p.at(p.begin); }
double last(const PolynomialPiece& p) { return p.at(p.end); }

/// When the place was m: between begin and end, as place is monotone there.
double time_of(const PolynomialPiece& place, double m) {
    double low = place.begin, high = place.end;
    const bool rising = last(place) > first(place);
    double t = 0.5 * (low + high);
    constexpr int most = 100; // halvings: more than a double has bits
    for (int k = 0; k < most && high > low; ++k) {
        const double off = place.at(t) - m;
        if (off == 0.0) break;
        ((off < 0.0) == rising ? low : high) = t;
        double next = t - off / place.at(t, 1);
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (next == t) break;
        const double moved = std::abs(next - t);
        t = next;
        if (moved <= 4 * std::numeric_limits<double>::epsilon() * (std::abs(t) + (place.end - place.begin))) break;
    }
    return t;
}

/// dz/dm at a time of entry.
double slope(const Profile::Piece& piece, double t) {
    const double rate = piece.place.at(t, 1);
    return rate == 0.0 ? 0.0 : piece.value.at(t, 1) / rate;
}

} // namespace

bool Profile::begin(const std::vector<double>& places, const std::vector<double>& values) {
    stretches_.clear();
    parts_.clear();
    if (places.size() != values.size() || places.size() < 2) return false;
    double value_before = 0.0, slope_before = 0.0;
    for (std::size_t k = 0; k + 1 < places.size(); ++k) {
        const double width = places[k + 1] - places[k];
        if (!(width >= 0.0) || !std::isfinite(values[k]) || !std::isfinite(values[k + 1])) return false;
        if (width == 0.0) continue;
        const double rises = (values[k + 1] - values[k]) / width;
        const bool jumps = parts_.empty() || values[k] != value_before;
        if (jumps || rises != slope_before) {
            stretches_.emplace_back();
            parts_.push_back({static_cast<int>(stretches_.size()), places[k], jumps ? 0 : 1});
        }
        stretches_.back().pieces.push_back({line(places[k], places[k + 1]), line(values[k], values[k + 1])});
        value_before = values[k + 1];
        slope_before = rises;
    }
    return !parts_.empty();
}

int Profile::outermost(Side side) const {
    if (parts_.empty()) return 0;
    return side == Side::left ? parts_.front().stretch : parts_.back().stretch;
}

const Profile::Piece* Profile::goes_on(Side side, double place) const {
    if (parts_.empty()) return nullptr;
    const Stretch& s = stretches_[static_cast<std::size_t>(outermost(side)) - 1];
    if (s.pieces.empty() || s.downward != (side == Side::left)) return nullptr;
    constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
    const bool beside = std::abs(last(s.pieces.back().place) - place) <= roundings * std::max(1.0, std::abs(place));
    return beside ? &s.pieces.back() : nullptr;
}

void Profile::lay(Side side, const Piece& piece, std::optional<int> level) {
    if (level) {
        stretches_.push_back({{}, side == Side::left});
        const auto number = static_cast<int>(stretches_.size());
        const double place = first(piece.place);
        if (side == Side::right) {
            parts_.push_back({number, place, *level});
        } else {
            if (!parts_.empty()) {
                parts_.front().begin = place;
                parts_.front().level = *level;
            }
            parts_.insert(parts_.begin(), {number, -never, 0});
        }
    }
    stretches_[static_cast<std::size_t>(outermost(side)) - 1].pieces.push_back(piece);
}

void Profile::leave(int left, int right) {
    if (const std::size_t last = position(right); last < parts_.size()) parts_.resize(last + 1);
    if (const std::size_t first = position(left); first < parts_.size())
        parts_.erase(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(first));
}

std::size_t Profile::position(int stretch) const {
    const auto at = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) { return p.stretch == stretch; });
    return static_cast<std::size_t>(at - parts_.begin());
}

int Profile::next_stretch(int now) const {
    const std::size_t at = position(now);
    return at + 1 < parts_.size() ? parts_[at + 1].stretch : -1;
}

int Profile::stretch_before(int now) const {
    const std::size_t at = position(now);
    return at > 0 && at < parts_.size() ? parts_[at - 1].stretch : now;
}

double Profile::beginning(int stretch) const {
    const std::size_t at = position(stretch);
    return at > 0 && at < parts_.size() ? parts_[at].begin : -never;
}

int Profile::level_between(int a, int b) const {
    const std::size_t right = std::max(position(a), position(b));
    return right < parts_.size() ? parts_[right].level : 0;
}

double Profile::value(int stretch, double place, int order) const {
    if (stretch < 1 || static_cast<std::size_t>(stretch) > stretches_.size() || std::isnan(place))
        return std::numeric_limits<double>::quiet_NaN();
    const Stretch& s = stretches_[static_cast<std::size_t>(stretch) - 1];
    if (s.pieces.empty()) return std::numeric_limits<double>::quiet_NaN();
    // The last piece that was begun before the flow had come so far.
    auto piece = std::upper_bound(s.pieces.begin(), s.pieces.end(), place, [&](double at, const Piece& p) {
        return s.downward ? at > first(p.place) : at < first(p.place);
    });
    if (piece != s.pieces.begin()) --piece;
    const double a = first(piece->place), b = last(piece->place);
    const double inside = std::clamp(place, std::min(a, b), std::max(a, b));
    const double t = inside == a ? piece->place.begin : inside == b ? piece->place.end : time_of(piece->place, inside);
    // Beyond what lies there, by a rounding or by what a trial step goes too far: along the tangent.
    if (order == 0) return piece->value.at(t) + (place == inside ? 0.0 : (place - inside) * slope(*piece, t));
    return order == 1 ? slope(*piece, t) : 0.0;
}

void Profile::save(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {static_cast<double>(stretches_.size()), static_cast<double>(parts_.size())});
    for (const Part& part : parts_) {
        const Stretch& s = stretches_[static_cast<std::size_t>(part.stretch) - 1];
        numbers.insert(numbers.end(), {static_cast<double>(part.stretch), part.begin, static_cast<double>(part.level),
                                       s.downward ? 1.0 : 0.0, static_cast<double>(s.pieces.size())});
        for (const Piece& piece : s.pieces) {
            numbers.insert(numbers.end(), {piece.place.begin, piece.place.end});
            numbers.insert(numbers.end(), piece.place.c.begin(), piece.place.c.end());
            numbers.insert(numbers.end(), piece.value.c.begin(), piece.value.c.end());
        }
    }
}

bool Profile::load(const std::vector<double>& numbers, std::size_t& at) {
    bool sound = true;
    const auto take = [&] {
        if (at >= numbers.size() || !std::isfinite(numbers[at])) sound = false;
        return sound ? numbers[at++] : 0.0;
    };
    const auto whole = [&](double most) {
        const double n = take();
        sound = sound && n >= 0.0 && n <= most && n == std::floor(n);
        return sound ? static_cast<std::size_t>(n) : 0;
    };
    constexpr double most_stretches = 1e7; // as many empty ones may a mutated file ask for
    const std::size_t stretches = whole(most_stretches), parts = whole(static_cast<double>(numbers.size()));
    stretches_.assign(sound ? stretches : 0, {});
    parts_.clear();
    for (std::size_t k = 0; k < parts && sound; ++k) {
        Part part;
        part.stretch = static_cast<int>(whole(static_cast<double>(stretches)));
        part.begin = take();
        part.level = static_cast<int>(whole(1000.0));
        if (!sound || part.stretch < 1) return false;
        Stretch& s = stretches_[static_cast<std::size_t>(part.stretch) - 1];
        s.downward = whole(1.0) == 1;
        const std::size_t pieces = whole(static_cast<double>(numbers.size()));
        for (std::size_t p = 0; p < pieces && sound; ++p) {
            Piece piece;
            piece.place.begin = piece.value.begin = take();
            piece.place.end = piece.value.end = take();
            for (double& c : piece.place.c) c = take();
            for (double& c : piece.value.c) c = take();
            sound = sound && piece.place.end >= piece.place.begin;
            s.pieces.push_back(piece);
        }
        sound = sound && !s.pieces.empty();
        parts_.push_back(part);
    }
    return sound && !parts_.empty();
}

} // namespace daedalus
