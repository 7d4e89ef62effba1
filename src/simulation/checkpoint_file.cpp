#include "simulation/checkpoint_file.hpp"

#include "base/diagnostic.hpp"
#include "daedalus/version.hpp"
#include "integrate/checkpoint_check.hpp"
#include "integrate/methods/registry.hpp"
#include "output/atomic_file.hpp"
#include "simulation/sealed_sections.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace daedalus::simulation {

namespace {

constexpr std::string_view magic = "DAECHK08";
constexpr std::string_view of_what = "WHAT", of_state = "STAT", of_record = "RECO";

template <class Archive, class Statistics>
void statistics_fields(Archive& archive, Statistics& s) {
    auto& c = s.counters;
    archive(c.steps, c.error_rejections, c.newton_rejections, c.domain_rejections, c.residuals, c.jacobians,
            c.factorizations, c.solves, c.complex_factorizations, c.complex_solves, c.newton_iterations, c.restarts,
            c.events);
    archive(s.smallest_step, s.largest_step, s.highest_order);
    archive.list(s.noise, [](auto& a, auto& floor) { a(floor.t, floor.unknown, floor.level); });
    archive.list(s.doubtful_conditions, [](auto& a, auto& condition) {
        a(condition.t, condition.root);
        a.choice(condition.reason, integrate::DoubtfulCondition::Reason::below_tolerance);
    });
    archive.list(s.singular_points, [](auto& a, auto& p) { a(p.t, p.unknown, p.row, p.stepped_over); });
    archive.list(s.state_switches, [](auto& a, auto& change) { a(change.t, change.left, change.entered); });
}

template <class Archive, class Checkpoint>
void checkpoint_fields(Archive& archive, Checkpoint& c) {
    archive(c.t, c.h, c.x, c.dx, c.t_start, c.x_start, c.dx_start, c.method, c.method_since, c.memory.order,
            c.memory.times, c.memory.values, c.sides, c.roots, c.watch, c.environment, c.integrals, c.history);
    archive.list(c.links, [](auto& a, auto& link) { a(link.state, link.derivative); });
    statistics_fields(archive, c.statistics);
}

template <class Archive, class Identity>
void identity_fields(Archive& archive, Identity& i) {
    archive(i.version, i.model_name, i.method, i.model, i.options);
}

Diagnostic refused(const std::string& file, const std::string& why, std::string hint = {}) {
    return make_error("bad-checkpoint", fmt::format("cannot resume from '{}': {}", file, why), std::move(hint));
}

/// The file, if it is one that can be read to its end.
std::optional<std::string> contents(const std::string& name) {
    std::error_code trouble;
    if (!std::filesystem::is_regular_file(name, trouble) || trouble) return std::nullopt;
    std::ifstream file(name, std::ios::binary);
    if (!file) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// What F and its functions are, as far as numbers tell: all that is known of a black box.
void put_problem(ByteWriter& out, const Job& job) {
    const problem::ImplicitProblem& p = *job.problem;
    out(p.size(), p.kernel_rows(), p.pattern().column_start, p.pattern().row_index,
        p.hidden_constraints().function.size, p.hybrid().roots.size, p.hybrid().modes.size, p.output_count(),
        p.quadratures().size(), p.hybrid().time_events, p.hybrid().direction);
    for (const problem::UnknownInfo& u : p.unknowns()) out(u.nominal, u.min, u.max, u.index, u.differential);
    std::vector<double> r(static_cast<std::size_t>(p.size()));
    (void)p.residual(job.t0, job.x0.data(), job.dx0.data(), r.data());
    out(r);
}

} // namespace

CheckpointIdentity checkpoint_identity(const Job& job, const SolveOptions& options, const std::string& method,
                                       const std::string& model_name) {
    ByteWriter model, settings;
    model(model_name, job.model_digest, job.t0, job.x0, job.dx0);
    put_problem(model, job);
    settings(method, job.t1, job.rtol, job.atol, options.first_step, options.max_step,
             options.baumgarte_alpha.has_value(), options.baumgarte_alpha.value_or(0.0),
             options.baumgarte_beta.value_or(0.0), options.epsilon.value_or(0.0), options.epsilon_mu.value_or(-1.0));
    for (const auto* each : {&options.atol_each, &options.rtol_each}) {
        settings(each->size());
        for (const auto& [name, value] : *each) settings(name, value);
    }
    settings(options.points, options.max_order, static_cast<std::int32_t>(options.reduction), options.linear_solver,
             options.eliminate_aliases, options.tear, options.machine_code, options.keep_bounds, options.quadratures,
             options.stop_times, options.end_of_step, options.start_up);
    for (const std::string& name : options.variables) settings(name);
    for (const Input& input : options.inputs)
        settings(input.name, input.times, input.values, static_cast<std::int32_t>(input.between), input.hold_ends);
    return {std::string(version), model_name, method, fingerprint(model.bytes()), fingerprint(settings.bytes())};
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

// A checkpoint holds all output so far: made at every occasion, checkpoints of a long run would cost more than the run.
void CheckpointFile::keep(const integrate::Checkpoint& c, Recorder& recorder) {
    constexpr double share = 0.05; // of the time that may be spent on them
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    if (share * (begin - kept_) < spent_) return;
    ByteWriter what, state, record;
    identity_fields(what, identity_);
    checkpoint_fields(state, c);
    recorder.save(record);
    pending_ = seal(magic, {{of_what, what.bytes()}, {of_state, state.bytes()}, {of_record, record.bytes()}});
    constexpr std::chrono::seconds pause(1);
    if (Clock::now() - written_ >= pause) write();
    kept_ = Clock::now();
    spent_ = kept_ - begin;
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
    const auto bytes = contents(options_.resume);
    if (!bytes) return refused(options_.resume, "there is no such file, or it cannot be read");
    return decode(*bytes, job, recorder);
}

std::optional<Diagnostic> CheckpointFile::decode(std::string_view bytes, const Job& job, Recorder& recorder) {
    const std::string& name = options_.resume;
    std::vector<Section> sections{{of_what, {}}, {of_state, {}}, {of_record, {}}};
    switch (open_seal(magic, bytes, sections)) {
    case SealTrouble::none: break;
    case SealTrouble::damaged: return refused(name, "it is damaged, or was cut short");
    case SealTrouble::other_kind: return refused(name, "it is not a checkpoint of this version");
    }
    ByteReader what(sections[0].bytes), state(sections[1].bytes), record(sections[2].bytes);
    CheckpointIdentity found;
    identity_fields(what, found);
    if (!what.at_end()) return refused(name, "it is damaged");
    if (found.version != identity_.version)
        return refused(name, fmt::format("it was written by version {}, this is {}", found.version, identity_.version));
    if (found.model_name != identity_.model_name)
        return refused(name, fmt::format("it belongs to another model: to '{}', and this is '{}'", found.model_name,
                                         identity_.model_name));
    if (found.model != identity_.model)
        return refused(name, "it belongs to another model of this name, or to other parameters or initial values");
    if (found.method != identity_.method)
        return refused(name, fmt::format("it was made with other options: the method was {}, and is {}", found.method,
                                         identity_.method));
    if (found.options != identity_.options)
        return refused(name, "it was made with other options",
                       "give the same interval, method, tolerances and output points as in the interrupted run");
    checkpoint_fields(state, resume_);
    if (!state.at_end()) return refused(name, "it is damaged");
    const std::string wrong = integrate::what_is_wrong(resume_, *job.problem, job.t0, job.t1);
    if (!wrong.empty()) return refused(name, "it is damaged: " + wrong);
    const bool automatic = options_.method.empty() || options_.method == "auto";
    if (integrate::find_method(resume_.method) == nullptr || (!automatic && resume_.method != identity_.method))
        return refused(name, "it is damaged: its method cannot be used");
    if (!recorder.load(record)) return refused(name, "it is damaged: no run can have recorded this");
    return std::nullopt;
}

} // namespace daedalus::simulation
