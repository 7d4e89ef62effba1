#include "output/atomic_file.hpp"
#include "output/html_report.hpp"
#include "sample_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>

using namespace daedalus;
using namespace daedalus::output;

// Written to <build>/samples, to be looked at in a browser.
TEST(HtmlReport, SamplesToLookAt) {
    const std::filesystem::path folder = std::filesystem::path(DAEDALUS_BINARY_DIR) / "samples";
    std::filesystem::create_directories(folder);
    const std::string page = html_report(sample::pendulum(), sample::pendulum_report());
    EXPECT_TRUE(write_atomically((folder / "pendulum.html").string(), page).has_value());
    const std::string large = html_report(sample::many(200, 5000), {});
    EXPECT_TRUE(write_atomically((folder / "many.html").string(), large).has_value());
    EXPECT_LT(large.size(), 6'000'000U);
}
