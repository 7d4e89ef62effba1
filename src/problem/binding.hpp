// Code bound to an environment and to memory of its own. Code is immutable and shared; environment and workspace belong
// to the binding, so that copies of it run in different threads, with different parameters.
#pragma once

#include "problem/environment.hpp"

#include <functional>
#include <memory>
#include <utility>

namespace daedalus::problem {

/// Memory that functions of a system need while they run.
struct Workspace {
    Workspace() = default;
    Workspace(const Workspace&) = default;
    Workspace& operator=(const Workspace&) = default;
    virtual ~Workspace() = default;
};

/// What a function of a system is evaluated with, besides its arguments.
struct Call {
    const void* code;
    const Environment& environment;
    Workspace* workspace;
    template <class Code>
    [[nodiscard]] const Code& as() const {
        return *static_cast<const Code*>(code);
    }
    /// The object of Binding::to().
    template <class Object>
    [[nodiscard]] Object& object() const {
        return *static_cast<Object*>(const_cast<void*>(code));
    }
};

class Binding {
public:
    using MakeWorkspace = std::function<std::unique_ptr<Workspace>()>;

    Binding() = default;
    Binding(std::shared_ptr<const void> code, MakeWorkspace make, Environment environment = {})
        : code_(std::move(code)), make_(std::move(make)), environment_(std::move(environment)),
          workspace_(make_ ? make_() : nullptr) {}
    Binding(const Binding& other)
        : code_(other.code_), make_(other.make_), environment_(other.environment_),
          workspace_(make_ ? make_() : nullptr) {}
    Binding(Binding&&) noexcept = default;
    Binding& operator=(Binding other) noexcept {
        swap(other);
        return *this;
    }
    ~Binding() = default;

    /// To an object that is code and workspace in one, so that copies of the binding share it: for one thread.
    template <class Object>
    [[nodiscard]] static Binding to(std::shared_ptr<Object> object) {
        return {std::shared_ptr<const void>(std::move(object)), {}};
    }
    /// The same with an object that somebody else owns and that outlives the binding.
    template <class Object>
    [[nodiscard]] static Binding to(Object& object) {
        return {std::shared_ptr<const void>(std::shared_ptr<void>(), &object), {}};
    }

    [[nodiscard]] Call call() const { return {code_.get(), environment_, workspace_.get()}; }
    [[nodiscard]] const void* code() const { return code_.get(); }
    [[nodiscard]] const Environment& environment() const { return environment_; }
    [[nodiscard]] Environment& environment() { return environment_; }

private:
    void swap(Binding& other) noexcept {
        std::swap(code_, other.code_);
        std::swap(make_, other.make_);
        std::swap(environment_, other.environment_);
        std::swap(workspace_, other.workspace_);
    }
    std::shared_ptr<const void> code_;
    MakeWorkspace make_;
    Environment environment_;
    std::unique_ptr<Workspace> workspace_;
};

} // namespace daedalus::problem
