// From a class of a library to a model: instances and modifications (instances.cpp, modifiers.cpp), names (lookup.cpp),
// components (components.cpp), expressions (expressions.cpp, calls.cpp, array_functions.cpp, operators.cpp), functions
// (functions.cpp, externals.cpp), connections (connections.cpp, connection_graph.cpp), equations (equations.cpp,
// algorithms.cpp, clauses.cpp) and at last discrete equations in the order of their use (discrete.cpp).
//
// Arrays are taken apart into scalars. Nothing here recurses deeper than classes, expressions or functions nest, which
// the parser and `depth` limit.
#pragma once

#include "expr/differentiate.hpp"
#include "model/model.hpp"
#include "modelica/balance.hpp"
#include "modelica/instance.hpp"

#include <deque>
#include <functional>
#include <map>
#include <set>

namespace daedalus::modelica {

/// Thrown where something cannot be translated, with its diagnostic; caught equation by equation.
struct TranslationError {
    Diagnostic diagnostic;
};

/// Thrown where a model is far larger than its text, as classes that hold two of each other to any depth are: nothing
/// else is looked at.
struct TooLarge {
    Diagnostic diagnostic;
};

/// Local names: loop indices, and the variables of a function that is being evaluated.
struct Frame {
    Frame* up = nullptr;
    std::vector<std::pair<std::string_view, Quantity>> locals;
    [[nodiscard]] Quantity* find(std::string_view name) {
        for (Frame* f = this; f != nullptr; f = f->up)
            for (auto it = f->locals.rbegin(); it != f->locals.rend(); ++it)
                if (it->first == name) return &it->second;
        return nullptr;
    }
};

/// Where an expression stands.
struct Context {
    const Unit* unit = nullptr;
    Instance* scope = nullptr;
    Frame* frame = nullptr;
    int end = -1; ///< what `end` means inside subscripts

    [[nodiscard]] const ast::Expr& at(ast::ExprId id) const { return unit->tree[id]; }
};

/// Rates of clocks, in lowest terms.
struct Fraction {
    std::int64_t numerator = 1, denominator = 1;
    [[nodiscard]] static Fraction of(std::int64_t numerator, std::int64_t denominator);
    [[nodiscard]] bool operator==(const Fraction&) const = default;
    [[nodiscard]] Fraction operator*(const Fraction& o) const {
        return of(numerator * o.numerator, denominator * o.denominator);
    }
    [[nodiscard]] Fraction operator/(const Fraction& o) const {
        return of(numerator * o.denominator, denominator * o.numerator);
    }
    [[nodiscard]] Fraction operator+(const Fraction& o) const {
        return of(numerator * o.denominator + o.numerator * denominator, denominator * o.denominator);
    }
    [[nodiscard]] Fraction operator-(const Fraction& o) const { return *this + Fraction{-o.numerator, o.denominator}; }
};

class Translator {
public:
    explicit Translator(Library& library);

    /// The class named so, flattened. Failures are in diagnostics().
    [[nodiscard]] std::optional<model::Model> translate(const std::string& class_name);
    [[nodiscard]] Diagnostics& diagnostics() { return diagnostics_; }
    /// Units are compared, too; what does not fit is a warning of the model.
    void check_units() { checks_units_ = true; }
    /// What classes declare and determine, counted class by class as soon as everything is instantiated.
    [[nodiscard]] const std::vector<ClassBalance>& balances() const { return balances_; }

private:
    // messages
    [[noreturn]] void fail(const std::string& code, const Unit* unit, Span span, std::string message,
                           std::string hint = {}) const;
    [[noreturn]] void unsupported(const Unit* unit, Span span, const std::string& what, std::string hint = {}) const;
    void keep(const TranslationError& error, const std::string& path);
    [[nodiscard]] static SourceSpan place(const Unit* unit, Span span) {
        return {unit->file.get(), span.begin, span.end};
    }
    /// Counts nested evaluations; too many are refused.
    struct Depth {
        Depth(Translator& t, const Context& c, Span span);
        ~Depth() { --translator.depth_; }
        Translator& translator;
    };
    friend struct Depth;

    // modifiers
    Modifier* new_modifier();
    Modifier* modifier_of(const std::vector<ast::Modification>& list, ast::ExprId binding, const Unit* unit,
                          Instance* scope);
    Modifier* merge(Modifier* outer, Modifier* inner);
    Modifier* without_values(Modifier* m);
    Modifier* element_of(Modifier* m, const std::vector<int>& index, bool top = true);
    Modifier* with_field(Modifier* m, const Binding& whole, std::string_view field);

    // instances
    Instance* new_instance(const ast::ClassDefinition* definition, const Unit* unit, Instance* outer);
    void build(Instance* root);
    void add_elements(Instance* node, Instance* root, int depth);
    void add_element(Element* made, Instance* root);
    void in_text_order(Instance* node, Instance* root, std::vector<Element*>& out,
                       std::unordered_set<const Element*>& taken);
    void add_extends(Instance* node, Instance* root, const ast::ExtendsClause& clause, const ast::Element& element,
                     int depth);
    void inherit(Instance* node, Instance* root, Instance* base, Modifier* modifier, int depth, const Unit* unit,
                 Span span, bool is_protected);
    Element* redeclare(Element* original, Modifier* m, Instance* root);
    Instance* class_of(Element* element);
    Instance* alias_of(Element* element);
    void check_modifiers(Instance* root);

    // rules
    void check_class(const Instance* node);
    void check_modified_twice(const std::vector<ast::Modification>& list, const Unit* unit) const;
    void check_inheritance(const Instance* node, const Instance* base, const ast::Reference& name);
    void check_short_class(const Element* e, const Instance* base);
    void check_final(const Modifier* outer, const Modifier* declared, std::string_view name) const;
    void check_final(const Modifier* outer, const Element* declared) const;
    void check_protected_modification(const Component* c, Instance* type);
    void check_package(const Element* e, const ast::Reference& import, const Unit* unit) const;
    void check_visible(const Element* e, const Unit* unit, Span span, std::string_view around) const;
    void check_constraint(Element* declared, Instance* type, const Unit* unit, Span span);
    void check_redeclaration(const Element* original, const Element* made, Span span) const;
    void check_inherited_twice(const Element* first, const Element* inherited) const;
    void check_component(const Component* c, Instance* type);
    void check_replacements();
    void check_variability(const Component* c, const Quantity& q) const;
    void check_outer(Element* outer, Component* inner);
    void check_scope(const Context& c, const Element* e, Span span) const;
    void check_conditional(const Context& c, const Element* e, Span span) const;
    void check_time(const Context& c, Span span) const;
    void check_sources();
    void check_balanced_connector(const Component* c);
    [[nodiscard]] std::string lacking(Instance* type, Instance* constraint);
    [[nodiscard]] static bool same_literals(const Instance* a, const Instance* b);
    struct Replacement {
        Element *original, *made;
        Span span;
    };
    std::vector<Replacement> replacements_;
    std::unordered_set<const ast::ClassDefinition*> checked_;

    // names
    Element* find_local(Instance* instance, std::string_view name);
    Element* find_import(Instance* node, std::string_view name);
    Element* find_qualified(const ast::Reference& name, std::size_t parts, const Unit* unit);
    Element* find_top(std::string_view name);
    Element* find(std::string_view name, Instance* scope);
    [[nodiscard]] static bool is_declared_in(const Instance* node, const Element* e);
    [[nodiscard]] static bool is_base_of(const Instance* node, const Instance* base);
    Instance* find_class(const ast::Reference& name, Instance* scope, const Unit* unit);
    Instance* try_class(const ast::Reference& name, Instance* scope, const Unit* unit, std::string* wrong);
    [[nodiscard]] std::string suggestion(std::string_view name, Instance* scope);

    // components
    Component* make(Element* element);
    Component* make_inner(Element* element);
    Component* meant(Element* element);
    void make_parts(Component* c, Instance* type);
    std::vector<int> dimensions_of(Element* e, Instance* type, Modifier* m, bool& from_value);
    int dimension_value(const Dimension& d);
    Quantity value_of(Component* c);
    Quantity record_of(Component* c);
    Quantity compute_value(Component* c);
    Quantity variable_leaves(Component* c);
    std::optional<Quantity> attribute(Component* c, std::string_view name);
    Quantity evaluate_binding(const Binding& b);
    Quantity fit(Quantity q, Kind kind, const std::vector<int>& dimensions, const std::string& what, const Unit* unit,
                 Span span);
    Role role_of(Component* c);
    std::optional<Quantity> initial_value(Component* c);
    [[nodiscard]] bool is_fixed_false(Component* c);
    void make_all(Instance* instance);

    // expressions
    Quantity evaluate(const Context& c, ast::ExprId id);
    Quantity evaluate_inner(const Context& c, ast::ExprId id);
    Quantity reference(const Context& c, const ast::Reference& name, Span span);
    Quantity walk(const Context& c, Component* component, const ast::Reference& name, std::size_t part);
    Quantity follow(const Context& c, Quantity q, const ast::Reference& name, std::size_t part);
    Quantity class_value(const Context& c, Instance* instance, const ast::Reference& name, std::size_t part);
    Quantity subscript(const Context& c, const Quantity& q, const std::vector<ast::ExprId>& subscripts, Span span);
    std::vector<std::vector<int>> subscript_lists(const Context& c, const std::vector<int>& dimensions,
                                                  const std::vector<ast::ExprId>& subscripts, std::vector<bool>& keeps,
                                                  Span span, std::vector<expr::NodeId>* varying = nullptr);
    void must_hold_inside(const Context& c, expr::NodeId index, int size, Span span);
    Quantity binary(const Context& c, ast::ExprId id);
    Quantity operate(const Context& c, TokenKind op, const Quantity& a, const Quantity& b, Span span);
    Quantity overloaded(const Context& c, std::string_view op, const std::vector<Quantity>& operands, Span span);
    bool try_operator(const Context& c, Instance* type, std::string_view op, const std::vector<Quantity>& operands,
                      Span span, Quantity& result);
    Quantity unary(const Context& c, const ast::Expr& e);
    Quantity conditional(const Context& c, const ast::Expr& e);
    Quantity array(const Context& c, const ast::Expr& e);
    Quantity stack(const Context& c, std::vector<Quantity> items, Span span);
    Quantity matrix(const Context& c, const ast::Expr& e);
    Quantity concatenate(const Context& c, std::size_t dimension, std::vector<Quantity> items, Span span);
    Quantity range(const Context& c, const ast::Expr& e);
    Quantity promote(Quantity q, std::size_t rank);
    Quantity select(expr::NodeId condition, const Quantity& a, const Quantity& b, const Unit* unit, Span span);
    Quantity to_real(Quantity q);
    Quantity map_nodes(const Quantity& q, const std::function<expr::NodeId(expr::NodeId)>& f);
    Quantity derivative(const Context& c, const Quantity& q, Span span);
    expr::NodeId derivative(const Context& c, expr::NodeId node, Span span);
    expr::NodeId logical(expr::Op op, expr::NodeId a, expr::NodeId b);
    std::optional<double> fold(expr::NodeId node);
    double number(const Context& c, const Quantity& q, Span span, std::string_view what);
    int whole(const Context& c, const Quantity& q, Span span, std::string_view what);
    bool truth(const Context& c, const Quantity& q, Span span, std::string_view what);
    /// All numbers in it as constants, if they are known; else as they are.
    bool fold_all(Quantity& q);

    // calls
    Quantity call(const Context& c, const ast::Expr& e);
    std::optional<Quantity> builtin_call(const Context& c, const ast::Expr& e, const std::string& name);
    std::optional<Quantity> array_call(const Context& c, const ast::Expr& e, const std::string& name,
                                       std::vector<Quantity>& a);
    std::optional<Quantity> event_call(const Context& c, const ast::Expr& e, const std::string& name);
    Quantity reduction(const Context& c, const ast::Expr& e, const std::string& name);
    Quantity comprehension(const Context& c, const ast::Expr& e, std::size_t index, std::vector<Quantity>* flat);
    Quantity string_call(const Context& c, const ast::Expr& e, std::vector<Quantity>& a);
    Quantity elementwise(const Context& c, const ast::Expr& e, const std::string& name, std::vector<Quantity>& a);
    std::vector<Quantity> loop_values(const Context& c, const ast::ForIndex& index,
                                      const std::vector<ast::ExprId>& body);
    Instance* find_function(const Context& c, const ast::Reference& name, std::string* wrong);
    using Arguments = std::vector<std::pair<std::string, Quantity>>;
    Arguments arguments(const Context& c, const ast::Call& call);
    /// All outputs.
    std::vector<Quantity> call_function(const Context& c, Instance* function, Arguments arguments, Span span,
                                        std::size_t wanted);
    std::vector<Quantity> call_value(const Context& c, const Quantity& f, Arguments arguments, Span span);
    std::vector<Quantity> call_many(const Context& c, const ast::Expr& e, std::size_t wanted);
    Quantity construct_record(const Context& c, Instance* record, Arguments arguments, Span span);
    bool accepts(Instance* function, const std::vector<Quantity>& operands);
    Quantity in_stream(const Context& c, const ast::Expr& e, bool actual);

    // delays (delays.cpp)
    std::vector<expr::NodeId> delayed_; ///< the values of model_.delays
    Quantity delay(const Context& c, const ast::Expr& e);
    expr::NodeId delayed_value(expr::NodeId value, expr::NodeId duration, expr::NodeId longest, SourceSpan span);

    // semiLinear (semi_linear.cpp)
    struct SemiLinear {
        expr::NodeId flow, positive, negative;
    };
    std::unordered_map<std::uint32_t, SemiLinear> semi_linears_; ///< by node
    expr::NodeId semi_linear(expr::NodeId flow, expr::NodeId positive, expr::NodeId negative);
    void determine_carried_values();

    // transport (spatial_distribution.cpp)
    std::vector<Quantity> distribution_arguments(const Context& c, const ast::Expr& e);
    std::vector<Quantity> spatial_distribution(const Context& c, const ast::Expr& e); ///< out0 and out1
    void check_distribution(const Context& c, const ast::Expr& e, const Quantity& points, const Quantity& values);
    std::pair<expr::NodeId, expr::NodeId> transported_values(model::Transport t);

    // homotopy (homotopy.cpp)
    struct Homotopy {
        expr::NodeId actual, simplified;
    };
    std::vector<Homotopy> homotopies_;
    Quantity homotopy(const Context& c, const ast::Expr& e);
    [[nodiscard]] int homotopy_number(expr::NodeId node) const;
    expr::NodeId actual(expr::NodeId node);
    void resolve_homotopies();

    // functions
    struct Running { ///< a function or algorithm section being executed
        Frame* frame = nullptr;
        expr::NodeId active = expr::no_node; ///< statements count where this holds; no_node: always
        expr::NodeId path = expr::no_node;   ///< conditions of the branches around, of those not known yet
        expr::NodeId loop = expr::no_node;   ///< where no break has left the loop around; no_node: nowhere
        expr::NodeId around = expr::no_node; ///< where the call counts
        bool stopped = false;                ///< return or break on this path
        bool broken = false;
        bool in_section = false;             ///< algorithm section of a model
        model::WhenBranch* branch = nullptr; ///< the when-statement around it
    };
    [[nodiscard]] expr::NodeId guard_of(const Running& r);
    void execute(const Context& c, const std::vector<ast::Statement>& list, Running& r);
    void execute_one(const Context& c, const ast::Statement& s, Running& r);
    void execute_if(const Context& c, const ast::Statement& s, Running& r);
    void execute_for(const Context& c, const ast::Statement& s, std::size_t index, Running& r);
    // loops whose number of rounds depends on variables (loops.cpp)
    class OpenLoop;
    struct AssertedInside { ///< a loop: what it keeps until it ends
        expr::NodeId holds;
        std::string message;
        SourceSpan where;
    };
    // functions whose author wrote the derivative (derivative_functions.cpp)
    std::vector<Quantity> run_with_derivative(const Context& c, Instance* function, Frame& frame, Span span);
    std::vector<Quantity> annotated_call(Instance* function, std::vector<Quantity> results,
                                         const std::vector<expr::NodeId>& leaves,
                                         const std::vector<expr::NodeId>& actual,
                                         const std::vector<expr::NodeId>& seeds,
                                         const std::vector<expr::NodeId>& slopes);
    [[nodiscard]] bool varies(expr::NodeId node); ///< in time
    std::vector<char> varies_;                    ///< by node, as far as it has been asked
    struct LoopHead {
        std::function<expr::NodeId(OpenLoop&)> condition; ///< that there is a further round
        std::function<void(Running&)> round;
        std::function<void(OpenLoop&)> next; ///< behind a round
    };
    void open_loop(const Context& c, const ast::Statement& s, Running& r, const LoopHead& head);
    /// u between two bounds where a function is zero.
    Quantity root_of(const Context& c, const Quantity& f, expr::NodeId low, expr::NodeId high, Span span);
    void open_while(const Context& c, const ast::Statement& s, Running& r);
    /// Whether its bounds depend on variables; then it has been dealt with.
    bool open_for(const Context& c, const ast::Statement& s, std::size_t index, Running& r);
    /// Whether a loop keeps the assertion until it ends.
    bool asserted_in_loop(expr::NodeId holds, const std::string& message, expr::NodeId guard, const SourceSpan& where);
    static constexpr int first_loop_variable = 1 << 30; ///< beyond all variables of models
    OpenLoop* open_loop_ = nullptr;                     ///< the innermost one that is being translated
    int loop_variables_ = 0;
    void assign(const Context& c, const ast::Reference& target, Quantity value, Span span, Running& r);
    Quantity assigned_part(const Context& c, Quantity whole, const ast::Reference& target, std::size_t part,
                           const Quantity& value, Span span, expr::NodeId active);
    Quantity default_local(const Context& c, Element* e);
    std::vector<Element*> add_locals(Instance* function, Frame& frame); ///< returns the outputs
    Quantity local_value(Instance* function, Element* e, Frame& frame);
    std::vector<Quantity> run_function(const Context& c, Instance* function, Frame& frame, Span span);
    std::vector<Quantity> external_function(const Context& c, Instance* function, Frame& frame, Span span);
    std::optional<std::vector<Quantity>> native(const Context& c, const std::string& name, std::vector<Quantity>& a,
                                                Span span);
    std::optional<std::vector<Quantity>> table_call(const Context& c, const std::string& name, std::vector<Quantity>& a,
                                                    Span span);
    std::optional<std::vector<Quantity>> random_call(const Context& c, const std::string& name,
                                                     const std::vector<Quantity>& a, Span span);
    std::optional<std::vector<Quantity>> string_native(const Context& c, const std::string& name,
                                                       std::vector<Quantity>& a, Span span);
    std::optional<std::vector<Quantity>> matrix_call(const Context& c, const std::string& name,
                                                     std::vector<Quantity>& a, Span span);
    expr::NodeId piecewise(const Object& table, const std::vector<double>& x, const std::vector<double>& y,
                           expr::NodeId u);
    Quantity make_object(const Context& c, Instance* type, Arguments arguments, Span span);
    [[nodiscard]] const ast::ClassDefinition* body_of(Instance* function, Instance** node);

    // connections
    struct End {
        Component* component = nullptr;
        bool outside = false;
    };
    void collect_connections(Instance* instance);
    void collect_connections(const Context& c, const std::vector<ast::Equation>& list);
    bool mentions_connections(const std::vector<ast::Equation>& list) const;
    void connect(const Context& c, const ast::Equation& e);
    struct Endpoint {
        Component* component = nullptr;
        int element = -1; ///< of a variable that is an array; -1: all of it
    };
    struct Selected {
        std::vector<Endpoint> items;
        std::vector<int> dimensions;
        bool outside = false;
        bool missing = false; ///< a member that an expandable connector does not have yet
    };
    Selected select_connector(const Context& c, const ast::Reference& name, const Selected* other);
    void select_part(const Context& c, Component* at, const ast::Reference& name, std::size_t part, Selected& out,
                     std::vector<int> dimensions, const Selected* other);
    struct Pair {
        Endpoint a, b;
        bool a_outside, b_outside;
        const Unit* unit;
        Span span;
        Instance* scope;
    };
    std::vector<Pair> pairs_;
    void check_connector(const Context& c, const ast::Reference& name, const Selected& end) const;
    void check_connected(const Pair& p, Component* a, Component* b);
    void connect_pair(const Pair& p, Component* a, Component* b);
    void connect_leaves(const Pair& p, const Endpoint& a, const Endpoint& b);
    void fill_expandable();
    Component* expand(Instance* expandable, std::string_view name, Component* like, std::vector<int> dimensions);
    void connections_call(const Context& c, const ast::Expr& e, const std::string& name);
    Component* overdetermined(const Context& c, ast::ExprId id);
    void solve_connection_graph();
    void connection_sets();
    void find_unused_sets();
    std::vector<char> unused_sets_;
    void connection_equations();
    std::size_t leaf_id(Component* c, int element, bool outside);
    std::size_t set_of(std::size_t leaf);
    void unconnected_flows();
    bool has_equality_constraint(Component* c);
    expr::NodeId in_stream_node(Component* c, int element, int depth = 0);
    expr::NodeId mixed_stream(std::size_t set_member, bool for_outside, int depth);
    Component* flow_beside(Component* stream);
    void for_each_instance(const std::function<void(Instance*)>& f);
    void for_each_component(const std::function<void(Component*)>& f);
    void each_component(Instance* instance, const std::function<void(Component*)>& f);
    static void nodes_of(Instance* instance, std::vector<Instance*>& out);
    std::vector<std::vector<std::size_t>> sets_;
    std::vector<std::size_t> set_index_;

    // unknowns and equations of each class (balance.cpp)
    struct Count {
        int unknowns = 0, equations = 0;
        bool unclear = false; ///< of what has no count of its own: overdetermined and expandable connectors
    };
    std::vector<ClassBalance> balances_;
    std::unordered_map<const Instance*, int> determined_by_; ///< equations that the class writes, and bindings in it
    [[nodiscard]] int determined() const;
    void write(Component* c); ///< the equations of its declaration
    void write(Instance* instance);
    Count count(Instance* instance);
    void count_part(Component* c, Count& out);
    void count_connector(Component* c, bool own, bool flow, bool input, Count& out);
    void count_connections(std::unordered_map<const Instance*, Count>& counts) const;
    void count_classes();

    // units (units.cpp)
    class UnitCheck;
    bool checks_units_ = false;

    // equations
    void equations_of(Instance* instance);
    void equation_list(const Context& c, const std::vector<ast::Equation>& list, bool initial);
    void equation(const Context& c, const ast::Equation& e, bool initial);
    void if_equation(const Context& c, const ast::Equation& e, bool initial);
    void for_equation(const Context& c, const ast::Equation& e, std::size_t index,
                      const std::function<void(const Context&)>& body);
    void equate(const Context& c, const Quantity& a, const Quantity& b, bool initial, Span span,
                const std::string& description);
    void add_equation(Kind kind, expr::NodeId a, expr::NodeId b, bool initial, SourceSpan span,
                      const std::string& description);
    void call_equation(const Context& c, const ast::Equation& e);
    void binding_equations(Component* c);
    void warn(const Context& c, const ast::Call& call, Span span, bool conditional);
    void assertion(const Context& c, const ast::Call& call, Span span, expr::NodeId guard, model::WhenBranch* branch);
    /// An assertion under `guard`: of the when-branch, or at all times.
    void must_hold(expr::NodeId holds, std::string message, expr::NodeId guard, model::WhenBranch* branch,
                   SourceSpan where);
    [[nodiscard]] expr::NodeId both(expr::NodeId a, expr::NodeId b); ///< no_node: always true
    void algorithm(const Context& c, const ast::AlgorithmSection& section);
    void assigned_names(const std::vector<ast::Statement>& list, const Unit* unit,
                        std::vector<const ast::Reference*>& out, bool only_when, bool inside) const;
    void mark_when_targets(Instance* instance);
    void mark_when_targets(const Context& c, const std::vector<ast::Equation>& list, bool inside);
    void mark_target(const Context& c, const ast::Reference& name);
    void when_equation(const Context& c, const ast::Equation& e);
    void when_actions(const Context& c, const std::vector<ast::Equation>& list, expr::NodeId guard,
                      model::WhenBranch& branch);
    void when_statement(const Context& c, const ast::Statement& s, Running& r);
    void set_held(const Context& c, const Quantity& left, const Quantity& right, expr::NodeId guard, Span span,
                  model::WhenBranch& branch);
    void set_held(const Context& c, expr::NodeId left, expr::NodeId right, expr::NodeId guard, Span span,
                  model::WhenBranch& branch);
    std::vector<expr::NodeId> when_conditions(const Context& c, ast::ExprId id, bool& at_start);
    void reinit(const Context& c, const ast::Call& call, Span span, expr::NodeId guard, model::WhenBranch& branch);
    std::string message_of(const Context& c, ast::ExprId id);
    std::string message_level(const Context& c, const ast::Call& call);
    void finish_component(Component* c);
    void finish_variable(Component* c);
    std::optional<Quantity> boundary_condition(Component* c);

    // discrete variables
    int hold(const std::string& name, expr::NodeId start, Component* c);
    expr::NodeId pre(const Context& c, expr::NodeId node, Kind kind, Span span);
    void solve_discrete();
    void begin_discrete();
    void order_clauses();
    void read_experiment(Instance* instance);
    void name_initial_derivatives();
    void compute_outputs_afterwards();
    std::unordered_set<std::string> afterwards_; ///< variables that a flat text says are computed from the solution
    [[nodiscard]] bool is_flat() const;
    bool unused_member(Component* c);
    expr::NodeId pre_for_section(const Context& c, expr::NodeId n, Kind kind, Span span);

    // clocked equations (clocked.cpp)
    enum class ClockedOp : std::uint8_t { clock, sample, hold, previous, relate, no_clock, interval, first_tick };
    struct BaseClock {
        double interval = 0.0;                  ///< of a periodic clock; else the first one that interval() tells
        expr::NodeId condition = expr::no_node; ///< ticks where this becomes true
    };
    struct ClockedLeaf { ///< a clocked operator, standing for its result
        ClockedOp op = ClockedOp::clock;
        Kind kind = Kind::none;
        expr::NodeId argument = expr::no_node;
        expr::NodeId clock = expr::no_node;
        Fraction factor{1, 1}, shift{0, 1}; ///< relate: of the result's ticks by those of the argument
        bool inferred = false;              ///< relate: the factor is not given
        std::optional<BaseClock> base;
        std::string solver;
        SourceSpan span;
    };
    struct ClockedEquation {
        expr::NodeId left, right;
        SourceSpan span;
        expr::NodeId clock = expr::no_node;
    };
    static constexpr int first_clocked = (1 << 29) + (1 << 28); ///< beyond all placeholders
    std::vector<ClockedLeaf> clocked_;
    std::vector<ClockedEquation> clocked_equations_; ///< of clauses that wait for a clock
    std::vector<std::pair<expr::NodeId, expr::NodeId>> clock_equations_;
    expr::NodeId clocked_leaf(ClockedLeaf leaf);
    [[nodiscard]] int clocked_number(expr::NodeId node) const;
    Quantity clock_call(const Context& c, const ast::Expr& e);
    std::optional<Quantity> clocked_call(const Context& c, const ast::Expr& e, const std::string& name);
    bool is_clock(const Context& c, ast::ExprId condition);
    void clocked_when(const Context& c, const ast::Equation& e);
    std::vector<expr::NodeId> partition_leaves(std::initializer_list<expr::NodeId> nodes, bool* differentiated);
    std::string leaf_name(expr::NodeId leaf);
    expr::NodeId solved_for(const ClockedEquation& e, expr::NodeId unknown);
    std::vector<std::pair<expr::NodeId, expr::NodeId>> solve_partition(std::vector<ClockedEquation> equations,
                                                                       const std::vector<expr::NodeId>& unknowns);
    void solve_clocked();
    expr::NodeId remembered(expr::NodeId held);
    expr::NodeId first_tick(int& ticked, int number);
    expr::NodeId tick_condition(int base_leaf, const Fraction& factor, const Fraction& shift,
                                const std::function<expr::NodeId(expr::NodeId)>& resolved, const SourceSpan& span);
    void remove_clocked_variables(const std::unordered_map<std::uint32_t, expr::NodeId>& becomes,
                                  const std::function<expr::NodeId(expr::NodeId)>& resolved);
    std::string placeholder_name(std::size_t k);
    expr::NodeId placeholder_start(std::size_t k);

    Library& library_;
    Diagnostics diagnostics_;
    int errors_ = 0;
    int depth_ = 0;
    bool time_is_start_ = false; ///< `time` is that of the start: initial equations of parameters
    bool start_time_used_ = false;
    bool allow_unset_ = false; ///< only the size of what is evaluated matters
    int in_function_ = 0;      ///< functions being evaluated: their relations make no events
    long steps_ = 0;           ///< statements executed in functions
    model::Model model_;
    expr::Graph& g_;
    expr::TimeDerivative time_derivative_;
    std::unordered_map<expr::NodeId, int> nested_derivatives_; ///< of der(e): how many are nested in it
    std::deque<Instance> instances_;
    std::unordered_map<const Instance*, int> base_counts_; ///< extends-nodes of each class
    std::deque<Element> elements_;
    std::deque<Modifier> modifiers_;
    std::deque<Component> components_;
    Instance* global_ = nullptr;
    /// The model's own name and the path in it: Vehicle.engine.controller (Modelica 3.6, 3.7.4.2).
    [[nodiscard]] std::string instance_name(const std::string& path) const {
        const std::string model(top_ != nullptr ? top_->definition->name : std::string_view());
        return path.empty() ? model : model + "." + path;
    }

    Instance* top_ = nullptr;
    std::deque<ast::ClassDefinition> predefined_;
    std::deque<std::string> names_;
    std::deque<ast::Component> plain_components_; ///< declarations of members that expandable connectors were given
    bool simulating_ = false;                     ///< the whole tree is there: variables may be asked for
    bool collecting_ = false;
    std::vector<int> set_parameters_;

    // leaves of discrete variables until their definitions are known
    struct Placeholder {
        Component* component = nullptr;
        std::size_t element = 0;
        expr::NodeId value = expr::no_node;
    };
    static constexpr int first_placeholder = 1 << 29;
    std::vector<Placeholder> placeholders_;
    struct DiscreteEquation {
        expr::NodeId left, right;
        SourceSpan span;
    };
    void in_order_of_use(std::vector<DiscreteEquation>& list, const std::function<int(expr::NodeId)>& held) const;
    std::vector<DiscreteEquation> discrete_equations_;
    std::vector<DiscreteEquation> discrete_initial_;
    std::unordered_map<std::uint32_t, int> memories_; ///< of a leaf: held parameter
    std::unordered_map<std::uint32_t, int> held_;     ///< leaf → held parameter (itself)
    std::vector<std::pair<Component*, std::size_t>> variable_owner_;
    std::map<std::tuple<const Unit*, std::uint32_t, Instance*>, Quantity> bindings_;

    // connections
    struct Leaf {
        Component* component;
        int element;
        bool outside;
        std::size_t parent; ///< union-find
        const Unit* unit;
        Span span;
        Instance* scope = nullptr; ///< where it is connected
    };
    std::vector<Leaf> leaves_;
    std::map<std::tuple<Component*, int, bool>, std::size_t> leaf_ids_;
    std::unordered_map<Component*, int> cardinality_;
    struct GraphNode {
        Component* component;
        bool root = false, potential = false, chosen = false;
        double priority = 0;
        int distance = -1;
    };
    std::vector<GraphNode> graph_nodes_;
    std::unordered_map<Component*, std::size_t> graph_ids_;
    std::vector<std::pair<std::size_t, std::size_t>> branches_;
    struct Edge {
        std::size_t a, b;
        bool broken = false;
        const Unit* unit;
        Span span;
        Instance* scope;
        bool a_outside = false, b_outside = false;
    };
    std::vector<Edge> edges_;
    std::size_t graph_node(Component* c);
    std::vector<model::Equation>* redirected_ = nullptr; ///< branches of if-equations collect here
    std::vector<DiscreteEquation>* redirected_discrete_ = nullptr;
    /// Where the branch counts that is translated now: of if-equations, if-expressions, and inside functions.
    expr::NodeId guard_ = expr::no_node;
    model::WhenBranch* acting_ = nullptr;              ///< the when-branch whose body is translated now
    std::unordered_set<expr::NodeId> always_asserted_; ///< that at all times
    bool initial_ = false;                             ///< initial equations are translated
    class Under;                                       ///< adds a condition to guard_ for as long as it lives
    std::unordered_set<Component*> connected_;
    std::map<std::pair<expr::NodeId, expr::NodeId>, int> sample_ids_;
};

/// Gives a variable another value for as long as it lives.
template <class T>
class Restored {
public:
    Restored(T& variable, T value) : variable_(variable), outer_(std::exchange(variable, value)) {}
    ~Restored() { variable_ = outer_; }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;

private:
    T& variable_;
    T outer_;
};

class Translator::Under {
public:
    Under(Translator& translator, expr::NodeId condition) : translator_(translator), outer_(translator.guard_) {
        translator.guard_ = translator.both(outer_, condition);
    }
    ~Under() { translator_.guard_ = outer_; }
    Under(const Under&) = delete;
    Under& operator=(const Under&) = delete;

private:
    Translator& translator_;
    expr::NodeId outer_;
};

} // namespace daedalus::modelica
