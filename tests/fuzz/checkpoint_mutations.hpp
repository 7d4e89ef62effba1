// Valid checkpoints, changed at random: what decodes them must refuse every one whose bytes differ, and must survive
// those whose checksums were made right again.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "modelica/read_modelica.hpp"
#include "simulation/checkpoint_file.hpp"
#include "simulation/convert.hpp"
#include "simulation/run.hpp"
#include "simulation/sealed_sections.hpp"
#include "simulation/start_options.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace daedalus::fuzz {

/// A run in the middle, and all that is needed to go on from it.
class CheckpointSubject {
public:
    /// Solves, and keeps the last checkpoint. Empty `valid()`: something went wrong, or no checkpoint was reached.
    CheckpointSubject(const std::string& text, const std::string& method, double until, const std::string& file)
        : file_(file) {
        options_.method = method;
        options_.until = until;
        options_.points = 50;
        auto model = modelica::read_modelica(std::make_shared<const SourceFile>("checkpoint.mo", text));
        if (!model) return;
        const auto shared = std::make_shared<const model::Model>(*std::move(model));
        auto how = simulation::compile_options(options_, 0.0);
        how.quadratures = true;
        auto compiled = compile::compile(shared, how);
        if (!compiled) return;
        compiled_ = std::make_unique<compile::CompiledModel>(*std::move(compiled));
        auto start = integrate::consistent_start(compiled_->initial, simulation::start_options(options_));
        auto job = simulation::make_job(options_, {});
        if (!start || !job) return;
        job_ = *std::move(job);
        job_.problem = &compiled_->problem;
        job_.x0 = start->x(compiled_->initial);
        job_.dx0 = start->dx(compiled_->initial);
        job_.model_digest = 4711;
        links_ = compiled_->problem.links();
        start->hold_constants(compiled_->initial, compiled_->problem);
        environment_ = compiled_->problem.environment();
        as_before_a_run();
        SolveOptions first = options_;
        first.checkpoint = file_;
        first.dense = false;
        identity_ = simulation::checkpoint_identity(job_, options_, method, name);
        simulation::Record record = fresh();
        if (!simulation::run(job_, first, record).empty()) return;
        valid_ = contents();
        trajectory_.variables = fresh().trajectory.variables;
        trajectory_.values.resize(trajectory_.variables.size());
        recorder_ = std::make_unique<simulation::Recorder>(
            compiled_->problem,
            simulation::RecorderOptions{job_.t0, job_.t1, options_.points, true, job_.rtol, job_.atol, {}},
            trajectory_);
    }
    ~CheckpointSubject() { std::filesystem::remove(file_); }
    CheckpointSubject(const CheckpointSubject&) = delete;
    CheckpointSubject& operator=(const CheckpointSubject&) = delete;

    [[nodiscard]] const std::string& valid() const { return valid_; }
    /// Whether it would be resumed from.
    [[nodiscard]] bool accepts(const std::string& bytes) {
        simulation::CheckpointFile file(options_, identity_);
        return !file.decode(bytes, job_, *recorder_);
    }
    /// Resumes from it for some steps: whatever comes out, it ends.
    void go_on(const std::string& bytes) {
        std::ofstream(file_, std::ios::binary) << bytes;
        as_before_a_run();
        std::atomic<bool> enough = false;
        int steps = 0;
        SolveOptions again = options_;
        again.resume = file_;
        again.dense = false;
        again.interrupt = &enough;
        again.progress = [&](double, double) { enough = ++steps >= 30; };
        simulation::Record record = fresh();
        (void)simulation::run(job_, again, record);
    }

private:
    static constexpr const char* name = "checkpoint";
    /// A run leaves its last states, held values and branches in the problem.
    void as_before_a_run() {
        problem::ImplicitProblem& p = compiled_->problem;
        p.set_links(links_);
        p.environment() = environment_;
        std::vector<signed char> side;
        p.set_modes_at(job_.t0, job_.x0.data(), job_.dx0.data(), true, side);
    }
    [[nodiscard]] simulation::Record fresh() const {
        simulation::Record record;
        record.report.model.name = name;
        for (std::size_t i = 0; i < compiled_->outputs.size(); ++i)
            record.trajectory.variables.push_back(
                {compiled_->output_name(i), "", "", output::VariableKind::differential, 1});
        return record;
    }
    [[nodiscard]] std::string contents() const {
        std::ifstream file(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

    std::string file_;
    SolveOptions options_;
    std::unique_ptr<compile::CompiledModel> compiled_;
    simulation::Job job_;
    simulation::CheckpointIdentity identity_;
    output::Trajectory trajectory_;
    std::unique_ptr<simulation::Recorder> recorder_;
    std::vector<problem::Link> links_;
    problem::Environment environment_;
    std::string valid_;
};

/// Changes bytes in a place or a few.
inline void mutate(std::string& bytes, std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random() % n); };
    static constexpr std::uint64_t odd[] = {0,
                                            1,
                                            2,
                                            0xFF,
                                            0x7FFFFFFF,
                                            0x80000000,
                                            0xFFFFFFFF,
                                            0x7FFFFFFFFFFFFFFF,
                                            0x8000000000000000,
                                            0xFFFFFFFFFFFFFFFF,
                                            0x7FF0000000000000,  // infinity
                                            0x7FF8000000000000,  // not a number
                                            0x7FEFFFFFFFFFFFFF,  // the largest number
                                            0x0000000000000001}; // and the smallest
    for (std::size_t k = 1 + below(3); k > 0; --k) {
        const std::size_t at = below(bytes.size());
        switch (below(7)) {
        case 0:
            if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
            break;
        case 1:
            if (!bytes.empty()) bytes[at] = static_cast<char>(random());
            break;
        case 2:
        case 3: { // another number where one may be
            const std::uint64_t value = odd[below(std::size(odd))];
            const std::size_t size = below(2) == 0 ? 8 : 4, place = at / 4 * 4;
            if (place + size <= bytes.size()) std::memcpy(bytes.data() + place, &value, size);
            break;
        }
        case 4: { // a number that is nearly the same
            std::uint64_t value = 0;
            if (at / 4 * 4 + 8 > bytes.size()) break;
            std::memcpy(&value, bytes.data() + at / 4 * 4, 8);
            value += below(5) - 2;
            std::memcpy(bytes.data() + at / 4 * 4, &value, 8);
            break;
        }
        case 5: bytes.erase(at, 1 + below(16)); break;
        default: bytes.insert(at, 1 + below(16), static_cast<char>(random())); break;
        }
    }
}

/// The same for the bytes of one section, with checksums and lengths as they must be.
inline std::string mutate_inside(const std::string& file, std::mt19937_64& random) {
    std::vector<simulation::Section> sections{{"WHAT", {}}, {"STAT", {}}, {"RECO", {}}};
    const std::string_view mark = std::string_view(file).substr(0, 8);
    if (simulation::open_seal(mark, file, sections) != simulation::SealTrouble::none) return file;
    simulation::Section& chosen = sections[random() % 8 == 0 ? 0 : 1 + random() % 2];
    std::string bytes(chosen.bytes);
    mutate(bytes, random);
    chosen.bytes = bytes;
    return simulation::seal(mark, sections);
}

struct Tally {
    long tried = 0, unsealed_accepted = 0, sealed_accepted = 0;
};

/// Half of the mutants keep their old checksums. Of the accepted ones every so many is gone on from.
inline Tally try_mutants(CheckpointSubject& subject, long count, std::uint64_t seed, long go_on_every) {
    std::mt19937_64 random(seed);
    Tally tally;
    for (; tally.tried < count; ++tally.tried) {
        std::string bytes = subject.valid();
        const bool sealed = tally.tried % 2 == 1;
        if (sealed)
            bytes = mutate_inside(bytes, random);
        else
            mutate(bytes, random);
        if (bytes == subject.valid() || !subject.accepts(bytes)) continue;
        ++(sealed ? tally.sealed_accepted : tally.unsealed_accepted);
        if (sealed && tally.sealed_accepted % go_on_every == 0) subject.go_on(bytes);
    }
    return tally;
}

// A pendulum whose states are exchanged, with a force that switches, an integral, and a part with held values, samples
// and jumps.
inline const std::string pendulum_with_everything = R"(
model Everything
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, lambda, e(start = 0, fixed = true);
  Real w(start = 1, fixed = true);
  discrete Real held(start = 0);
  Integer n(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x + (if x > 0.3 then 0.5 else -0.25);
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  der(e) = if time > 2.5 then x*u else 1;
  der(w) = -w + held;
  when sample(0, 0.5) then
    held = pre(held)*0.5 + w;
    n = pre(n) + 1;
  end when;
  when w < 0.3 then
    reinit(w, 1);
  end when;
end Everything;
)";
// Without events and choices.
inline const std::string plain_oscillator = R"(
model Plain
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -400*x;
end Plain;
)";

} // namespace daedalus::fuzz
