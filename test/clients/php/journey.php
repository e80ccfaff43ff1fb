<?php

/*
 * From the document to a bought policy, in PHP.
 *
 * openapi-generator creates `MerchantApi` from the OpenAPI 3.0 document.
 */

require __DIR__ . '/vendor/autoload.php';

use MerchantApi\Api\ComprehensiveMotorApi;
use MerchantApi\Api\GroupLifeApi;
use MerchantApi\Api\MicroHealthApi;
use MerchantApi\ApiException;
use MerchantApi\Configuration;
use MerchantApi\Model;

$url = $argv[1] ?? 'http://127.0.0.1:4015';
$key = $argv[2] ?? 'sk_sandbox_demo';

$http = new GuzzleHttp\Client();
$configuration = (new Configuration())->setHost($url)->setAccessToken($key);

function check(bool $holds, string $what): void
{
    if (!$holds) {
        throw new RuntimeException("Not so: $what");
    }
}

/* Micro-health: price, buy, renew, list, look up. */

$microHealth = new MicroHealthApi($http, $configuration);

$price = $microHealth->getMicroHealthQuote(new Model\MicroHealthQuoteRequest([
    'product_id' => 1,
    'no_of_users' => 2,
    'subscription_type' => 'monthly',
]))->getData()->getQuotePrice();

$subscriber = [
    'first_name' => 'Ada',
    'surname' => 'Obi',
    'email' => 'ada@example.com',
    'phone_no' => '08031234567',
    'date_of_birth' => new DateTime('1990-04-12'),
    'product_id' => 1,
    'subscription_type' => 'monthly',
    'amount' => $price,
    'nin_number' => '12345678901',
    'first_beneficiary_full_name' => 'Bola Ade',
    'id_url' => 'https://files.example.com/id.png',
];
$initiate = fn (array $changes = []): string => $microHealth
    ->initiateMicroHealthSubscription(new Model\MicroHealthInitiateRequest($changes + $subscriber))
    ->getData()
    ->getToken();
$verify = fn (string $token): Model\MicroHealthSubscription => $microHealth
    ->verifyMicroHealthSubscription(new Model\MicroHealthVerifyRequest(['token' => $token]))
    ->getData();

$subscription = $verify($initiate());
$policyNo = $subscription->getPolicyNo();
check($subscription->getSubscriptionsNo() === 1, 'the first subscription');

$renewed = $microHealth->topUpMicroHealthSubscription(new Model\MicroHealthTopUpRequest([
    'policy_no' => $policyNo,
    'subscription_type' => 'monthly',
    'amount' => $price,
]))->getData();
check($renewed->getSubscriptionsNo() === 2, 'renewed once');
check($renewed->getEndDate() > $subscription->getEndDate(), 'renewed for longer');

// 15 per page; `next_page_url` is null on the last page.
$listed = [];
$page = 1;
do {
    $answer = $microHealth->listMicroHealthSubscriptions($page)->getData();
    foreach ($answer->getData() as $each) {
        $listed[] = $each->getPolicyNo();
    }
    $next = $answer->getNextPageUrl();
    parse_str(parse_url($next ?? '', PHP_URL_QUERY) ?? '', $query);
    $page = (int) ($query['page'] ?? 0);
} while ($next !== null);
check(count($listed) > 15, 'more than a page is listed');
check(in_array($policyNo, $listed, true), 'the new subscription is listed');

$looked = $microHealth->validateMicroHealthPolicy($policyNo)->getData();
check($looked == $renewed, 'what is looked up is what was answered');

/* Comprehensive motor: price, buy, list, look up. */

$motorApi = new ComprehensiveMotorApi($http, $configuration);

$motorQuote = $motorApi->getMotorQuote(new Model\MotorQuoteRequest([
    'product_id' => 4,
    'vehicle_value' => 3500000,
]))->getData();
check($motorQuote->getAmountInsured() == 3500000, 'the car is insured for its value');

$token = $motorApi->initiateMotorPolicy(new Model\MotorInitiateRequest([
    'first_name' => 'Chidi',
    'last_name' => 'Eze',
    'phone_number' => '08031234567',
    'email' => 'chidi@example.com',
    'gender' => 'male',
    'product_id' => 4,
    'speedometer_img' => 'https://files.example.com/1.png',
    'engine_img' => 'https://files.example.com/2.png',
    'interior_img' => 'https://files.example.com/3.png',
    'front_view_img' => 'https://files.example.com/4.png',
    'rear_view_img' => 'https://files.example.com/5.png',
    'left_side_view_img' => 'https://files.example.com/6.png',
    'right_side_view_img' => 'https://files.example.com/7.png',
    'vehicle_license_img' => 'https://files.example.com/8.png',
    'proof_of_ownership_img' => 'https://files.example.com/9.png',
    'frequency_type' => 'yearly',
    'sum_insured' => 3500000,
    'insurance_cover' => 'bronze',
    'tracker_value' => 0,
    'diagnostic_cost' => 15000,
    'duration' => 1,
    'vehicle_type' => 'saloon',
    'start_date' => new DateTime('2026-12-01'),
    'registration_no' => 'LND-482-KJ',
    'vehicle_make' => 'Toyota',
    'vehicle_model' => 'Corolla',
    'year_make' => '2018',
    'vehicle_color' => 'silver',
    'engine_no' => '2ZR1234567',
    'chasis_no' => 'JTDBR32E720123456',
    'contact_person_name' => 'Ngozi Eze',
    'contact_person_address' => '12 Allen Avenue, Ikeja',
    'contact_person_phone_no' => '08037654321',
    'inspection_date' => new DateTime('2026-12-03'),
]))->getData()->getToken();
$motor = $motorApi->verifyMotorPolicy(new Model\MotorVerifyRequest(['token' => $token]))->getData();

$motorPolicies = $motorApi->listMotorPolicies()->getData();
$numbers = array_map(fn ($each) => $each->getPolicyNumber(), $motorPolicies);
check(in_array($motor->getPolicyNumber(), $numbers, true), 'the new motor policy is listed');

$details = $motorApi->getMotorPolicyDetails(new Model\MotorDetailsRequest([
    'policy_number' => $motor->getPolicyNumber(),
]))->getData();
check($details->getStartDate()->format('Y-m-d') === '2026-12-01', 'it starts when it was asked to');
check($details->getEndDate()->format('Y-m-d') === '2027-12-01', 'it lasts a year');

// A duration is returned as it was sent: in the oldest policy it is a string, which is read as a number.
$earlier = $motorPolicies[0];
check($earlier->getDuration() === 1, 'a duration in a string is read as a number');
$details = $motorApi->getMotorPolicyDetails(new Model\MotorDetailsRequest([
    'policy_number' => $earlier->getPolicyNumber(),
]))->getData();
check($details->getDuration() === $earlier->getDuration(), 'its duration is what the list says');

/* Group life: buy, list, look up. */

$groupLife = new GroupLifeApi($http, $configuration);

$token = $groupLife->initiateGroupLifePolicy(new Model\GroupLifeInitiateRequest([
    'email' => 'hr@example.com',
    'first_name' => 'Funke',
    'surname' => 'Balogun',
    'phone_no' => '08031234567',
    'gender' => 'female',
    'dob' => new DateTime('1985-07-01'),
    'product_id' => 2,
    'group_name' => 'Balogun Traders',
    'group_type' => 'cooperative',
    'group_contact_address' => '4 Broad Street, Lagos',
    'first_person_name' => 'Funke Balogun',
    'first_person_phone' => '08031234567',
    'second_person_name' => 'Musa Bello',
    'members' => [
        new Model\GroupLifeMemberRequest([
            'full_name' => 'Musa Bello',
            'gender' => 'male',
            'occupation' => 'trader',
            'date_of_birth' => new DateTime('1979-11-23'),
            'next_of_kiln' => 'Aisha Bello',
            'phone_number' => '08039876543',
        ]),
    ],
]))->getData()->getToken();
$group = $groupLife->verifyGroupLifePolicy(new Model\GroupLifeVerifyRequest(['token' => $token]))->getData();

$groupPage = $groupLife->listGroupLifePolicies(1, 100)->getData();
$numbers = array_map(fn ($each) => $each->getPolicyNumber(), $groupPage->getData());
check(in_array($group->getPolicyNumber(), $numbers, true), 'the new group-life policy is listed');

$details = $groupLife->getGroupLifePolicyDetails(new Model\GroupLifeDetailsRequest([
    'policy_number' => $group->getPolicyNumber(),
]))->getData();
check($details->getGroupLifeMembers()[0]->getFullName() === 'Musa Bello', 'its member is known');

/* A refusal is an ApiException with a typed body: every problem is in `data.error`. */

try {
    $initiate(['amount' => 1, 'email' => 'nobody']);
    check(false, 'a wrong amount is refused');
} catch (ApiException $refusal) {
    $failure = $refusal->getResponseObject();
    check($refusal->getCode() === 422 && $failure instanceof Model\CodedFailure, 'refused as invalid');
    [$first, $second] = $failure->getData()->getError();
    check(str_contains($first, 'email') && str_contains($second, 'amount'), 'both problems are named');
}

/* A token expires after 15 minutes. The test advances the sandbox's clock instead of waiting. */

$token = $initiate();
$http->post("$url/_sandbox/clock/advance", [
    'headers' => ['Authorization' => "Bearer $key"],
    'json' => ['by' => 'PT15M'],
]);
try {
    $verify($token);
    check(false, 'an expired token is refused');
} catch (ApiException $refusal) {
    $failure = $refusal->getResponseObject();
    check($refusal->getCode() === 400 && $failure instanceof Model\MessageFailure, 'refused');
    check($failure->getMessage() === 'Token has expired', 'the token has expired');
}

echo "bought $policyNo, {$motor->getPolicyNumber()} and {$group->getPolicyNumber()}\n";
