"""Tests of the shop: `python3 -m pytest`, in any folder."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import Merchant
from shop import Client, Lost, Order, Refused, Shop

VERIFY = "verifyMicroHealthSubscription"
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


@pytest.fixture
def open_shop(merchant: Merchant) -> Callable[[], Shop]:
    """Opens a shop with the key of the merchant, and without orders. Its clock is that of the merchant."""
    return lambda: Shop(Client(merchant.url, merchant.key), merchant.now)


@pytest.fixture
def shop(open_shop: Callable[[], Shop]) -> Shop:
    return open_shop()


def policies(merchant: Merchant) -> list[str]:
    return [policy["policy_no"] for policy in merchant.records("micro_health")]


def complete(shop: Shop, order: Order) -> str | Lost:
    try:
        return shop.complete(order)
    except Lost as lost:
        return lost


def test_a_policy_is_sold(shop: Shop, merchant: Merchant) -> None:
    assert [shop.sell(ADA)] == policies(merchant)


def test_a_refusal_names_every_problem(shop: Shop) -> None:
    with pytest.raises(Refused) as refusal:
        shop.sell({**ADA, "email": "ada", "phone_no": "0803"})
    assert refusal.value.problems == [
        "The email field must be an e-mail address.",
        "The phone_no field must be 11 digits.",
    ]


def test_a_customer_who_pays_late_gets_a_new_token(shop: Shop, merchant: Merchant) -> None:
    order = shop.order(ADA)
    order.token = shop.client.initiate(ADA)
    assert order.token in [effect["token"] for effect in merchant.advance("PT15M")]
    with pytest.raises(Refused, match="Token has expired"):
        shop.client.verify(order.token)
    assert [shop.complete(order)] == policies(merchant)


def test_every_page_of_the_list_is_read(open_shop: Callable[[], Shop], merchant: Merchant) -> None:
    merchant.seed(micro_health=40)
    a_year_ago = merchant.now().replace(year=merchant.now().year - 1)
    assert len(list(open_shop().client.policies(a_year_ago))) == 40


@pytest.mark.parametrize("fault", ["drop", "truncate", "malformed"])
def test_a_policy_whose_response_is_lost_is_sold_once(shop: Shop, merchant: Merchant, fault: str) -> None:
    merchant.fault(VERIFY, fault)
    assert [shop.sell(ADA)] == policies(merchant)


def test_a_policy_whose_response_is_late_is_sold_once(merchant: Merchant) -> None:
    merchant.fault(VERIFY, "delay", ms=1000)
    shop = Shop(Client(merchant.url, merchant.key, timeout=0.5), merchant.now)
    assert [shop.sell(ADA)] == policies(merchant)


def test_a_returning_customer_gets_the_new_policy(
    open_shop: Callable[[], Shop], shop: Shop, merchant: Merchant
) -> None:
    # The table of orders does not have the first: another shop sold it.
    first = open_shop().sell(ADA)
    merchant.advance("PT1H")
    merchant.fault(VERIFY)
    assert [shop.sell(ADA), first] == policies(merchant)


def test_the_sixteenth_sale_of_a_day_is_found_on_the_second_page(shop: Shop, merchant: Merchant) -> None:
    for _ in range(15):
        shop.sell(ADA)
    merchant.fault(VERIFY)
    assert shop.sell(ADA) == policies(merchant)[0]
    assert len(policies(merchant)) == 16


def test_two_sales_to_one_customer_at_once_are_two_policies(shop: Shop, merchant: Merchant) -> None:
    bola = {**ADA, "first_name": "Bola", "email": "bola@example.com"}
    orders = [shop.order(ADA), shop.order(ADA), shop.order(bola)]
    # Each response is lost, that of the second attempt too.
    merchant.fault(VERIFY, times=6)
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda order: complete(shop, order), orders))
        # In another order than they were made in.
        sold = list(threads.map(shop.complete, reversed(orders)))
    assert sorted(sold) == sorted(policies(merchant))
    assert sold[0] in [sale["policy_no"] for sale in merchant.records("micro_health") if sale["first_name"] == "Bola"]


@pytest.mark.parametrize("stage", ["before", "after"])
def test_a_renewal_whose_response_is_lost_is_paid_once(shop: Shop, merchant: Merchant, stage: str) -> None:
    policy = shop.sell(ADA)
    merchant.fault("topUpMicroHealthSubscription", stage=stage)
    shop.renew(policy, ADA)
    assert shop.client.periods(policy) == 2


def test_a_renewal_that_is_only_late_is_not_paid_twice(shop: Shop, merchant: Merchant) -> None:
    policy = shop.sell(ADA)
    merchant.fault("topUpMicroHealthSubscription", "delay", stage="before", ms=800)
    shop.client.timeout = 0.5
    shop.renew(policy, ADA)
    assert shop.client.periods(policy) == 2
