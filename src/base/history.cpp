#include "base/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace daedalus {

namespace {

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

} // namespace

History::History(std::size_t quantities, std::size_t profiles) : tracks_(quantities), profiles_(profiles) {
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

int History::next_stretch(Past past, int now) const {
    return past.kind == Past::Kind::delayed ? next_stretch(past.index, now) : profiles_[past.index].next_stretch(now);
}

int History::stretch_before(Past past, int now) const {
    return past.kind == Past::Kind::delayed ? stretch_before(past.index, now)
                                            : profiles_[past.index].stretch_before(now);
}

double History::beginning(Past past, int k) const {
    return past.kind == Past::Kind::delayed ? beginning(past.index, k) : profiles_[past.index].beginning(k);
}

double History::value(Past past, int stretch, double at, int order) const {
    const bool delayed = past.kind == Past::Kind::delayed;
    if (past.index >= (delayed ? tracks_.size() : profiles_.size())) return std::numeric_limits<double>::quiet_NaN();
    return delayed ? value(past.index, stretch, at, order) : profiles_[past.index].value(stretch, at, order);
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
    for (const Profile& profile : profiles_) profile.save(numbers);
    return numbers;
}

bool History::load_track(Track& track, const std::vector<double>& numbers, std::size_t& at) const {
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
    return sound;
}

bool History::load(const std::vector<double>& numbers) {
    std::size_t at = 1;
    if (numbers.empty() || numbers[0] != static_cast<double>(tracks_.size())) return false;
    std::vector<Track> tracks(tracks_.size());
    for (Track& track : tracks)
        if (!load_track(track, numbers, at)) return false;
    std::vector<Profile> profiles(profiles_.size());
    for (Profile& profile : profiles)
        if (!profile.load(numbers, at)) return false;
    if (at != numbers.size()) return false;
    tracks_ = std::move(tracks);
    profiles_ = std::move(profiles);
    return true;
}

} // namespace daedalus
