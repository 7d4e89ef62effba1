// Checkpoints of a run in a file: the point, the choice of states, the modes, and all that was recorded until then, so
// that a resumed run ends with the same result as one that was never interrupted.
#pragma once

#include "daedalus/options.hpp"
#include "integrate/checkpoint.hpp"
#include "integrate/options.hpp"
#include "simulation/recorder.hpp"
#include "simulation/run.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace daedalus::simulation {

/// What must be the same for a checkpoint to make sense.
struct CheckpointIdentity {
    std::string version; ///< of the program
    std::string model_name;
    std::string method;
    std::uint64_t model = 0;   ///< equations, clauses, parameters, initial values
    std::uint64_t options = 0; ///< all that influences steps and output
};
[[nodiscard]] CheckpointIdentity checkpoint_identity(const Job& job, const SolveOptions& options,
                                                     const std::string& method, const std::string& model_name);

class CheckpointFile {
public:
    CheckpointFile(const SolveOptions& options, CheckpointIdentity identity)
        : options_(options), identity_(std::move(identity)) {}
    /// Reads the file to resume from, if any, and lets the integration write checkpoints, if asked.
    [[nodiscard]] std::optional<Diagnostic> open(const Job& job, Recorder& recorder,
                                                 integrate::IntegrationOptions& settings);
    /// Reads the bytes of such a file. It may be of any origin: nothing in it is believed before it is checked.
    [[nodiscard]] std::optional<Diagnostic> decode(std::string_view bytes, const Job& job, Recorder& recorder);
    /// What a resumed run integrates with from there on; empty: nothing is resumed.
    [[nodiscard]] const std::string& method() const { return resume_.method; }
    /// Writes what is not in the file yet. A warning where that was impossible.
    [[nodiscard]] std::optional<Diagnostic> close();

private:
    void keep(const integrate::Checkpoint& c, Recorder& recorder);
    void write();
    [[nodiscard]] std::optional<Diagnostic> read(const Job& job, Recorder& recorder);

    const SolveOptions& options_;
    CheckpointIdentity identity_;
    integrate::Checkpoint resume_;
    std::string pending_; ///< the latest checkpoint, if the file does not hold it
    bool failed_ = false;
    std::chrono::steady_clock::time_point written_{}, kept_{}; ///< when the last one was
    std::chrono::duration<double> spent_{};                    ///< on the last one
};

} // namespace daedalus::simulation
