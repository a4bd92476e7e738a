#include <boost/test/unit_test.hpp>

#include "fcgi/api/clusters/reads.hpp"

using namespace provisioner;

BOOST_AUTO_TEST_CASE(a_callback_is_shown_with_what_came_of_it) {
    model::Callback callback;
    callback.id = 7;
    callback.cluster = model::ClusterId{1};
    callback.job = model::JobId{2};
    callback.event = model::CallbackEvent::failure;
    callback.cluster_status = model::ClusterStatus::incomplete;
    callback.attempts = 3;
    callback.reply = 503;
    callback.error = "answered 503";
    callback.created_at = base::from_millis(1000);

    BOOST_TEST(fcgi::api::to_json(callback).dump() ==
               R"({"id":7,"event":"failure","job":"00000001-002","action":"cluster_create",)"
               R"("clusterstatus":"incomplete","status":"waiting","attempts":3,"reply":503,)"
               R"("error":"answered 503","createTime":1000,"finishTime":0})");
}
