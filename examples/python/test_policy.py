"""Buys insurance from the sandbox with Python's standard library.

In a clone, after `npm ci`:

    python3 -m unittest discover examples/python

In your own project, install the package as the README of the repository says, and run this file in the folder
that has node_modules.
"""

import http.client
import json
import subprocess
import unittest
import urllib.error
import urllib.request
from pathlib import Path

INSTALLED = Path("node_modules/micro-insurance-sandbox")
PACKAGE = INSTALLED if INSTALLED.exists() else Path(__file__).resolve().parents[2]
COMMAND = ["node", str(PACKAGE / "bin" / "micro-insurance-sandbox.cjs")]

ADA = {
    "first_name": "Ada",
    "surname": "Obi",
    "email": "ada@example.com",
    "phone_no": "08031234567",
    "date_of_birth": "1990-04-12",
    "product_id": 1,
    "subscription_type": "monthly",
    "amount": 700,
    "nin_number": "12345678901",
    "first_beneficiary_full_name": "Bola Ade",
    "id_url": "https://files.example.com/id.png",
}


class PolicyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Port 0 picks a free port; --json prints it in one line.
        cls.sandbox = subprocess.Popen([*COMMAND, "--port", "0", "--json"], stdout=subprocess.PIPE)
        cls.url = json.loads(cls.sandbox.stdout.readline())["url"]

    @classmethod
    def tearDownClass(cls):
        cls.sandbox.terminate()
        cls.sandbox.wait()
        cls.sandbox.stdout.close()

    def setUp(self):
        # A new merchant for each test, with its own clock and no records.
        _, merchant = self.call("POST", "/_sandbox/merchants", key=None)
        self.key = merchant["api_key"]

    def call(self, method, path, body=None, headers=None, key=""):
        """Returns status and body of the response, for failures too."""
        headers = {"Content-Type": "application/json", **(headers or {})}
        if key is not None:
            headers["Authorization"] = f"Bearer {key or self.key}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, json.load(refusal)

    def initiate(self):
        status, answer = self.call("POST", "/api/merchant/micro_health/initiate", ADA)
        self.assertEqual(status, 200, answer)
        return answer["data"]["token"]

    def verify(self, token, headers=None):
        return self.call("POST", "/api/merchant/micro_health/verify", {"token": token}, headers)

    def test_a_purchase_ends_in_a_policy(self):
        status, answer = self.verify(self.initiate())
        self.assertEqual(status, 200, answer)
        self.assertRegex(answer["data"]["policy_no"], r"^\d{10}$")

    def test_a_purchase_lapses_after_15_minutes(self):
        token = self.initiate()
        _, clock = self.call("POST", "/_sandbox/clock/advance", {"by": "PT15M"})
        self.assertEqual([effect["token"] for effect in clock["effects"]], [token])

        status, answer = self.verify(token)
        self.assertEqual(status, 400)
        self.assertEqual(answer["message"], "Token has expired")

    def test_a_policy_exists_although_its_answer_was_lost(self):
        token = self.initiate()
        # The policy is created, then the response is lost: the worst case for a merchant.
        with self.assertRaises((ConnectionError, http.client.HTTPException, urllib.error.URLError)):
            self.verify(token, {"Sandbox-Fault": "after; drop"})

        # A second verify shows that the purchase went through.
        status, answer = self.verify(token)
        self.assertEqual((status, answer["message"]), (400, "Token has already been used"))

        # The journal has the lost response.
        _, journal = self.call("GET", f"/_sandbox/journal?token={token}&status=200")
        lost = journal["data"][0]
        self.assertEqual(lost["fault"]["effect"], {"kind": "drop"})

        # Its policy is valid.
        policy = lost["response"]["body"]["data"]["policy_no"]
        status, answer = self.call("GET", f"/api/merchant/micro_health/validate_policy/{policy}")
        self.assertEqual(status, 200, answer)


if __name__ == "__main__":
    unittest.main()
