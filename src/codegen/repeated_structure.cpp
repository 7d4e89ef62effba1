#include "codegen/repeated_structure.hpp"

#include "codegen/lowering.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace daedalus::codegen {

namespace {

using expr::NodeId;
using expr::Op;

constexpr std::uint32_t none = 0xFFFFFFFFU;
constexpr std::uint32_t several = none - 1;

/// Below this, a straight tape fits the caches and has no gathering to pay for.
constexpr std::size_t smallest_work = 4000;
/// Fewer instances than lanes of a block are not worth a loop.
constexpr std::size_t smallest_loop = Loop::lanes;
/// Deep chains of shared values make many small stages; a straight tape does that better.
constexpr std::size_t most_levels = 64;
/// A value that costs no more operations than this is computed again rather than stored and gathered: vector code does
/// four at a time, and what reads inputs only needs no gathering where they lie side by side.
constexpr unsigned cheap = 8;

unsigned cost(Op op) { // in additions; calls and divisions only have to be more than `cheap`
    switch (op) {
    case Op::neg:
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::abs:
    case Op::min:
    case Op::max: return 1;
    default: return cheap + 1;
    }
}

struct Cluster {
    std::uint32_t level = 0;
    std::uint32_t shape = 0;
    bool to_outputs = false;
    std::vector<std::uint32_t> operands; ///< positions, in the order in which the code meets them
    std::vector<std::uint32_t> roots;    ///< positions whose values leave the cluster …
    std::vector<std::uint32_t> outputs;  ///< … and, for groups, the outputs they are
};

/// A shape: the code of a cluster with operands numbered as they are met. Words: operation and operand references.
using Key = std::vector<std::uint32_t>;
struct KeyHash {
    std::size_t operator()(const Key& key) const {
        std::uint64_t h = 0xcbf29ce484222325ULL; // FNV-1a, by words
        for (const std::uint32_t word : key) h = (h ^ word) * 0x100000001b3ULL;
        return static_cast<std::size_t>(h ^ (h >> 29U));
    }
};

class Repeated {
public:
    Repeated(Lowering& lowering, std::span<const NodeId> outputs, std::span<const std::uint32_t> group)
        : l_(lowering), outputs_(outputs), group_(group.begin(), group.end()) {
        if (group_.empty())
            for (std::uint32_t k = 0; k < outputs.size(); ++k) group_.push_back(k);
        groups_ = group_.empty() ? 0 : *std::max_element(group_.begin(), group_.end()) + 1;
    }

    [[nodiscard]] std::optional<LoopedTape> run() {
        assign_owners();
        if (work_ < smallest_work) return std::nullopt;
        make_clusters();
        gather_instances();
        if (levels_ > most_levels || 2 * looped_work_ < total_work_) return std::nullopt;
        return emit();
    }

private:
    [[nodiscard]] const expr::Graph& g() const { return l_.graph; }
    [[nodiscard]] bool is_value(std::uint32_t position) const { return owner_[position] == groups_ + position; }

    void assign_owners();
    void make_clusters();
    void describe(Cluster& cluster, std::uint32_t self);
    void gather_instances();
    [[nodiscard]] LoopedTape emit();
    [[nodiscard]] Loop make_loop(const std::vector<std::uint32_t>& instances);
    void lower_rest(LoopedTape& result, std::uint32_t level, const std::vector<std::uint32_t>& singles);
    /// Work of a cluster in topological order, as met from its roots.
    void walk(const Cluster& cluster, std::uint32_t self);

    Lowering& l_;
    std::span<const NodeId> outputs_;
    std::vector<std::uint32_t> group_;
    std::uint32_t groups_ = 0;
    std::size_t work_ = 0;

    /// Cluster of each node: a group, groups_ + position for a value of its own, or `several` where it is cheap
    /// enough to be computed in every cluster that uses it.
    std::vector<std::uint32_t> owner_;
    std::vector<Cluster> clusters_;
    std::vector<std::uint32_t> cluster_self_;  ///< owner number of each cluster
    std::vector<std::uint32_t> value_cluster_; ///< by position: the cluster that makes it
    std::vector<std::size_t> shape_work_;
    std::unordered_map<Key, std::uint32_t, KeyHash> shapes_;
    std::size_t levels_ = 0, looped_work_ = 0, total_work_ = 0;
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> loops_; ///< level, instances
    std::vector<std::vector<std::uint32_t>> singles_;                         ///< by level

    // Scratch of walk() and describe().
    std::vector<std::uint32_t> stamp_, reference_;
    std::uint32_t stamps_ = 0;
    std::vector<std::uint32_t> met_;
    std::vector<std::pair<std::uint32_t, int>> stack_;
    Key key_;
};

void Repeated::assign_owners() {
    const std::size_t count = l_.size();
    owner_.assign(count, none);
    std::vector<unsigned> price(count, 0); // operations down to inputs, saturating
    for (std::size_t i = 0; i < count; ++i) {
        if (!l_.is_work(i)) continue;
        ++work_;
        unsigned sum = cost(g().op(l_.node(i)));
        for (int k = 0; k < g().arity(l_.node(i)); ++k) sum += price[l_.position(g().operand(l_.node(i), k))];
        price[i] = std::min(sum, cheap + 1);
    }
    const auto claim = [&](std::uint32_t position, std::uint32_t by) {
        std::uint32_t& owner = owner_[position];
        owner = owner == none || owner == by ? by : several;
    };
    for (std::size_t k = 0; k < outputs_.size(); ++k) claim(l_.position(outputs_[k]), group_[k]);
    for (auto i = static_cast<std::uint32_t>(count); i-- > 0;) { // users before operands
        if (!l_.is_work(i)) continue;
        if (owner_[i] == several && price[i] > cheap) owner_[i] = groups_ + i;
        for (int k = 0; k < g().arity(l_.node(i)); ++k) claim(l_.position(g().operand(l_.node(i), k)), owner_[i]);
    }
}

void Repeated::make_clusters() {
    const std::size_t count = l_.size();
    stamp_.assign(count, 0);
    reference_.assign(count, 0);
    value_cluster_.assign(count, none);
    // Values by ascending position: operands before their users. Groups last: nobody reads them.
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!l_.is_work(i) || !is_value(i)) continue;
        value_cluster_[i] = static_cast<std::uint32_t>(clusters_.size());
        Cluster cluster;
        cluster.roots.push_back(i);
        describe(cluster, groups_ + i);
        clusters_.push_back(std::move(cluster));
        cluster_self_.push_back(groups_ + i);
    }
    std::vector<std::vector<std::uint32_t>> members(groups_);
    for (std::uint32_t k = 0; k < outputs_.size(); ++k) {
        const std::uint32_t i = l_.position(outputs_[k]);
        if (l_.is_work(i) && !is_value(i)) members[group_[k]].push_back(k);
    }
    for (std::uint32_t group = 0; group < groups_; ++group) {
        if (members[group].empty()) continue;
        Cluster cluster;
        cluster.to_outputs = true;
        cluster.outputs = std::move(members[group]);
        for (const std::uint32_t k : cluster.outputs) cluster.roots.push_back(l_.position(outputs_[k]));
        describe(cluster, group);
        clusters_.push_back(std::move(cluster));
        cluster_self_.push_back(group);
    }
}

// Depth first from the roots, operands in their order: equal code is met in equal order whatever the ids are.
void Repeated::walk(const Cluster& cluster, std::uint32_t self) {
    met_.clear();
    ++stamps_;
    const auto inside = [&](std::uint32_t i) { return l_.is_work(i) && (owner_[i] == self || owner_[i] == several); };
    for (const std::uint32_t root : cluster.roots) {
        if (stamp_[root] == stamps_) continue;
        stack_.emplace_back(root, 0);
        stamp_[root] = stamps_;
        while (!stack_.empty()) {
            auto& [i, k] = stack_.back();
            if (k < g().arity(l_.node(i))) {
                const std::uint32_t operand = l_.position(g().operand(l_.node(i), k++));
                if (!inside(operand) || stamp_[operand] == stamps_) continue;
                stamp_[operand] = stamps_;
                stack_.emplace_back(operand, 0);
            } else {
                met_.push_back(i);
                stack_.pop_back();
            }
        }
    }
}

void Repeated::describe(Cluster& cluster, std::uint32_t self) {
    walk(cluster, self);
    key_.clear();
    key_.push_back(cluster.to_outputs ? 1 : 0);
    for (std::uint32_t at = 0; at < met_.size(); ++at) reference_[met_[at]] = 2 * at;
    const std::uint32_t inside = stamps_;
    ++stamps_; // a second mark for operands already numbered
    std::size_t work = 0;
    for (const std::uint32_t i : met_) {
        const Op op = g().op(l_.node(i));
        key_.push_back(static_cast<std::uint32_t>(op));
        work += 1;
        for (int k = 0; k < expr::arity(op); ++k) {
            const NodeId operand = g().operand(l_.node(i), k);
            if (op == Op::pow && k == 1) // an integer exponent is part of the code
                if (const auto n = integer_exponent(g(), operand)) {
                    key_.push_back(static_cast<std::uint32_t>(*n));
                    key_.push_back(none);
                    continue;
                }
            const std::uint32_t p = l_.position(operand);
            if (stamp_[p] != inside && stamp_[p] != stamps_) {
                stamp_[p] = stamps_;
                reference_[p] = 2 * static_cast<std::uint32_t>(cluster.operands.size()) + 1;
                cluster.operands.push_back(p);
                if (value_cluster_[p] != none)
                    cluster.level = std::max(cluster.level, clusters_[value_cluster_[p]].level + 1);
            }
            key_.push_back(reference_[p]);
        }
    }
    key_.push_back(none);
    for (const std::uint32_t root : cluster.roots) key_.push_back(reference_[root]);
    const auto [it, is_new] = shapes_.try_emplace(key_, static_cast<std::uint32_t>(shapes_.size()));
    if (is_new) shape_work_.push_back(work);
    cluster.shape = it->second;
    total_work_ += work;
}

void Repeated::gather_instances() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_code;
    for (std::uint32_t c = 0; c < clusters_.size(); ++c) {
        by_code[{clusters_[c].level, clusters_[c].shape}].push_back(c);
        levels_ = std::max<std::size_t>(levels_, clusters_[c].level + std::size_t{1});
    }
    singles_.resize(levels_);
    for (auto& [code, instances] : by_code) {
        if (instances.size() >= smallest_loop) {
            looped_work_ += instances.size() * shape_work_[code.second];
            loops_.emplace_back(code.first, std::move(instances));
        } else {
            auto& list = singles_[code.first];
            list.insert(list.end(), instances.begin(), instances.end());
        }
    }
    for (auto& list : singles_) std::sort(list.begin(), list.end());
}

Loop Repeated::make_loop(const std::vector<std::uint32_t>& instances) {
    Loop loop;
    loop.count = static_cast<std::uint32_t>(instances.size());
    const Cluster& first = clusters_[instances.front()];
    loop.to_outputs = first.to_outputs;
    // Code of the first instance, with operands at the head of a memory of their own.
    Emitter emitter(g(), loop.body);
    emitter.next_slot = emitter.constant(1.0) + 1; // for reciprocals
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t p : first.operands) {
        kept.push_back(l_.slot[p]);
        l_.slot[p] = emitter.next_slot++;
    }
    walk(first, cluster_self_[instances.front()]);
    for (std::uint32_t at = 0; at < met_.size(); ++at) reference_[met_[at]] = at;
    std::vector<Lowering::Store> stores;
    for (std::uint32_t k = 0; k < first.roots.size(); ++k) stores.push_back({reference_[first.roots[k]], k});
    std::sort(stores.begin(), stores.end());
    std::vector<std::uint32_t> slots_of_values; // lowering overwrites the places of its nodes
    for (const std::uint32_t i : met_) slots_of_values.push_back(l_.slot[i]);
    l_.lower_nodes(emitter, met_, stores, loop.body.main_part);
    for (std::size_t k = 0; k < met_.size(); ++k) l_.slot[met_[k]] = slots_of_values[k];
    emitter.emit(tape::Code::halt, 0, 0);
    loop.body.memory = emitter.next_slot;
    loop.body.outputs = static_cast<std::uint32_t>(first.roots.size());
    for (std::size_t k = 0; k < kept.size(); ++k) l_.slot[first.operands[k]] = kept[k];

    for (std::size_t k = 0; k < first.operands.size(); ++k) {
        Loop::Operand operand;
        for (const std::uint32_t c : instances) operand.index.push_back(l_.slot[clusters_[c].operands[k]]);
        operand.first = operand.index.front();
        bool uniform = true, contiguous = true;
        for (std::uint32_t i = 0; i < operand.index.size(); ++i) {
            uniform = uniform && operand.index[i] == operand.first;
            contiguous = contiguous && operand.index[i] == operand.first + i;
        }
        using Kind = Loop::Operand::Kind;
        operand.kind = uniform ? Kind::uniform : contiguous ? Kind::contiguous : Kind::gathered;
        if (operand.kind != Kind::gathered) operand.index = {};
        loop.operands.push_back(std::move(operand));
    }
    for (std::size_t k = 0; k < first.roots.size(); ++k) {
        Loop::Result result;
        for (const std::uint32_t c : instances)
            result.index.push_back(loop.to_outputs ? clusters_[c].outputs[k] : l_.slot[clusters_[c].roots[k]]);
        loop.results.push_back(std::move(result));
    }
    return loop;
}

void Repeated::lower_rest(LoopedTape& result, std::uint32_t level, const std::vector<std::uint32_t>& singles) {
    tape::Tape& rest = result.stages[level].rest;
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t c : singles) {
        walk(clusters_[c], cluster_self_[c]);
        nodes.insert(nodes.end(), met_.begin(), met_.end());
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    // Values move from where they are computed to the slots in which later stages look for them.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> homes;
    std::vector<Lowering::Store> stores;
    const auto store = [&](std::uint32_t root, std::uint32_t home) {
        const auto at = std::lower_bound(nodes.begin(), nodes.end(), root) - nodes.begin();
        stores.push_back({static_cast<std::uint32_t>(at), home - result.values_begin});
    };
    for (const std::uint32_t c : singles)
        for (std::size_t k = 0; k < clusters_[c].roots.size(); ++k) {
            const std::uint32_t root = clusters_[c].roots[k];
            if (clusters_[c].to_outputs) {
                const std::uint32_t home = l_.emitter.next_slot++;
                store(root, home);
                result.copies.emplace_back(clusters_[c].outputs[k], home);
            } else {
                store(root, l_.slot[root]);
                homes.emplace_back(root, l_.slot[root]);
            }
        }
    std::sort(stores.begin(), stores.end());
    l_.emitter.forget_free_slots(); // a free slot may be one that was handed out between two stages
    l_.lower_nodes(l_.emitter, nodes, stores, rest.main_part);
    l_.emitter.emit(tape::Code::halt, 0, 0);
    rest.outputs = static_cast<std::uint32_t>(stores.size());
    for (const auto& [root, home] : homes) l_.slot[root] = home;
}

LoopedTape Repeated::emit() {
    LoopedTape result;
    l_.lower_held();
    result.values_begin = l_.emitter.next_slot;
    for (std::uint32_t i = 0; i < l_.size(); ++i)
        if (value_cluster_[i] != none) l_.slot[i] = l_.emitter.next_slot++;
    result.stages.resize(levels_);
    for (std::uint32_t level = 0; level < levels_; ++level)
        if (!singles_[level].empty()) lower_rest(result, level, singles_[level]);
    for (const auto& [level, instances] : loops_) result.stages[level].loops.push_back(make_loop(instances));
    for (std::uint32_t k = 0; k < outputs_.size(); ++k) {
        const std::uint32_t i = l_.position(outputs_[k]);
        if (!l_.is_work(i) || is_value(i)) result.copies.emplace_back(k, l_.slot[i]);
    }
    l_.emitter.write_to(l_.tape.main_part);
    l_.emitter.emit(tape::Code::halt, 0, 0);
    l_.tape.memory = l_.emitter.next_slot;
    for (LoopedTape::Stage& stage : result.stages) {
        if (stage.rest.main_part.empty()) continue;
        stage.rest.constants = l_.tape.constants;
        stage.rest.functions = l_.tape.functions;
        stage.rest.segment_begin = l_.tape.segment_begin;
        stage.rest.static_part = {tape::Instruction{}};
        stage.rest.memory = l_.tape.memory;
    }
    result.tape = std::move(l_.tape);
    return result;
}

} // namespace

std::size_t LoopedTape::instructions() const {
    std::size_t sum = copies.size();
    for (const Stage& stage : stages) {
        if (!stage.rest.main_part.empty()) sum += stage.rest.main_part.size() - 1;
        for (const Loop& loop : stage.loops) sum += loop.count * (loop.body.main_part.size() - 1);
    }
    return sum;
}

std::size_t LoopedTape::stored() const {
    std::size_t sum = tape.static_part.size() + tape.time_part.size();
    for (const Stage& stage : stages) {
        sum += stage.rest.main_part.size();
        for (const Loop& loop : stage.loops) sum += loop.body.main_part.size();
    }
    return sum;
}

std::optional<LoopedTape> lower_repeated(const expr::Graph& graph, const Segments& segments,
                                         std::span<const NodeId> outputs, std::span<const std::uint32_t> group,
                                         Hold hold) {
    std::vector<NodeId> nodes = graph.reachable(outputs);
    if (std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return graph.op(n) == Op::call; }))
        return std::nullopt; // routines run one after the other
    Lowering lowering(graph, segments, std::move(nodes), outputs.size(), hold);
    return Repeated(lowering, outputs, group).run();
}

} // namespace daedalus::codegen
