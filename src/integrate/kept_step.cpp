#include "integrate/kept_step.hpp"

namespace daedalus::integrate {

std::unique_ptr<const KeptStep> ContinuousOutput::keep() const { return nullptr; }

} // namespace daedalus::integrate
