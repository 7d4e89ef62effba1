// Placeholder until the command line is written: says which version this is.
#include "daedalus/version.hpp"

#include <cstdio>

int main() {
    std::printf("daedalus %s\n", daedalus::version.data());
    return 0;
}
