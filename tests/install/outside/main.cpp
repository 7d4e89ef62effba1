// An outside program: sees only what is installed, and solves a pendulum with it.
#include <daedalus/daedalus.hpp>

#include <iostream>

int main() {
    auto model = daedalus::Model::from_string(R"(
model Pendulum
  Real x(start = 1), y(start = 0), lambda;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
)");
    if (!model) {
        std::cerr << daedalus::render(model.error());
        return 1;
    }
    const auto solution = daedalus::solve(*model, {.until = 1});
    if (!solution || !solution->success()) return 1;
    std::cout << "daedalus " << daedalus::version << ": x(1) = " << solution->final("x") << '\n';
    return 0;
}
