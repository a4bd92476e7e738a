#!/usr/bin/env python3
"""boto3 lives a life with the EC2 stand-in, and microburst's envelopes are compared with ours: the stand-in is believed by others than its author."""

import json
import os
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
from python_packages import environment  # noqa: E402

PACKAGES = environment("ec2-python", HERE / "ec2_requirements.txt")
if Path(sys.prefix) != PACKAGES:
    os.execv(PACKAGES / "bin" / "python", [str(PACKAGES / "bin" / "python"), *sys.argv])

import boto3  # noqa: E402
from botocore.config import Config  # noqa: E402
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError  # noqa: E402
from botocore.utils import InstanceMetadataFetcher  # noqa: E402
from ec2_faults import envelope  # noqa: E402
from microburst.protocols.query import render_ec2  # noqa: E402

KEY, SECRET = "AKIACOOPERAGE", "wJalrXUtnFEMI/K7MDENG"


class StandInTest(unittest.TestCase):
    arguments = []

    def setUp(self):
        command = [sys.executable, str(HERE / "ec2_stand_in.py"), KEY, SECRET, *self.arguments]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.endpoint = f"http://127.0.0.1:{int(self.server.stdout.readline())}"
        self.ec2 = self.client()
        self.image = next(image["id"] for image in self.ask("images") if image["name"].startswith("ubuntu") and image["type"] == "ebs")

    def tearDown(self):
        refused = self.ask("calls")["refused"]
        self.server.stdin.close()
        self.server.stdout.close()
        self.server.wait(10)
        self.assertEqual(refused, getattr(self, "expected_refusals", []))

    def client(self, key=KEY, secret=SECRET, token=None):
        return boto3.client("ec2", region_name="us-east-1", endpoint_url=self.endpoint, aws_access_key_id=key, aws_secret_access_key=secret, aws_session_token=token,
                            config=Config(retries={"total_max_attempts": 1}, read_timeout=5))

    def ask(self, what, given=None):
        request = urllib.request.Request(f"{self.endpoint}/-/{what}", json.dumps(given).encode() if given is not None else None)
        return json.load(urllib.request.urlopen(request))

    def run_one(self, **given):
        return self.ec2.run_instances(**{"ImageId": self.image, "InstanceType": "t3.micro", "MinCount": 1, "MaxCount": 1, **given})["Instances"][0]

    def refused(self, code, call, **given):
        with self.assertRaises(ClientError) as raised:
            call(**given)
        self.assertEqual(raised.exception.response["Error"]["Code"], code)
        return raised.exception.response

    def states(self):
        return [instance["State"]["Name"] for reservation in self.ec2.describe_instances()["Reservations"] for instance in reservation["Instances"]]


class Life(StandInTest):
    def test_boto3_lives_a_whole_life_with_it(self):
        self.ask("set", {"boot_seconds": 0.5, "shutdown_seconds": 0.3})
        group = self.ec2.create_security_group(GroupName="web", Description="of a test")["GroupId"]
        self.ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[{"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "IpRanges": [{"CidrIp": "192.0.2.0/24"}]}])
        tags = [{"Key": "Name", "Value": "web-1"}]
        made = self.run_one(SecurityGroupIds=[group], ClientToken="one", UserData="#cloud-config\n", TagSpecifications=[{"ResourceType": kind, "Tags": tags} for kind in
                            ("instance", "volume")])
        self.assertEqual((made["State"]["Name"], made.get("PublicIpAddress")), ("pending", None))

        self.ec2.get_waiter("instance_running").wait(InstanceIds=[made["InstanceId"]], WaiterConfig={"Delay": 1})
        seen = self.ec2.describe_instances(Filters=[{"Name": "tag:Name", "Values": ["web-1"]}])["Reservations"][0]["Instances"][0]
        self.assertTrue(seen["PublicIpAddress"])
        state = self.ask("state")["us-east-1"]
        self.assertEqual([volume["tags"] for volume in state["volumes"]], [{"Name": "web-1"}])
        self.assertEqual(state["instances"][0]["user_data"], "#cloud-config\n")

        self.ec2.terminate_instances(InstanceIds=[made["InstanceId"]])
        self.assertEqual(self.states(), ["shutting-down"])
        self.ec2.get_waiter("instance_terminated").wait(InstanceIds=[made["InstanceId"]], WaiterConfig={"Delay": 1})
        self.ec2.delete_security_group(GroupId=group)
        self.assertEqual(self.states(), ["terminated"])
        self.assertEqual(self.ask("state")["us-east-1"]["volumes"], [])

    def test_a_token_makes_one_machine_and_insists_on_equal_parameters(self):
        first = self.run_one(ClientToken="one")
        again = self.run_one(ClientToken="one")
        self.assertEqual(first["InstanceId"], again["InstanceId"])

        self.refused("IdempotentParameterMismatch", self.run_one, ClientToken="one", InstanceType="t3.small")
        self.ec2.terminate_instances(InstanceIds=[first["InstanceId"]])
        self.assertEqual(self.run_one(ClientToken="one")["State"]["Name"], "terminated")
        self.assertNotEqual(self.run_one(ClientToken="two")["InstanceId"], first["InstanceId"])

    def test_a_new_machine_is_not_known_for_a_while_and_its_tags_come_late(self):
        self.ask("set", {"hidden_seconds": 1})
        made = self.run_one(TagSpecifications=[{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": "a"}]}])["InstanceId"]
        self.refused("InvalidInstanceID.NotFound", self.ec2.describe_instances, InstanceIds=[made])
        self.refused("InvalidInstanceID.NotFound", self.ec2.terminate_instances, InstanceIds=[made])
        self.assertEqual(self.states(), [])
        self.assertEqual(len(self.ask("state")["us-east-1"]["instances"]), 1)

        self.ask("set", {"hidden_seconds": 0, "tags_seconds": 60})
        self.run_one(TagSpecifications=[{"ResourceType": "instance", "Tags": [{"Key": "Name", "Value": "b"}]}])
        self.assertEqual(self.ec2.describe_instances(Filters=[{"Name": "tag:Name", "Values": ["b"]}])["Reservations"], [])

    def test_what_ec2_refuses_is_refused(self):
        one = self.run_one()["InstanceId"]
        subnet = self.ec2.describe_subnets()["Subnets"][0]["SubnetId"]
        interface = [{"DeviceIndex": 0, "SubnetId": subnet}]
        self.refused("InvalidParameterCombination", self.ec2.describe_instances, InstanceIds=[one], MaxResults=5)
        self.refused("InvalidParameterCombination", self.run_one, SubnetId=subnet, NetworkInterfaces=interface)
        self.refused("InvalidParameterCombination", self.run_one, SecurityGroups=["default"], NetworkInterfaces=interface)
        self.refused("InvalidParameterValue", self.run_one, UserData="x" * 16385)
        self.refused("InvalidKeyPair.NotFound", self.run_one, KeyName="nobody's")
        self.refused("InvalidAMIID.NotFound", self.ec2.describe_images, ImageIds=["ami-00000000000000000"])
        self.refused("InvalidParameterValue", self.run_one, ClientToken="x" * 65)
        self.refused("InvalidParameterValue", self.run_one, InstanceType="t3.nope")
        self.assertEqual(self.refused("DryRunOperation", self.run_one, DryRun=True)["ResponseMetadata"]["HTTPStatusCode"], 412)

    def test_signatures_clocks_and_tokens_of_profiles_are_verified(self):
        self.assertEqual(self.refused("AuthFailure", self.client(secret="another").describe_regions)["ResponseMetadata"]["HTTPStatusCode"], 401)
        self.refused("AuthFailure", self.client(key="AKIANOBODY").describe_regions)
        self.assertEqual(self.ask("calls")["wrong_signatures"], 2)

        self.ask("set", {"skew_seconds": 1200})
        expired = self.refused("RequestExpired", self.ec2.describe_regions)
        dated = parsedate_to_datetime(expired["ResponseMetadata"]["HTTPHeaders"]["date"])
        self.assertAlmostEqual(dated.timestamp(), time.time() + 1200, delta=60)
        self.ask("set", {"skew_seconds": 0})

        os.environ["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = self.endpoint
        profile = InstanceMetadataFetcher(base_url=self.endpoint).retrieve_iam_role_credentials()
        temporary = self.client(profile["access_key"], profile["secret_key"], profile["token"])
        self.assertTrue(temporary.describe_regions(RegionNames=["us-east-1"])["Regions"])
        self.refused("AuthFailure", self.client(profile["access_key"], profile["secret_key"]).describe_regions)

    def test_limits_and_capacity_are_refused_in_the_words_of_ec2(self):
        self.run_one()
        self.ask("set", {"no_capacity": ["t3.micro/us-east-1a"], "instance_limit": 1})
        self.assertEqual(self.refused("InsufficientInstanceCapacity", self.run_one, Placement={"AvailabilityZone": "us-east-1a"})["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.assertIn("limit of 1 ", self.refused("InstanceLimitExceeded", self.run_one)["Error"]["Message"])
        self.ask("set", {"instance_limit": 0, "rates": {"DescribeRegions": [0.001, 1]}})
        self.ec2.describe_regions()
        self.refused("RequestLimitExceeded", self.ec2.describe_regions)

    def test_a_spot_machine_can_be_taken_away(self):
        made = self.run_one(InstanceMarketOptions={"MarketType": "spot"})["InstanceId"]
        self.ask("reclaim", {"instance": made})

        seen = self.ec2.describe_instances(InstanceIds=[made])["Reservations"][0]["Instances"][0]
        self.assertEqual((seen["State"]["Name"], seen["InstanceLifecycle"], seen["StateReason"]["Code"]), ("terminated", "spot", "Server.SpotInstanceTermination"))

    def test_a_machine_takes_the_addresses_of_one_that_can_be_reached(self):
        made = self.run_one()["InstanceId"]
        self.ask("move", {"instance": made, "public": "10.77.0.5", "private": "10.77.0.6"})
        seen = self.ec2.describe_instances(InstanceIds=[made])["Reservations"][0]["Instances"][0]
        self.assertEqual((seen["PublicIpAddress"], seen["PrivateIpAddress"]), ("10.77.0.5", "10.77.0.6"))

    def test_the_console_shows_what_a_test_gives(self):
        made = self.run_one()["InstanceId"]
        self.assertFalse(self.ec2.get_console_output(InstanceId=made).get("Output"))
        self.ask("console", {"instance": made, "output": "ssh-ed25519 AAAA"})
        self.assertEqual(self.ec2.get_console_output(InstanceId=made)["Output"], "ssh-ed25519 AAAA")


class Faults(StandInTest):
    def test_errors_have_the_envelope_that_microburst_knows(self):
        for code, message in (("InsufficientInstanceCapacity", "no <room>"), ("RequestLimitExceeded", "slower & slower")):
            headers, known = render_ec2(code, message, "0")
            ours = envelope(code, message)
            self.assertEqual(ours[: ours.index("<RequestID>")], known.decode()[: known.decode().index("<RequestID>")])
            self.assertEqual(headers["Content-Type"], "text/xml;charset=UTF-8")

    def test_an_error_is_read_by_boto3_and_serves_as_often_as_asked(self):
        self.ask("fault", {"operation": "RunInstances", "count": 2, "kind": "error", "code": "InsufficientInstanceCapacity"})
        for _ in range(2):
            self.assertEqual(self.refused("InsufficientInstanceCapacity", self.run_one)["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.ec2.describe_instances()
        self.run_one()

    def test_a_lost_reply_leaves_the_machine(self):
        self.ask("fault", {"operation": "RunInstances", "kind": "lost_reply"})
        with self.assertRaises((ConnectionClosedError, EndpointConnectionError)):
            self.run_one(ClientToken="lost")
        self.assertEqual(len(self.states()), 1)
        self.run_one(ClientToken="lost")
        self.assertEqual(len(self.states()), 1)

    def test_an_answer_can_be_cut_off_and_a_request_can_go_nowhere(self):
        self.ask("fault", {"operation": "DescribeInstances", "kind": "truncated"})
        with self.assertRaises(Exception) as raised:
            self.ec2.describe_instances()
        self.assertNotIsInstance(raised.exception, ClientError)
        self.ask("fault", {"operation": "RunInstances", "kind": "reset"})
        with self.assertRaises((ConnectionClosedError, EndpointConnectionError)):
            self.run_one()
        self.assertEqual(self.states(), [])

    def test_chance_hits_some_requests_and_ends(self):
        self.ask("fault", {"kind": "chance", "percent": 50, "seed": 3, "count": 20})
        failed = 0
        for _ in range(30):
            try:
                self.ec2.describe_regions(RegionNames=["us-east-1"])
            except Exception:  # noqa: BLE001
                failed += 1
        self.assertTrue(3 <= failed <= 17, failed)
        self.assertTrue(failed <= self.ask("calls")["faults"] <= 17)

    def test_a_reset_leaves_nothing(self):
        self.run_one(ClientToken="one")
        self.ask("fault", {"kind": "throttle", "count": 9})
        self.ask("reset")
        self.assertEqual(self.states(), [])
        self.assertEqual(self.run_one(ClientToken="one")["State"]["Name"], "pending")

    def test_the_judge_refuses_what_the_model_does_not_know(self):
        body = "Action=RunInstances&Version=2016-11-15&MaxCount=1&MinCount=x&BlockDeviceMapping.1.Ebs.VolumeType=fast&NetworkInterface.1.Subnet=a"
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(f"{self.endpoint}/", body.encode())
        found = self.expected_refusals = self.ask("calls")["refused"]
        self.assertEqual(len(found), 3)
        self.assertEqual(found[0], "RunInstances: MinCount is not an integer")
        self.assertIn("'fast' is none of", found[1])
        self.assertEqual(found[2], "RunInstances: NetworkInterface.1.Subnet: InstanceNetworkInterfaceSpecification has no member Subnet")


class Permissions(StandInTest):
    def setUp(self):
        policy = PACKAGES / "policy-of-a-test.json"
        policy.write_text(json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "ec2:Describe*", "Resource": "*"}]}))
        self.arguments = [str(policy)]
        super().setUp()

    def test_a_policy_allows_what_it_names_and_nothing_else(self):
        self.ec2.describe_instances()
        response = self.refused("UnauthorizedOperation", self.run_one)
        self.assertIn("ec2:RunInstances", response["Error"]["Message"])
        self.assertEqual(response["ResponseMetadata"]["HTTPStatusCode"], 403)


if __name__ == "__main__":
    unittest.main()
