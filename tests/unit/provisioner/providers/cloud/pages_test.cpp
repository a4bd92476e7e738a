#include "provisioner/providers/cloud/pages.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/providers/cloud/failures.hpp"

using namespace provisioner;
using namespace provisioner::providers::cloud;

BOOST_AUTO_TEST_CASE(a_listing_without_a_last_page_is_given_up) {
    Pages pages;
    for (int page = 0; page < Pages::most_pages; ++page) pages.add(base::Json::array());
    BOOST_CHECK_EXCEPTION(pages.add(base::Json::array()), Lost, [](const Lost& lost) {
        return std::string(lost.what()).starts_with("the listing has no end: 1001 pages");
    });
}

BOOST_AUTO_TEST_CASE(a_listing_that_fills_the_memory_is_given_up) {
    Pages pages;
    pages.add(Pages::most_bytes);
    BOOST_CHECK_THROW(pages.add(1), Lost);
}

BOOST_AUTO_TEST_CASE(short_texts_that_become_many_values_count_as_what_they_become) {
    base::Json page = base::Json::array();
    for (int i = 0; i < 100'000; ++i) page.push_back(base::Json::array());
    Pages pages;
    const auto list = [&] {
        for (int i = 0; i < 100; ++i) pages.add(page);
    };
    BOOST_CHECK_THROW(list(), Lost);
}

BOOST_AUTO_TEST_CASE(ten_thousand_machines_are_listed) {
    base::Json page = base::Json::array();
    for (int machine = 0; machine < 500; ++machine) {
        base::Json one = {{"id", std::string(36, 'a')}, {"user_data", std::string(4000, 'a')}};
        for (int field = 0; field < 100; ++field) one["field" + std::to_string(field)] = "value";
        page.push_back(std::move(one));
    }
    Pages pages;
    for (int i = 0; i < 20; ++i) BOOST_CHECK_NO_THROW(pages.add(page));
}
