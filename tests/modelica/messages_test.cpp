// Every mistake has its message: place, line, caret, hint, word for word.
#include "reading.hpp"

#include <gtest/gtest.h>

namespace daedalus::modelica {
namespace {

TEST(Messages, MissingSemicolonsAreInserted) {
    EXPECT_EQ(messages("model M\n  Real x(start = 1)\n  Real y;\nequation\n  der(x) = y\n  der(y) = -x;\nend M;\n"),
              R"(m.mo:2:20: error: missing ';' after the declaration
    Real x(start = 1)
                     ^
  hint: end it with ';'
m.mo:5:13: error: missing ';' after the equation
    der(x) = y
              ^
  hint: end it with ';'
)");
    EXPECT_EQ(messages("model M\n  Real x;\nequation\n  x = 1\n    -x = 2;\nend M;\n"),
              R"(m.mo:5:8: error: a second '=' in one equation
      -x = 2;
         ^
  hint: is a ';' missing before this line?
)");
}

TEST(Messages, Ends) {
    EXPECT_EQ(messages("model M\n  Real x;\nequation\n  x = 1;\n"), R"(m.mo:4:9: error: 'end M;' is missing
    x = 1;
          ^
  hint: close the model with 'end M;'
m.mo:1:7: note: the model 'M' begins here
  model M
        ^
)");
    EXPECT_EQ(messages("model M\n  Real x = 1;\nend N;\n"), R"(m.mo:3:5: error: 'end N' closes the model 'M'
  end N;
      ^
  hint: write 'end M;'
m.mo:1:7: note: the model 'M' begins here
  model M
        ^
)");
    EXPECT_EQ(messages("model M\n  Real x;\nequation\n  if x > 0 then\n    x = 1;\n  else\n    x = 2;\nend M;\n"),
              R"(m.mo:8:1: error: expected 'end if' but found 'end M'
  end M;
  ^~~
  hint: close it with 'end if';
m.mo:4:3: note: the if-equation begins here
    if x > 0 then
    ^~
)");
    EXPECT_EQ(messages("model M\n  Real x;\nequation\n  x = 1;\n  end if;\nend M;\n"),
              R"(m.mo:5:3: error: 'end if' without its 'if'
    end if;
    ^~~~~~
)");
    EXPECT_EQ(messages("package P\n  model M\n    Real x = 1;\nend P;\n"), R"(m.mo:4:1: error: 'end M;' is missing
  end P;
  ^~~
  hint: close the model with 'end M;'
m.mo:2:9: note: the model 'M' begins here
    model M
          ^
)");
    EXPECT_EQ(messages("model M\n  Real x = 1;\nend;\n"), R"(m.mo:3:1: error: 'end' needs the name of what it closes
  end;
  ^~~
  hint: write 'end M;'
m.mo:1:7: note: the model 'M' begins here
  model M
        ^
)");
}

TEST(Messages, Parentheses) {
    EXPECT_EQ(messages(around("Real x;", "  x = (x + 1;\n  x = x + 1);\n  x = sin(x;")),
              R"(m.mo:4:13: error: expected ')' but found ';'
    x = (x + 1;
              ^
m.mo:4:7: note: this '(' is not closed
    x = (x + 1;
        ^
m.mo:5:12: error: this ')' closes nothing
    x = x + 1);
             ^
  hint: remove it or open it earlier
m.mo:6:12: error: expected ',' or ')' but found ';'
    x = sin(x;
             ^
m.mo:6:10: note: this '(' is not closed
    x = sin(x;
           ^
)");
}

TEST(Messages, EqualsAssignAndCompare) {
    EXPECT_EQ(messages(around("Real x;", "  x := 1;\n  x == 2;\n  x = if x = 2 then 1 else 2;\n  x = 1 < x < 2;")),
              R"(m.mo:4:5: error: ':=' assigns, and this is an equation
    x := 1;
      ^~
  hint: equations are written with '='
m.mo:5:4: error: '==' compares, and this is an equation
    x == 2;
     ^~~~
  hint: equations are written with '='
m.mo:6:12: error: '=' cannot compare
    x = if x = 2 then 1 else 2;
             ^
  hint: compare with '=='
m.mo:7:13: error: comparisons cannot be chained
    x = 1 < x < 2;
              ^
  hint: write a < b and b < c
)");
}

TEST(Messages, ForeignOperatorsAreOneErrorEach) {
    EXPECT_EQ(messages(around("Real x;", "  x = x**2;\n  x != 3;")), R"(m.mo:4:8: error: '**' is not a Modelica operator
    x = x**2;
         ^~
  hint: write a power as x^2
m.mo:5:5: error: '!=' is not a Modelica operator
    x != 3;
      ^~
  hint: write 'not equal' as <>
)");
}

TEST(Messages, DeclarationsAndEquationsMixed) {
    EXPECT_EQ(
        messages("model M\n  x = 3;\n  Real y;\nequation\n  y = 1;\n  Real z;\n  parameter Real k = 2;\nend M;\n"),
        R"(m.mo:2:3: error: 'x' has no type here
    x = 3;
    ^
  hint: declare it as 'Real x', or put equations below the word 'equation'
m.mo:6:3: error: this looks like a declaration, but it stands among the equations
    Real z;
    ^~~~
  hint: declarations stand above the word 'equation'
m.mo:7:3: error: a declaration among the equations
    parameter Real k = 2;
    ^~~~~~~~~
  hint: declarations stand above the word 'equation'
)");
}

TEST(Messages, Names) {
    EXPECT_EQ(messages(around("  parameter Real omega = 1;\n  Real x;\n  Real x;\n  Rael y;",
                              "  x = omgea + sn(x) + 2*a;\n  x = sin(x, 1);\n  x = omega(x);")),
              R"(m.mo:4:8: error: 'x' is declared twice
    Real x;
         ^
m.mo:3:8: note: the first declaration
    Real x;
         ^
m.mo:5:3: error: there is no type 'Rael'
    Rael y;
    ^~~~
  hint: did you mean 'Real'?
m.mo:7:7: error: 'omgea' is not declared
    x = omgea + sn(x) + 2*a;
        ^~~~~
  hint: did you mean 'omega'?
m.mo:7:15: error: there is no function 'sn'
    x = omgea + sn(x) + 2*a;
                ^~
  hint: did you mean 'sin'?
m.mo:7:25: error: 'a' is not declared
    x = omgea + sn(x) + 2*a;
                          ^
m.mo:8:7: error: 'sin' takes 1 argument, not 2
    x = sin(x, 1);
        ^~~~~~~~~
m.mo:9:7: error: there is no function 'omega'
    x = omega(x);
        ^~~~~
  hint: 'omega' is a variable; write a product with '*'
)");
}

TEST(Messages, Attributes) {
    EXPECT_EQ(
        messages("model M\n  Real x(strat = 1, start = y, unit = 3, fixed = 1);\n  Real y(min = \"a\") = 2;\nend M;\n"),
        R"(m.mo:2:10: error: Real has no attribute 'strat'
    Real x(strat = 1, start = y, unit = 3, fixed = 1);
           ^~~~~
  hint: did you mean 'start'?
m.mo:2:29: error: the attribute 'start' may depend on parameters and constants only
    Real x(strat = 1, start = y, unit = 3, fixed = 1);
                              ^
  hint: a relation between start values is written as an initial equation
m.mo:2:39: error: the attribute 'unit' must be a string
    Real x(strat = 1, start = y, unit = 3, fixed = 1);
                                        ^
  hint: write unit = "…"
m.mo:2:50: error: the attribute 'fixed' must be true or false, but this is an Integer
    Real x(strat = 1, start = y, unit = 3, fixed = 1);
                                                   ^
  hint: compare it, for example with > 0
m.mo:3:16: error: the attribute 'min' must be a number, but this is a String
    Real y(min = "a") = 2;
                 ^~~
)");
}

TEST(Messages, ParametersAndTypes) {
    EXPECT_EQ(
        messages(around("parameter Real p = 1; Real x; parameter Real q = x;",
                        "  p = 2;\n  der(p) = 1;\n  x = true;\n  x + \"a\" = 1;\n  1 = 2;\n  x = if x then 1 else 2;")),
        R"(m.mo:2:50: error: the value of 'q' varies in time, but it is a parameter
  parameter Real p = 1; Real x; parameter Real q = x;
                                                   ^
  hint: declare it without 'parameter', or compute it from parameters only
m.mo:4:3: error: this equation sets the parameter 'p'
    p = 2;
    ^~~~~
  hint: a parameter gets its value where it is declared: parameter Real p = …;
m.mo:2:16: note: 'p' is declared here
  parameter Real p = 1; Real x; parameter Real q = x;
                 ^
m.mo:5:7: error: der() of a parameter
    der(p) = 1;
        ^
  hint: declare it without 'parameter' if it varies
m.mo:6:7: error: both sides of an equation must be numbers, but this is a Boolean
    x = true;
        ^~~~
  hint: turn it into a number with (if b then 1 else 0)
m.mo:7:7: error: the operand of '+' must be a number, but this is a String
    x + "a" = 1;
        ^~~
m.mo:8:3: error: no unknown occurs in this equation
    1 = 2;
    ^~~~~
  hint: an equation relates variables; parameters and numbers alone determine nothing
m.mo:9:10: error: the condition of 'if' must be true or false, but this is a Real
    x = if x then 1 else 2;
           ^
  hint: compare it, for example with > 0
)");
}

TEST(Messages, ABaseClassThatIsMissingIsSaidOnce) {
    EXPECT_EQ(messages("model M\n  extends Base;\n  Real v[3];\n  Integer n;\nequation\n  v[1] = inherited + n;\n"
                       "  connect(a, b);\n  when n > 1 then n = 2; end when;\n  for i in 1:3 loop v[i] = 1; end for;\n"
                       "algorithm\n  n := 2;\nend M;\n"),
              R"(m.mo:2:11: error: there is no class 'Base'
    extends Base;
            ^~~~
)");
}

TEST(Messages, Inputs) {
    // A run may give it a value; the complaint comes where one does not.
    EXPECT_EQ(messages(around("input Real u; Real x;", "x = u;")), "");
}

TEST(Messages, IfEquations) {
    EXPECT_EQ(messages(around("Real x;", "  if x > 0 then x = 1; end if;\n  if x > 0 then x = 1; else end if;")),
              R"(m.mo:4:3: error: an if-equation whose condition varies in time needs an 'else' branch
    if x > 0 then x = 1; end if;
    ^~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint: every branch must determine the same number of unknowns
m.mo:5:3: error: the branches of this if-equation have different numbers of equations: 1 and 0
    if x > 0 then x = 1; else end if;
    ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
  hint: every branch must determine the same number of unknowns
)");
    EXPECT_EQ(messages(around("parameter Boolean b; Real x;", "  if b then x = 1; end if;")),
              R"(m.mo:4:6: error: the condition of this if-equation cannot be evaluated: parameter 'b' has no value
    if b then x = 1; end if;
       ^
  hint: give it a value where it is declared
)");
}

TEST(Messages, FilesThatAreNoModels) {
    EXPECT_EQ(messages(std::string("\x7f"
                                   "ELF\0\0",
                                   6)),
              R"(m.mo:1:1: error: 'm.mo' is not a text file
  \x7fELF\x00\x00
  ^~~~
  hint: a Modelica model is plain text
)");
    EXPECT_EQ(messages(""), "m.mo: error: the file contains no model\n"
                            "  hint: a model looks like: model Name Real x; equation der(x) = -x; end Name;\n");
    EXPECT_EQ(messages("x = 1;\ny = 2;\n"), R"(m.mo:1:1: error: expected a class such as 'model' but found 'x'
  x = 1;
  ^
  hint: a file holds classes: model Name … equation … end Name;
)");
    EXPECT_EQ(messages("model M\n  Real x = 1; /* open\nend M;\n"),
              R"(m.mo:2:15: error: the comment that begins here is never closed
    Real x = 1; /* open
                ^~
  hint: end it with '*/'
)");
    EXPECT_EQ(messages(around("Real x;", "  x = \"open;\n  x = 1e999;")),
              R"(m.mo:4:7: error: the string that begins here is never closed
    x = "open;
        ^~~~~~
  hint: end it with "
m.mo:5:7: error: the number 1e999 is too large
    x = 1e999;
        ^~~~~
  hint: the largest number is 1.797e308
)");
    EXPECT_EQ(render(read_modelica_file("/").error()), "/: error: this is a directory, not a model file\n");
    EXPECT_EQ(render(read_modelica_file("/no/such.mo").error()),
              "/no/such.mo: error: cannot be read: No such file or directory\n");
}

} // namespace
} // namespace daedalus::modelica
