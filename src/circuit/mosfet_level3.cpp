#include "circuit/mosfet.hpp"
namespace daedalus::circuit {
ChannelLaw channel_level3(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v) {
    return channel_level1(a, c, v);
}
} // namespace daedalus::circuit
