#include "facade/checkpoint_file.hpp"

#include "base/diagnostic.hpp"
#include "daedalus/version.hpp"
#include "output/atomic_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace daedalus::facade {

namespace {

constexpr char magic[8] = {'D', 'A', 'E', 'C', 'H', 'K', '0', '6'};

/// FNV-1a.
std::uint64_t fingerprint(std::string_view bytes) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

template <class Archive, class Statistics>
void statistics_fields(Archive& archive, Statistics& s) {
    archive(s.counters, s.smallest_step, s.largest_step, s.highest_order, s.noise, s.doubtful_conditions,
            s.singular_points);
    archive.list(s.state_switches, [](auto& a, auto& change) { a(change.t, change.left, change.entered); });
}

template <class Archive, class Checkpoint>
void checkpoint_fields(Archive& archive, Checkpoint& c) {
    archive(c.t, c.h, c.x, c.dx, c.t_start, c.x_start, c.dx_start, c.method, c.method_since, c.memory.order,
            c.memory.times, c.memory.values, c.links, c.sides, c.roots, c.watch, c.environment, c.integrals);
    statistics_fields(archive, c.statistics);
}

Diagnostic refused(const std::string& file, const std::string& why, std::string hint = {}) {
    return make_error("bad-checkpoint", fmt::format("cannot resume from '{}': {}", file, why), std::move(hint));
}

} // namespace

CheckpointIdentity checkpoint_identity(const Job& job, const SolveOptions& options, const std::string& method,
                                       const output::ReportData& report) {
    ByteWriter model, settings;
    model.put(report.model.name);
    for (const auto& equation : report.model.equations) model.put(equation.text);
    for (const auto& parameter : report.model.parameters) {
        model.put(parameter.name);
        model.put(parameter.value);
    }
    model.put(job.t0);
    model.put(job.x0);
    model.put(job.dx0);
    settings.put(method);
    for (const double v :
         {job.t1, job.rtol, job.atol, options.first_step, options.max_step, options.baumgarte_alpha.value_or(0.0)})
        settings.put(v);
    for (const auto* each : {&options.atol_each, &options.rtol_each})
        for (const auto& [name, value] : *each) {
            settings.put(name);
            settings.put(value);
        }
    settings.put(options.points);
    settings.put(options.max_order);
    settings.put(options.reduction);
    settings.put(options.machine_code);
    settings.put(options.keep_bounds);
    settings.put(options.stop_times);
    return {fingerprint(model.bytes()), fingerprint(settings.bytes())};
}

std::optional<Diagnostic> CheckpointFile::open(const Job& job, Recorder& recorder,
                                               integrate::IntegrationOptions& settings) {
    if (!options_.resume.empty()) {
        if (auto trouble = read(job, recorder)) return trouble;
        settings.checkpoint.resume = &resume_;
    }
    if (!options_.checkpoint.empty())
        settings.checkpoint.save = [this, &recorder](const integrate::Checkpoint& c) { keep(c, recorder); };
    written_ = std::chrono::steady_clock::now();
    return std::nullopt;
}

void CheckpointFile::keep(const integrate::Checkpoint& c, const Recorder& recorder) {
    ByteWriter out;
    out.put(magic);
    out.put(std::string(version));
    out.put(identity_);
    checkpoint_fields(out, c);
    recorder.save(out);
    pending_ = out.take();
    constexpr std::chrono::seconds pause(1); // a file holds all output so far: not after every few milliseconds
    if (std::chrono::steady_clock::now() - written_ >= pause) write();
}

void CheckpointFile::write() {
    written_ = std::chrono::steady_clock::now();
    failed_ = !output::write_atomically(options_.checkpoint, pending_);
    pending_.clear();
}

std::optional<Diagnostic> CheckpointFile::close() {
    if (!pending_.empty()) write();
    if (!failed_) return std::nullopt;
    Diagnostic d = make_error("checkpoint-not-written",
                              fmt::format("the checkpoint '{}' could not be written", options_.checkpoint));
    d.severity = Severity::warning;
    return d;
}

std::optional<Diagnostic> CheckpointFile::read(const Job& job, Recorder& recorder) {
    const std::string& name = options_.resume;
    std::ifstream file(name, std::ios::binary);
    if (!file) return refused(name, "there is no such file, or it cannot be read");
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    ByteReader in(bytes);
    char mark[sizeof magic];
    in.get(mark);
    if (!in.ok() || std::memcmp(mark, magic, sizeof magic) != 0) return refused(name, "it is not a checkpoint");
    std::string writer;
    in.get(writer);
    if (writer != version)
        return refused(name, fmt::format("it was written by version {}, this is {}", writer, version));
    CheckpointIdentity identity;
    in.get(identity);
    if (identity.model != identity_.model)
        return refused(name, "it belongs to another model, or to other parameters or initial values");
    if (identity.options != identity_.options)
        return refused(name, "it was made with other options",
                       "give the same interval, method, tolerances and output points as in the interrupted run");
    checkpoint_fields(in, resume_);
    const auto n = static_cast<std::size_t>(job.problem->size());
    if (!recorder.load(in) || !in.at_end() || resume_.x.size() != n || resume_.dx.size() != n ||
        resume_.links.size() != job.problem->links().size() ||
        resume_.sides.size() != static_cast<std::size_t>(job.problem->hybrid().modes.size) ||
        resume_.environment.size() != job.problem->environment().values().size())
        return refused(name, "it is damaged");
    return std::nullopt;
}

} // namespace daedalus::facade
