#include "provisioner/model/machines/price_list.hpp"

#include <boost/test/unit_test.hpp>

#include "provisioner/model/csv.hpp"

using namespace provisioner;
using namespace provisioner::model;

BOOST_AUTO_TEST_SUITE(price_list)

namespace {

std::string lines_of(const base::Problems& problems) {
    std::string lines;
    for (const auto& problem : problems) lines += problem.field + ": " + problem.message + "\n";
    return lines;
}

std::string problems_of_csv(const std::string& text) {
    const auto read = prices_from_csv(text);
    return read ? "" : lines_of(read.error());
}

std::string problems_of_json(const std::string& text) {
    const auto read = prices_from_json(*base::parse_json(text));
    return read ? "" : lines_of(read.error());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_csv_list_has_its_columns_in_any_order) {
    const auto read = prices_from_csv(
        "\xEF\xBB\xBF# of November\r\n"
        "per_hour,currency,flavor,region,provider_type\r\n"
        "\r\n"
        "0.107, USD ,m5.large,eu-west-1,aws\r\n"
        ",,,,\n"
        "0.05,EUR,\"a, \"\"big\"\" one\",,existing\n"
        "0,EUR,*,,local");

    BOOST_REQUIRE(read.has_value());
    BOOST_REQUIRE(read->size() == 3U);
    BOOST_TEST((read->at(0) == Price{.of = {"aws", "", "eu-west-1", "m5.large", ""},
                                     .per_hour = {"USD", 107'000}}));
    BOOST_TEST(read->at(1).of.flavor == "a, \"big\" one");
    BOOST_TEST(read->at(2).per_hour.micros == 0);
}

BOOST_AUTO_TEST_CASE(both_forms_come_back_as_they_were) {
    const std::vector<Price> prices{
        {.of = {"aws", "main", "eu-west-1", "m5.large", "ami-1"}, .per_hour = {"USD", 107'000}},
        {.of = {"local", "", "", "*", ""}, .per_hour = {"EUR", 1}},
        {.of = {"x", "", "", "a,\"b\" c", ""}, .per_hour = {"EUR", 12'000'000}}};

    BOOST_TEST((prices_from_csv(to_csv(prices)).value() == prices));
    BOOST_TEST((prices_from_json(to_json(prices)).value() == prices));
    BOOST_TEST(to_csv({prices[0]}) ==
               "provider_type,provider,region,flavor,image,currency,per_hour\r\n"
               "aws,main,eu-west-1,m5.large,ami-1,USD,0.107\r\n");
}

BOOST_AUTO_TEST_CASE(no_value_of_a_price_has_control_characters) {
    BOOST_TEST(problems_of_json(R"([{"providerType": "aws", "flavor": "m5\u0000", "region": "a\tb",
                                      "currency": "USD", "perHour": "1"}])") ==
               "entry 1: region must not have control characters.\n"
               "entry 1: flavor must not have control characters.\n");
    BOOST_TEST(problems_of_csv("provider_type,image,flavor,currency,per_hour\n"
                               "a\x7Fws,\"two\nlines\",m5,USD,1\n") ==
               "line 2: provider_type must not have control characters.\n"
               "line 2: image must not have control characters.\n");
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_csv_list_are_said_at_once_each_with_its_line) {
    BOOST_TEST(problems_of_csv("provider_type,flavor,currency,per_hour\n"
                               "aws,m5.large,usd,free\n"
                               "# a comment\n"
                               ",m5.large,USD,0.1\n"
                               "aws,m5.large,USD,0.1\n"
                               "aws,m5.large,USD,0.2\n"
                               "aws,m5.large,USD\n"
                               "aws,\"m5,USD,0.1\n") ==
               "line 2: currency must be three capital letters, such as USD, not usd.\n"
               "line 2: per_hour must be a decimal number such as 0.107, with at most six decimals "
               "and not above 1000000000, not free.\n"
               "line 4: provider_type must be given.\n"
               "line 6: has a price for the same machines as line 5.\n"
               "line 7: has 3 values, but there are 4 columns.\n"
               "line 8: A quotation mark is not closed, or text stands beside it.\n");
}

BOOST_AUTO_TEST_CASE(a_header_says_what_is_missing_and_what_is_too_much) {
    BOOST_TEST(problems_of_csv("provider_type,flavour,currency,currency\naws,x,USD,USD\n") ==
               "line 1: There is no column flavour. The columns are provider_type, provider, "
               "region, flavor, image, currency, per_hour.\n"
               "line 1: The column currency is there twice.\n"
               "line 1: The column flavor is missing.\n"
               "line 1: The column per_hour is missing.\n");
    BOOST_TEST(problems_of_csv("\n# nothing\n") ==
               "line 1: The first line must name the columns: provider_type, provider, region, "
               "flavor, image, currency, per_hour.\n");
}

BOOST_AUTO_TEST_CASE(json_lists_take_numbers_as_they_were_written) {
    const auto read = prices_from_json(*base::parse_json(
        R"({"prices": [{"providerType": "aws", "flavor": "a", "currency": "USD", "perHour": 0.1},
                       {"providerType": "aws", "flavor": "b", "currency": "USD", "perHour": 2,
                        "provider": null}]})"));

    BOOST_REQUIRE(read.has_value());
    BOOST_TEST(read->at(0).per_hour.micros == 100'000);
    BOOST_TEST(read->at(1).per_hour.micros == 2'000'000);
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_json_list_are_said_at_once_each_with_its_entry) {
    BOOST_TEST(problems_of_json(R"([{"providerType": "aws", "flavor": ["x"], "currency": "USD",
                                     "perHour": "0.1"}, 7,
                                    {"providerType": "aws", "flavor": "x", "currency": "USD",
                                     "perHour": 1e-7}])") ==
               "entry 1: flavor must be a text.\n"
               "entry 2: must be an object\n"
               "entry 3: perHour must be a decimal number such as 0.107, with at most six decimals "
               "and not above 1000000000, not 1e-07.\n");
    BOOST_TEST(problems_of_json(R"({"price": []})") == "prices: must be an array\n");
}

BOOST_AUTO_TEST_CASE(a_list_with_very_many_problems_says_how_many_more_there_are) {
    std::string text = "provider_type,flavor,currency,per_hour\n";
    for (int i = 0; i < 300; ++i) text += "aws,x" + std::to_string(i) + ",USD,?\n";

    const auto read = prices_from_csv(text);

    BOOST_REQUIRE(!read.has_value());
    BOOST_TEST(read.error().size() == 201U);
    BOOST_TEST(read.error().back().message == "And 100 more problems.");
}

BOOST_AUTO_TEST_CASE(values_that_cannot_be_stored_are_refused) {
    const std::string header = "provider_type,flavor,currency,per_hour\n";

    BOOST_TEST(problems_of_csv(header + "aws,\xff,USD,1\n") ==
               "line 2: flavor must be UTF-8 text.\n");
    BOOST_TEST(problems_of_csv(header + "aws," + std::string(256, 'x') + ",USD,1\n") ==
               "line 2: flavor must not be longer than 255 bytes.\n");
}

BOOST_AUTO_TEST_CASE(rows_of_csv_keep_line_numbers_over_quoted_line_ends) {
    CsvReader reader("a,\"b\nc\"\n\nd,e");

    const auto first = reader.next();
    const auto second = reader.next();

    BOOST_REQUIRE((first && second));
    BOOST_TEST(first->values.at(1) == "b\nc");
    BOOST_TEST(second->line == 4);
    BOOST_TEST(!reader.next().has_value());
}

BOOST_AUTO_TEST_SUITE_END()
