// fuzz_netlist [decks] [seed]: random changes of small decks, read. Meant for the preset asan; prints a tally now and
// then and at the end, also of a run that is interrupted. A deck that takes seconds of processor time ends the program,
// and one whose netlist points outside of itself ends it with 1.
#include "fuzz/netlist_mutations.hpp"
#include "fuzz/stop_request.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/time.h>

int main(int argc, char** argv) {
    using namespace daedalus::fuzz;
    const long count = argc > 1 ? std::atol(argv[1]) : 1'000'000;
    std::mt19937_64 random(argc > 2 ? static_cast<std::uint64_t>(std::atol(argv[2])) : 1);
    std::signal(SIGVTALRM, [](int) { std::abort(); });
    stop_on_request();
    NetlistTally tally;
    const auto print = [&](const char* whether) {
        std::printf("%ld decks: %ld read, %ld refused with %ld messages%s\n", tally.tried, tally.accepted,
                    tally.tried - tally.accepted, tally.messages, whether);
        std::fflush(stdout);
    };
    constexpr long said_every = 100'000;
    while (tally.tried < count && stop_requested == 0) {
        const itimerval timer{{0, 0}, {20, 0}};
        setitimer(ITIMER_VIRTUAL, &timer, nullptr);
        const std::string text = mutated_deck(random);
        if (!try_deck(text, tally)) {
            std::printf("this deck is read wrongly:\n%s\n", text.c_str());
            return 1;
        }
        if (tally.tried % said_every == 0) print(" so far");
    }
    print(stop_requested != 0 ? ", interrupted" : "");
    return 0;
}
