#include "base/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace daedalus {

namespace {

constexpr int count = History::degree + 1;

/// All histories that exist, by number; numbers are never given twice.
struct Register {
    std::shared_mutex mutex;
    std::unordered_map<long, const History*> all;
    long last = 0;
};
Register& histories() {
    static Register list;
    return list;
}

double chebyshev(int k) { return -std::cos(3.14159265358979323846 * k / History::degree); }

/// Coefficients of the Lagrange polynomials of the Chebyshev points: row k belongs to point k.
const std::array<std::array<double, count>, count>& lagrange() {
    static const auto table = [] {
        std::array<std::array<double, count>, count> rows{};
        for (int k = 0; k < count; ++k) {
            auto& c = rows[static_cast<std::size_t>(k)];
            c[0] = 1.0;
            int n = 0;
            for (int j = 0; j < count; ++j) {
                if (j == k) continue;
                const double root = chebyshev(j), scale = 1.0 / (chebyshev(k) - root);
                ++n;
                for (int i = n; i >= 0; --i) {
                    const auto at = static_cast<std::size_t>(i);
                    c[at] = scale * ((i > 0 ? c[at - 1] : 0.0) - root * (i < n ? c[at] : 0.0));
                }
            }
        }
        return rows;
    }();
    return table;
}

} // namespace

double History::Piece::node(double begin, double end, int k) {
    if (k == 0) return begin;
    if (k == degree) return end;
    return begin + 0.5 * (1.0 + chebyshev(k)) * (end - begin);
}

History::Piece History::Piece::through(double begin, double end, const std::array<double, degree + 1>& values) {
    Piece piece{begin, end, {}};
    // From one of the values on: what does not vary is kept to the last bit, since integer parts may be taken of it.
    for (std::size_t k = 1; k < values.size(); ++k)
        for (std::size_t i = 0; i < values.size(); ++i) piece.c[i] += (values[k] - values[0]) * lagrange()[k][i];
    piece.c[0] += values[0];
    return piece;
}

double History::Piece::at(double t, int order) const {
    const double half = 0.5 * (end - begin);
    if (!(half > 0.0)) return order == 0 ? c[0] : 0.0;
    const double s = (t - 0.5 * (begin + end)) / half;
    double sum = 0.0;
    for (int k = degree; k >= order; --k) {
        double factor = 1.0;
        for (int i = 0; i < order; ++i) factor *= k - i;
        sum = sum * s + factor * c[static_cast<std::size_t>(k)];
    }
    return sum / std::pow(half, order);
}

History::History(std::size_t quantities) : tracks_(quantities) {
    Register& list = histories();
    const std::unique_lock lock(list.mutex);
    number_ = ++list.last;
    list.all.emplace(number_, this);
}

History::~History() {
    Register& list = histories();
    const std::unique_lock lock(list.mutex);
    list.all.erase(number_);
}

const History* History::find(double number) {
    if (!(number >= 0.5 && number < 1e15)) return nullptr;
    Register& list = histories();
    const std::shared_lock lock(list.mutex);
    const auto found = list.all.find(std::lround(number));
    return found == list.all.end() ? nullptr : found->second;
}

void History::add_break(std::size_t quantity, double t, int level, double value) {
    Track& track = tracks_[quantity];
    track.value = value;
    if (!track.breaks.empty() && track.breaks.back().t >= t) { // several events at one time
        track.breaks.back().level = std::min(track.breaks.back().level, level);
        return;
    }
    track.breaks.push_back({t, level, track.pieces.size()});
}

void History::lower_level(std::size_t quantity, int level) {
    Break& last = tracks_[quantity].breaks.back();
    last.level = std::min(last.level, level);
}

int History::next_stretch(std::size_t quantity, int now) const {
    const std::vector<Break>& breaks = tracks_[quantity].breaks;
    for (auto k = static_cast<std::size_t>(now); k < breaks.size(); ++k)
        if (breaks[k].level <= highest_level) return static_cast<int>(k) + 1;
    return -1;
}

int History::stretch_before(std::size_t quantity, int now) const {
    const std::vector<Break>& breaks = tracks_[quantity].breaks;
    for (int k = now - 1; k > 0; --k)
        if (breaks[static_cast<std::size_t>(k) - 1].level <= highest_level) return k;
    return 0;
}

double History::value(std::size_t quantity, int stretch, double t, int order) const {
    const Track& track = tracks_[quantity];
    if (stretch < 1 || static_cast<std::size_t>(stretch) > track.breaks.size() || std::isnan(t))
        return std::numeric_limits<double>::quiet_NaN();
    const int next = next_stretch(quantity, stretch);
    const std::size_t first = track.breaks[static_cast<std::size_t>(stretch) - 1].first_piece;
    const std::size_t last =
        next < 0 ? track.pieces.size() : track.breaks[static_cast<std::size_t>(next) - 1].first_piece;
    if (first == last) return order == 0 ? track.value : 0.0; // nothing is known but the point behind the break
    const auto begin = track.pieces.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = track.pieces.begin() + static_cast<std::ptrdiff_t>(last);
    auto piece = std::upper_bound(begin, end, t, [](double at, const Piece& p) { return at < p.begin; });
    if (piece != begin) --piece;
    // Ahead of all that is known, by a rounding or by what a delay shrinks within a step: along the tangent.
    if (t > piece->end && piece + 1 == track.pieces.end())
        return order == 0   ? piece->at(piece->end) + (t - piece->end) * piece->at(piece->end, 1)
               : order == 1 ? piece->at(piece->end, 1)
                            : 0.0;
    return piece->at(t, order);
}

std::vector<double> History::save(const std::vector<double>& from) const {
    std::vector<double> numbers{static_cast<double>(tracks_.size())};
    for (std::size_t q = 0; q < tracks_.size(); ++q) {
        const Track& track = tracks_[q];
        const auto kept =
            std::find_if(track.pieces.begin(), track.pieces.end(), [&](const Piece& p) { return p.end >= from[q]; });
        const auto gone = static_cast<std::size_t>(kept - track.pieces.begin());
        numbers.insert(numbers.end(), {track.value, static_cast<double>(track.breaks.size()),
                                       static_cast<double>(track.pieces.size() - gone)});
        for (const Break& b : track.breaks)
            numbers.insert(numbers.end(), {b.t, static_cast<double>(b.level),
                                           static_cast<double>(b.first_piece - std::min(gone, b.first_piece))});
        for (auto p = kept; p != track.pieces.end(); ++p) {
            numbers.insert(numbers.end(), {p->begin, p->end});
            numbers.insert(numbers.end(), p->c.begin(), p->c.end());
        }
    }
    return numbers;
}

bool History::load(const std::vector<double>& numbers) {
    std::size_t at = 0;
    bool sound = true;
    const auto take = [&] {
        if (at >= numbers.size() || !std::isfinite(numbers[at])) sound = false;
        return sound ? numbers[at++] : 0.0;
    };
    const auto whole = [&](std::size_t most) {
        const double n = take();
        sound = sound && n >= 0.0 && n <= static_cast<double>(most) && n == std::floor(n);
        return sound ? static_cast<std::size_t>(n) : 0;
    };
    std::vector<Track> tracks(tracks_.size());
    sound = whole(tracks.size()) == tracks.size();
    for (Track& track : tracks) {
        track.value = take();
        const std::size_t breaks = whole(numbers.size()), pieces = whole(numbers.size());
        for (std::size_t k = 0; k < breaks && sound; ++k) {
            Break b;
            b.t = take();
            b.level = static_cast<int>(whole(1000));
            b.first_piece = whole(pieces);
            sound = sound && (track.breaks.empty() ||
                              (b.t > track.breaks.back().t && b.first_piece >= track.breaks.back().first_piece));
            track.breaks.push_back(b);
        }
        for (std::size_t k = 0; k < pieces && sound; ++k) {
            Piece p;
            p.begin = take();
            p.end = take();
            for (double& c : p.c) c = take();
            sound = sound && p.end >= p.begin && (track.pieces.empty() || p.begin >= track.pieces.back().begin);
            track.pieces.push_back(p);
        }
    }
    if (!sound || at != numbers.size()) return false;
    tracks_ = std::move(tracks);
    return true;
}

} // namespace daedalus
