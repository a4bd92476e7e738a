#include "provisioner/base/words.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <stdexcept>

namespace {

enum class Color { red, green, nameless };

}  // namespace

template <>
inline constexpr std::array provisioner::base::words<Color>{
    std::pair{Color::red, std::string_view("red")},
    std::pair{Color::green, std::string_view("green")}};

using namespace provisioner::base;

BOOST_AUTO_TEST_CASE(a_value_and_its_word_stand_for_each_other) {
    BOOST_TEST(to_word(Color::green) == "green");
    BOOST_TEST((from_word<Color>("red") == Color::red));
    BOOST_TEST((stored_word<Color>("red") == Color::red));
}

BOOST_AUTO_TEST_CASE(only_letters_of_ascii_change_their_case) {
    BOOST_TEST(in_small_letters("User-ID_9[\xC3\x9C") == "user-id_9[\xC3\x9C");
    BOOST_TEST(in_capitals("stop_services{\xC3\xBC") == "STOP_SERVICES{\xC3\xBC");
}

BOOST_AUTO_TEST_CASE(an_unknown_word_is_nothing_when_a_person_wrote_it) {
    BOOST_TEST(!from_word<Color>("blue").has_value());
    BOOST_TEST(!from_word<Color>("Red").has_value());
    BOOST_TEST(!from_word<Color>("").has_value());
}

BOOST_AUTO_TEST_CASE(an_unknown_word_in_the_database_is_an_error_of_the_program) {
    BOOST_CHECK_THROW(stored_word<Color>("blue"), std::logic_error);
    BOOST_CHECK_THROW(to_word(Color::nameless), std::logic_error);
}
