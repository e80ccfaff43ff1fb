"""A shop that sells and renews micro-health cover, once for each order, whatever is lost on the way.

This is the code under test. In a project of yours it is your own, and knows nothing of the sandbox.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

import requests

#: How far the clocks of shop and service may differ.
SKEW = timedelta(minutes=1)
#: The longest wait before the second attempt, in seconds, whatever the service asks for.
MAX_WAIT = 5


class Refused(Exception):
    """The service answered no. The problems are sentences for the customer."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


class Lost(Exception):
    """There is no response to read. Nobody knows whether the call was carried out."""

    def __init__(self, message: str, wait: float = 0, is_late: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        #: The time was over, so the call may be carried out later.
        self.is_late = is_late


class Client:
    """The merchant API of the provider."""

    def __init__(self, url: str, key: str, timeout: float = 10) -> None:
        self.url = f"{url}/api/merchant/micro_health"
        self.key = key
        self.timeout = timeout

    def send(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Sends a call once."""
        headers = {"Authorization": f"Bearer {self.key}"}
        try:
            response = requests.request(
                method, f"{self.url}/{path}", headers=headers, json=body, params=query, timeout=self.timeout
            )
            answer = response.json()
        except requests.Timeout as error:
            raise Lost(f"{path} took too long.", is_late=True) from error
        except (requests.RequestException, ValueError) as error:
            # The connection broke, or half a response or a gateway's page came.
            raise Lost(f"{path} has no response: {error}") from error
        if response.status_code >= 500 or response.status_code == 429:
            wait = response.headers.get("Retry-After", "")
            raise Lost(f"{path} returned {response.status_code}.", float(wait) if wait.isdigit() else 0)
        if not answer["success"]:
            raise Refused(answer["data"]["error"])
        return answer["data"]

    def call(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Sends a call that does no harm if it is carried out twice."""
        try:
            return self.send(method, path, body, **query)
        except Lost as lost:
            time.sleep(min(lost.wait, MAX_WAIT))
            return self.send(method, path, body, **query)

    def initiate(self, purchase: dict[str, Any]) -> str:
        """Asks for a token. Nothing is bought yet."""
        return self.call("POST", "initiate", purchase)["token"]

    def verify(self, token: str) -> str:
        """Buys, and returns the number of the policy. A token buys once, however often it is sent."""
        return self.call("POST", "verify", {"token": token})["policy_no"]

    def policies(self, since: datetime) -> Iterator[dict[str, Any]]:
        """The policies sold since a day, from every page of the list."""
        page, last = 1, 1
        while page <= last:
            listed = self.call("GET", "all_subscriptions", start_date=f"{since:%Y-%m-%d}", page=page)
            yield from listed["data"]
            page, last = page + 1, listed["last_page"]

    def periods(self, policy_no: str) -> int:
        """How many periods of a policy are paid."""
        return self.call("GET", f"validate_policy/{policy_no}")["subscriptions_no"]


@dataclass(eq=False)
class Order:
    """A row in the table of orders. A shop of yours saves it before it sends the token."""

    purchase: dict[str, Any]
    token: str | None = None
    #: When the token was asked for. The policy is not older.
    since: datetime | None = None
    #: Unique in the table.
    policy_no: str | None = None


@dataclass
class Shop:
    client: Client
    now: Callable[[], datetime] = lambda: datetime.now(timezone.utc)
    orders: list[Order] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def order(self, purchase: dict[str, Any]) -> Order:
        """Takes an order."""
        order = Order(purchase)
        self.orders.append(order)
        return order

    def sell(self, purchase: dict[str, Any]) -> str:
        return self.complete(self.order(purchase))

    def complete(self, order: Order) -> str:
        """Completes an order. Raises `Lost` if nobody knows how it ended: complete it again later."""
        if order.policy_no:
            return order.policy_no
        if not order.token:
            order.since = self.now()
            order.token = self.client.initiate(order.purchase)
        try:
            policy_no = self.client.verify(order.token)
            if self._claim(order, policy_no):
                return policy_no
        except Refused as refusal:
            if str(refusal) == "Token has expired":
                # Nothing was bought, and nothing will be with this token.
                order.token = None
                return self.complete(order)
            if str(refusal) != "Token has already been used":
                raise
        # The policy exists, and its response was lost. Or an equal order, whose response was lost, took it: then that
        # order's policy is left.
        return self._find(order)

    def renew(self, policy_no: str, purchase: dict[str, Any]) -> None:
        """Pays one more period. A renewal has no token, so only the number of periods tells whether it was paid."""
        before = self.client.periods(policy_no)
        renewal = {"policy_no": policy_no, **{name: purchase[name] for name in ("subscription_type", "amount")}}
        try:
            self.client.send("POST", "top_up", renewal)
        except Lost as lost:
            if lost.is_late:
                time.sleep(self.client.timeout)
            if self.client.periods(policy_no) > before:
                return
            if lost.is_late:
                # It may still be carried out, so sending it again may pay twice.
                raise
            self.client.send("POST", "top_up", renewal)

    def _find(self, order: Order) -> str:
        """Finds the policy of an order by what was bought, by whom and when."""
        assert order.since
        since = order.since - SKEW
        # From the day before, because the service may count days in another time zone.
        for sold in self.client.policies(since - timedelta(days=1)):
            is_new = datetime.fromisoformat(sold["subscriptions"]["created_at"].replace("Z", "+00:00")) >= since
            if is_new and _is_same(order.purchase, sold) and self._claim(order, sold["policy_no"]):
                return sold["policy_no"]
        raise Lost("The policy exists, but the list does not have it yet.")

    def _claim(self, order: Order, policy_no: str) -> bool:
        """Gives a policy to an order, unless another order has it."""
        with self._lock:
            if any(other.policy_no == policy_no for other in self.orders):
                return False
            order.policy_no = policy_no
            return True


def _is_same(purchase: dict[str, Any], sold: dict[str, Any]) -> bool:
    """Whether a policy is what was ordered. Two that are can stand for each other."""
    customer = ("first_name", "surname", "email", "phone_no")
    ordinals = ("first", "second", "third")
    beneficiaries = [purchase.get(f"{ordinal}_beneficiary_full_name") for ordinal in ordinals]
    return (
        all(sold[name] == purchase[name] for name in customer)
        and [person["full_name"] for person in sold["beneficiary"]] == [name for name in beneficiaries if name]
        and sold["subscriptions"]["product_id"] == int(purchase["product_id"])
        and sold["subscriptions"]["subscriptions_type"] == purchase["subscription_type"]
        and float(sold["transactions"][0]["amount"]) == float(purchase["amount"])
    )
