// Machines that give less than most: no executable memory, processors without wide registers or fused products.
#include "cli/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

#if defined(__linux__) && defined(__x86_64__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace cli_test {
namespace {

using testing::HasSubstr;

/// For this process and those it starts, as a hardened system does: no page becomes executable.
bool forbid_executable_memory() {
    sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// Exit code of the process that asks: 0 if all is as it should be, 2 where the system has no such filter.
int solve_without_executable_memory(const std::string& expected) {
    if (!forbid_executable_memory()) return 2;
    const Answer r = run({"solve", example("pendulum.mo"), "--until", "1"});
    const std::string warning = "warning: the equations are interpreted, which is slower: the system allows no "
                                "executable memory";
    const std::size_t at = r.err.find(warning);
    const bool once = at != std::string::npos && r.err.find("interpreted", at + warning.size()) == std::string::npos;
    const Answer silent = run({"solve", example("pendulum.mo"), "--until", "1", "--no-jit"});
    return r.code == 0 && once && silent.err.empty() && silent.out == expected ? 0 : 1;
}

TEST(Machine, WithoutExecutableMemoryEquationsAreInterpretedWithOneWarning) {
    const Answer usual = run({"solve", example("pendulum.mo"), "--until", "1"});
    ASSERT_EQ(usual.code, 0);
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(
        std::exit(solve_without_executable_memory(usual.out)),
        [](int status) { return WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 2); }, "");
}

TEST(Machine, OlderProcessorsGetOlderInstructions) {
    for (const auto& [wish, name] : {std::pair("sse2", "SSE2"), std::pair("AVX", "AVX")}) {
        const How how{.environment = {fmt::format("DAEDALUS_CPU={}", wish)}};
        const Answer said = run({"explain", example("pendulum.mo")}, how);
        EXPECT_THAT(said.out, HasSubstr(fmt::format("{} code", name)));
        for (const char* const model : {"pendulum.mo", "transistor_amplifier.mo"}) {
            const Answer r = run({"solve", example(model), "--until", "0.1"}, how);
            EXPECT_EQ(r.code, 0) << wish << ' ' << model << '\n' << r.err;
            EXPECT_THAT(r.out, HasSubstr("solved")) << wish << ' ' << model;
            // The interpreter rounds as machine code does, on every processor.
            How interpreted = how;
            interpreted.environment.emplace_back("DAEDALUS_NO_JIT=1");
            EXPECT_EQ(run({"solve", example(model), "--until", "0.1"}, interpreted).out, r.out) << wish << ' ' << model;
        }
    }
}

} // namespace
} // namespace cli_test

#endif
