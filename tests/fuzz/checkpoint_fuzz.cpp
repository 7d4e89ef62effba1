// fuzz_checkpoint [mutants] [seed]: random changes of valid checkpoints. Meant for the preset asan; prints a tally now
// and then and at the end, also of a run that is interrupted, and ends with 1 where a changed file without new
// checksums was accepted. A mutant that takes seconds of processor time ends the program.
#include "fuzz/checkpoint_mutations.hpp"
#include "fuzz/stop_request.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/time.h>
#include <unistd.h>

int main(int argc, char** argv) {
    using namespace daedalus::fuzz;
    const long count = argc > 1 ? std::atol(argv[1]) : 1'000'000;
    const auto seed = static_cast<std::uint64_t>(argc > 2 ? std::atol(argv[2]) : 1);
    std::signal(SIGVTALRM, [](int) { std::abort(); });
    stop_on_request();
    const auto file = (std::filesystem::temp_directory_path() / ("fuzz_" + std::to_string(getpid()) + ".chk")).string();
    struct Case {
        const std::string& model;
        const char* method;
        double until;
    };
    bool sound = true;
    for (const Case& c : {Case{pendulum_with_everything, "bdf", 60.0}, Case{pendulum_with_everything, "radau", 400.0},
                          Case{plain_oscillator, "bdf", 60.0}, Case{plain_oscillator, "dopri5", 200.0}}) {
        CheckpointSubject subject(c.model, c.method, c.until, file);
        if (subject.valid().empty() || !subject.accepts(subject.valid())) {
            std::printf("%s: no valid checkpoint\n", c.method);
            return 2;
        }
        Tally all;
        const auto print = [&](const char* whether) {
            std::printf("%s: %zu bytes, %ld mutants, accepted %ld with old and %ld with new checksums%s\n", c.method,
                        subject.valid().size(), all.tried, all.unsealed_accepted, all.sealed_accepted, whether);
            std::fflush(stdout);
        };
        constexpr long portion = 1000, said_every = 10 * portion;
        for (long done = 0; done < count / 4 && stop_requested == 0; done += portion) {
            if (done > 0 && done % said_every == 0) print(" so far");
            const itimerval timer{{0, 0}, {60, 0}};
            setitimer(ITIMER_VIRTUAL, &timer, nullptr);
            const Tally t = try_mutants(subject, portion, seed * 1'000'003 + static_cast<std::uint64_t>(done), 50);
            all.tried += t.tried;
            all.unsealed_accepted += t.unsealed_accepted;
            all.sealed_accepted += t.sealed_accepted;
        }
        print(stop_requested != 0 ? ", interrupted" : "");
        sound = sound && all.unsealed_accepted == 0;
    }
    return sound ? 0 : 1;
}
