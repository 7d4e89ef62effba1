// The whole grammar is read, also what is not instantiated yet.
#include "modelica/parse.hpp"

#include <gtest/gtest.h>

namespace daedalus::modelica {
namespace {

using ast::ExprKind;

std::string errors_of(const std::string& text) {
    const SourceFile file("p.mo", text);
    return render(parse(file).diagnostics);
}

// The tree of an expression in prefix form.
std::string prefix(const ast::Tree& tree, std::string_view text, ast::ExprId id) {
    const ast::Expr& e = tree[id];
    if (e.count == 0) return std::string(text.substr(e.span.begin, e.span.end - e.span.begin));
    std::string out = "(" + std::string(e.kind == ExprKind::call        ? tree.call(e).function.text()
                                        : e.kind == ExprKind::reference ? tree.reference(e).text()
                                                                        : std::string(spelling(e.op)));
    for (std::uint32_t k = 0; k < e.count; ++k) out += " " + prefix(tree, text, tree.operand(e, k));
    return out + ")";
}

std::string expression(const std::string& text) {
    const SourceFile file("p.mo", "model M equation x = " + text + "; end M;");
    const ParseResult result = parse(file);
    if (!result.ok()) return render(result.diagnostics);
    return prefix(result.tree, file.text(), result.tree.classes[0]->equations[0].equations[0].right);
}

TEST(Parser, Precedence) {
    EXPECT_EQ(expression("a + b*c - d/e"), "(- (+ a (* b c)) (/ d e))");
    EXPECT_EQ(expression("-a^2*b + c"), "(+ (- (* (^ a 2) b)) c)");
    EXPECT_EQ(expression("-a - b"), "(- (- a) b)");
    EXPECT_EQ(expression("a - b - c"), "(- (- a b) c)");
    EXPECT_EQ(expression("a or b and not c < d + 1"), "(or a (and b (not (< c (+ d 1)))))");
    EXPECT_EQ(expression("not a == b or c"), "(or (not (== a b)) c)");
    EXPECT_EQ(expression("(a + b)*c"), "(* (+ a b) c)");
    EXPECT_EQ(expression("a .* b .^ c"), "(.* a (.^ b c))");
}

TEST(Parser, PrimariesOfAllKinds) {
    EXPECT_EQ(expression("if a then b elseif c then d else e"), "(if a b c d e)");
    EXPECT_EQ(expression("{1, 2, 3}"), "({ 1 2 3)");
    EXPECT_EQ(expression("[1, 2; 3, 4]"), "([ (, 1 2) (, 3 4))");
    EXPECT_EQ(expression("1:2:n"), "(: 1 2 n)");
    EXPECT_EQ(expression("f(a, b = 2)"), "(f a 2)");
    EXPECT_EQ(expression("Modelica.Math.sin(x)"), "(Modelica.Math.sin x)");
    EXPECT_EQ(expression("a[1, :].b[end]"), "(a.b 1 : end)");
    EXPECT_EQ(expression("sum(i^2 for i in 1:3)"), "(sum (^ i 2) (: 1 3))");
    EXPECT_EQ(expression("der(x) + .A.b"), "(+ (der x) .A.b)");
}

TEST(Parser, SubtreesAreContiguousAndOperandsComeFirst) {
    const SourceFile file("p.mo", "model M equation x = f(a, if b then {c, d[i]} else g(h = 1) ) + k^2; y = z; end M;");
    const ParseResult result = parse(file);
    ASSERT_TRUE(result.ok());
    const ast::Tree& tree = result.tree;
    for (std::uint32_t i = 0; i < tree.expressions.size(); ++i) {
        const ast::Expr& e = tree.expressions[i];
        for (std::uint32_t k = 0; k < e.count; ++k) {
            EXPECT_LT(index(tree.operand(e, k)), i);
            EXPECT_GE(index(tree[tree.operand(e, k)].first), index(e.first));
        }
    }
}

TEST(Parser, ReadsTheWholeLanguage) {
    EXPECT_EQ(errors_of(R"(
within A.B;
encapsulated package P "a package"
  import Modelica.Constants.pi;
  import SI = Modelica.Units.SI;
  import Modelica.Math.*;
  import A.B.{C, D};
  type Angle = Real(final unit = "rad", displayUnit = "deg") "an angle" annotation(Icon());
  type Kind = enumeration(one "first", two);
  type Any = enumeration(:);
  connector Pin
    Real v;
    flow Real i;
    stream Real h;
  end Pin;
  expandable connector Bus end Bus;
  operator record Complex
    Real re, im;
    operator function 'constructor' input Real re; output Complex r; algorithm r.re := re; end 'constructor';
  end Complex;
  partial model Base
    replaceable model Inner = Other constrainedby Another(p = 1) "comment";
    replaceable Real q;
    inner outer parameter Integer n(min = 1) = 3 annotation(Dialog(group = "g"));
    Pin pins[n], p2[2, 3](each v(start = 1));
    Real x[n] = {i^2 for i in 1:n};
    protected
    constant Real c = 1 if n > 2;
    public
    input Real u;
    output discrete Real y;
  equation
    for i in 1:n, j in 1:2 loop
      x[i] = sum(x[k] for k in 1:i);
    end for;
    when {initial(), x[1] > 2} then
      y = pre(y) + 1;
    elsewhen sample(0, 1) then
      reinit(x[1], 0);
    end when;
    connect(pins[1], p2[1, 1]) annotation(Line(points = {{0, 0}, {1, 1}}));
    (a, , b) = f(x[1]);
    if n > 1 then
      x[1] = 1;
    elseif n > 0 then
      x[1] = 2;
    else
      x[1] = 3;
    end if;
    assert(x[1] > 0, "message", AssertionLevel.warning);
  initial equation
    x[1] = 0;
  algorithm
    for i in 1:3 loop
      while y > 0 loop
        y := y - 1;
        if y < 1 then break; else return; end if;
      end while;
    end for;
    (a, b) := f(y);
    f(y);
    when y > 1 then y := 2; elsewhen y > 3 then y := 4; end when;
  initial algorithm
    y := 1;
  end Base;
  model Derived
    extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1), redeclare final Real q = 2);
    class extends Nested(a = 1) Real z; end Nested;
  end Derived;
  pure function f "doc"
    input Real x;
    output Real y;
    external "C" y = fun(x) annotation(Library = "m");
    annotation(Inline = true);
  end f;
  function g = f(x = 2);
  function df = der(f, x, y);
  impure function h input Real x; output Real y; algorithm y := x; end h;
  annotation(version = "1", uses(Modelica(version = "4.0.0")));
end P;
)"),
              "");
}

TEST(Parser, PlacesOfNodes) {
    const SourceFile file("p.mo", "model M\n  Real x;\nequation\n  der(x) = -x*2;\nend M;\n");
    const ParseResult result = parse(file);
    ASSERT_TRUE(result.ok());
    const ast::Equation& e = result.tree.classes[0]->equations[0].equations[0];
    EXPECT_EQ(file.text().substr(e.span.begin, e.span.end - e.span.begin), "der(x) = -x*2");
    const Span right = result.tree[e.right].span;
    EXPECT_EQ(file.text().substr(right.begin, right.end - right.begin), "-x*2");
}

} // namespace
} // namespace daedalus::modelica
