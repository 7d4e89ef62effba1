// Whether what is made in this thread, from here to the end of a scope, may be machine code: how the wish of one
// integration reaches every program that it makes, linear solvers' included, without a parameter through all layers.
#pragma once

namespace daedalus::tape {

class MachineCodeScope {
public:
    /// `allowed` takes nothing back: what an outer scope or the process denies stays denied.
    explicit MachineCodeScope(bool allowed);
    ~MachineCodeScope();
    MachineCodeScope(const MachineCodeScope&) = delete;
    MachineCodeScope& operator=(const MachineCodeScope&) = delete;

private:
    bool before_;
};

} // namespace daedalus::tape
