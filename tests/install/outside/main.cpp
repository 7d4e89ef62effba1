// An outside program: sees only what is installed.
#include <daedalus/version.hpp>

#include <iostream>

int main() {
    std::cout << "daedalus " << daedalus::version << '\n';
    return 0;
}
