// Ctrl-C and SIGTERM ask for an end: the run at hand is finished, no other is begun, and what was counted is printed.
#pragma once

#include <csignal>

namespace daedalus::fuzz {

inline volatile std::sig_atomic_t stop_requested = 0;

/// A second request ends the program at once.
inline void stop_on_request() {
    for (const int number : {SIGINT, SIGTERM})
        std::signal(number, [](int signal_number) {
            stop_requested = 1;
            std::signal(signal_number, SIG_DFL);
        });
}

} // namespace daedalus::fuzz
