// A value or the reasons why there is none, and the short way to fail.
#pragma once

#include "base/diagnostic.hpp"
#include "daedalus/expected.hpp"

namespace daedalus {

/// A failure made of one diagnostic.
[[nodiscard]] inline Unexpected<Diagnostics> fail(Diagnostic diagnostic) {
    return {Diagnostics{std::move(diagnostic)}};
}

} // namespace daedalus
