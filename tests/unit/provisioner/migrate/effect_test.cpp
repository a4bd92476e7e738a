#include "provisioner/migrate/effect.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using provisioner::migrate::effect_of;
using provisioner::migrate::without_counter;

BOOST_AUTO_TEST_CASE(a_definition_names_its_table) {
    BOOST_TEST(effect_of("CREATE TABLE a (\n  id INT)").table == "a");
    BOOST_TEST(effect_of("create table if not exists `b_1`(id INT)").table == "b_1");
    BOOST_TEST(effect_of("ALTER TABLE\n  cluster\n  ADD KEY k (id)").table == "cluster");
    BOOST_TEST(effect_of("DROP TABLE IF EXISTS old").table == "old");
}

BOOST_AUTO_TEST_CASE(changes_of_rows_name_none) {
    for (const char* statement : {"INSERT INTO a VALUES (1)", "UPDATE\n a SET n = 1",
                                  "DELETE FROM a", "REPLACE INTO a VALUES (1)"}) {
        BOOST_TEST(effect_of(statement).changes_rows(), statement);
    }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_told_after_an_interruption_is_refused) {
    for (const char* statement :
         {"CREATE VIEW v AS SELECT 1", "DROP TABLE a, b", "SET x = 1", "TRUNCATE TABLE a",
          "RENAME TABLE a TO b", "CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET x = 1"}) {
        BOOST_CHECK_THROW(effect_of(statement), std::runtime_error);
    }
}

BOOST_AUTO_TEST_CASE(the_next_number_of_a_table_is_no_part_of_its_definition) {
    const std::string text =
        "CREATE TABLE `a` (\n  `n` int COMMENT 'x AUTO_INCREMENT=5'\n) ENGINE=InnoDB";

    BOOST_TEST(without_counter(text + " AUTO_INCREMENT=17 DEFAULT CHARSET=utf8mb4") ==
               text + " DEFAULT CHARSET=utf8mb4");
    BOOST_TEST(without_counter(text + " AUTO_INCREMENT=17") == text);
    BOOST_TEST(without_counter(text) == text);
}
