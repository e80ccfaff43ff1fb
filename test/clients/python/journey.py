"""From the document to a bought policy, in Python.

openapi-generator creates `merchant_api` from the OpenAPI 3.0 document.
"""

import json
import sys
import urllib.request
from datetime import date
from urllib.parse import parse_qs, urlparse

import merchant_api
from merchant_api import ApiException

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4015"
key = sys.argv[2] if len(sys.argv) > 2 else "sk_sandbox_demo"

configuration = merchant_api.Configuration(host=url)
configuration.access_token = key
client = merchant_api.ApiClient(configuration)

# Micro-health: price, buy, renew, list, look up.

micro_health = merchant_api.MicroHealthApi(client)

price = micro_health.get_micro_health_quote(
    merchant_api.MicroHealthQuoteRequest(product_id=1, no_of_users=2, subscription_type="monthly")
).data.quote_price


def subscriber(**changes):
    fields = dict(
        first_name="Ada",
        surname="Obi",
        email="ada@example.com",
        phone_no="08031234567",
        date_of_birth=date(1990, 4, 12),
        product_id=1,
        subscription_type="monthly",
        amount=price,
        nin_number="12345678901",
        first_beneficiary_full_name="Bola Ade",
        id_url="https://files.example.com/id.png",
    )
    return merchant_api.MicroHealthInitiateRequest(**{**fields, **changes})


token = micro_health.initiate_micro_health_subscription(subscriber()).data.token
subscription = micro_health.verify_micro_health_subscription(
    merchant_api.MicroHealthVerifyRequest(token=token)
).data
policy_no = subscription.policy_no
assert subscription.subscriptions_no == 1

renewed = micro_health.top_up_micro_health_subscription(
    merchant_api.MicroHealthTopUpRequest(
        policy_no=policy_no, subscription_type="monthly", amount=price
    )
).data
assert renewed.subscriptions_no == 2
assert renewed.end_date > subscription.end_date

# 15 per page; `next_page_url` is None on the last page.
listed, page = [], 1
while page:
    answer = micro_health.list_micro_health_subscriptions(page=page).data
    listed += [each.policy_no for each in answer.data]
    following = answer.next_page_url
    page = following and int(parse_qs(urlparse(following).query)["page"][0])
assert len(listed) > 15
assert policy_no in listed

assert micro_health.validate_micro_health_policy(policy_no).data == renewed

# Comprehensive motor: price, buy, list, look up.

motor_api = merchant_api.ComprehensiveMotorApi(client)

motor_quote = motor_api.get_motor_quote(
    merchant_api.MotorQuoteRequest(product_id=4, vehicle_value=3_500_000)
).data
assert motor_quote.amount_insured == 3_500_000

token = motor_api.initiate_motor_policy(
    merchant_api.MotorInitiateRequest(
        first_name="Chidi",
        last_name="Eze",
        phone_number="08031234567",
        email="chidi@example.com",
        gender="male",
        product_id=4,
        speedometer_img="https://files.example.com/1.png",
        engine_img="https://files.example.com/2.png",
        interior_img="https://files.example.com/3.png",
        front_view_img="https://files.example.com/4.png",
        rear_view_img="https://files.example.com/5.png",
        left_side_view_img="https://files.example.com/6.png",
        right_side_view_img="https://files.example.com/7.png",
        vehicle_license_img="https://files.example.com/8.png",
        proof_of_ownership_img="https://files.example.com/9.png",
        frequency_type="yearly",
        sum_insured=3_500_000,
        insurance_cover="bronze",
        tracker_value=0,
        diagnostic_cost=15_000,
        duration=1,
        vehicle_type="saloon",
        start_date=date(2026, 12, 1),
        registration_no="LND-482-KJ",
        vehicle_make="Toyota",
        vehicle_model="Corolla",
        year_make="2018",
        vehicle_color="silver",
        engine_no="2ZR1234567",
        chasis_no="JTDBR32E720123456",
        contact_person_name="Ngozi Eze",
        contact_person_address="12 Allen Avenue, Ikeja",
        contact_person_phone_no="08037654321",
        inspection_date=date(2026, 12, 3),
    )
).data.token
motor = motor_api.verify_motor_policy(merchant_api.MotorVerifyRequest(token=token)).data
motor_policies = motor_api.list_motor_policies().data
assert motor.policy_number in [each.policy_number for each in motor_policies]
details = motor_api.get_motor_policy_details(
    merchant_api.MotorDetailsRequest(policy_number=motor.policy_number)
).data
assert (details.start_date, details.end_date) == (date(2026, 12, 1), date(2027, 12, 1))

# A duration is returned as it was sent: in the oldest policy it is a string, which is read as a number.
earlier = motor_policies[0]
assert earlier.duration == 1
details = motor_api.get_motor_policy_details(
    merchant_api.MotorDetailsRequest(policy_number=earlier.policy_number)
).data
assert details.duration == earlier.duration

# Group life: buy, list, look up.

group_life = merchant_api.GroupLifeApi(client)

token = group_life.initiate_group_life_policy(
    merchant_api.GroupLifeInitiateRequest(
        email="hr@example.com",
        first_name="Funke",
        surname="Balogun",
        phone_no="08031234567",
        gender="female",
        dob=date(1985, 7, 1),
        product_id=2,
        group_name="Balogun Traders",
        group_type="cooperative",
        group_contact_address="4 Broad Street, Lagos",
        first_person_name="Funke Balogun",
        first_person_phone="08031234567",
        second_person_name="Musa Bello",
        members=[
            merchant_api.GroupLifeMemberRequest(
                full_name="Musa Bello",
                gender="male",
                occupation="trader",
                date_of_birth=date(1979, 11, 23),
                next_of_kiln="Aisha Bello",
                phone_number="08039876543",
            )
        ],
    )
).data.token
group = group_life.verify_group_life_policy(merchant_api.GroupLifeVerifyRequest(token=token)).data
group_page = group_life.list_group_life_policies(per_page=100).data
assert group.policy_number in [each.policy_number for each in group_page.data]
details = group_life.get_group_life_policy_details(
    merchant_api.GroupLifeDetailsRequest(policy_number=group.policy_number)
).data
assert details.group_life_members[0].full_name == "Musa Bello"

# A refusal is an ApiException: every problem with the request is in `data.error` of its body.
# This client checks the documented formats, such as e-mail addresses, before it sends a request.

try:
    unborn = date(2199, 1, 1)
    micro_health.initiate_micro_health_subscription(subscriber(amount=1, date_of_birth=unborn))
    raise AssertionError("a wrong amount was accepted")
except ApiException as refusal:
    problems = json.loads(refusal.body)["data"]["error"]
    assert refusal.status == 422
    assert len(problems) == 2, problems
    assert "date_of_birth" in problems[0] and "amount" in problems[1], problems

# A token expires after 15 minutes. The test advances the sandbox's clock instead of waiting.

token = micro_health.initiate_micro_health_subscription(subscriber()).data.token
advance = urllib.request.Request(
    f"{url}/_sandbox/clock/advance",
    data=json.dumps({"by": "PT15M"}).encode(),
    headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
)
urllib.request.urlopen(advance).close()
try:
    micro_health.verify_micro_health_subscription(merchant_api.MicroHealthVerifyRequest(token=token))
    raise AssertionError("an expired token was accepted")
except ApiException as refusal:
    assert refusal.status == 400
    assert json.loads(refusal.body)["message"] == "Token has expired"

print(f"bought {policy_no}, {motor.policy_number} and {group.policy_number}")
