// Every test problem with its start values disturbed by seeded relative noise: initial values come back to the
// equations and all hidden constraints, or are refused; nothing in between. The problems are solvable near their
// published values, so small noise must never lead to a refusal.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <random>

using namespace daedalus;

TEST(PerturbedProblems, ReturnToConsistencyOrAreRefused) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR "/tests/problems"))
        if (entry.path().extension() == ".mo") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    ASSERT_GE(files.size(), 17u);
    constexpr double noises[] = {1e-3, 1e-2, 0.1, 1.0};
    int consistent[4] = {}, refused[4] = {};
    double worst = 0.0;
    for (const auto& file : files) {
        auto model = Model::from_file(file.string());
        ASSERT_TRUE(model) << render(model.error());
        const auto published = initialize(*model);
        ASSERT_TRUE(published) << file << "\n" << render(published.error());
        EXPECT_LE(published->relative_residual, 1e-10) << file;
        for (int level = 0; level < 4; ++level) {
            std::minstd_rand random(1234u + static_cast<unsigned>(level));
            std::normal_distribution<double> normal;
            SolveOptions options;
            for (const InitialValue& v : published->values)
                if (v.before && v.strength != "follows")
                    options.starts.push_back(
                        {v.name,
                         *v.before + noises[level] * normal(random) * (*v.before != 0.0 ? std::abs(*v.before) : 1.0),
                         v.strength == "guess" ? StartStrength::guess : StartStrength::preferred});
            const auto disturbed = initialize(*model, options);
            if (disturbed) {
                ++consistent[level];
                worst = std::max(worst, disturbed->relative_residual);
                EXPECT_LE(disturbed->relative_residual, 1e-10) << file << " noise " << noises[level];
                for (const InitialValue& v : disturbed->values) EXPECT_TRUE(std::isfinite(v.after)) << v.name;
            } else {
                ++refused[level];
                std::printf("%s, noise %g: %s\n", file.filename().c_str(), noises[level],
                            disturbed.error()[0].message.substr(0, 200).c_str());
                EXPECT_GE(noises[level], 0.1) << file << "\n" << render(disturbed.error());
            }
        }
    }
    for (int level = 0; level < 4; ++level)
        std::printf("noise %-6g: %d consistent, %d refused\n", noises[level], consistent[level], refused[level]);
    std::printf("worst relative residual %.2g\n", worst);
}
