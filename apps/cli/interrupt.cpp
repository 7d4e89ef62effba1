#include "interrupt.hpp"

#include "exit_code.hpp"

#include <csignal>
#include <cstdlib>

namespace cli {

namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler must not wait for a lock");

extern "C" void on_signal(int) {
    if (requested.exchange(true)) std::_Exit(static_cast<int>(ExitCode::interrupted));
}

} // namespace

const std::atomic<bool>& catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        // Whoever started the program with the signal ignored (nohup, a background job) wants it ignored.
        if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
        sigaction(signal, &action, nullptr);
    }
    return requested;
}

} // namespace cli
