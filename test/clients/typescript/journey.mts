/*
 * From the document to a bought policy, in TypeScript.
 *
 * openapi-typescript creates `merchant-api.d.ts` from the OpenAPI 3.1 document. openapi-fetch is a
 * client with these types: a wrong path, field or type does not compile.
 */
import { ok, deepStrictEqual as same } from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './merchant-api.js';

const [url = 'http://127.0.0.1:4015', key = 'sk_sandbox_demo'] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const api = createClient<paths>({ baseUrl: url, headers });

/** The body of a response that must be a success. */
function accepted<Body>(answer: { data?: Body; error?: unknown; response: Response }): Body {
  if (answer.data !== undefined) return answer.data;
  throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
}

/* Micro-health: price, buy, renew, list, look up. */

const quote = accepted(
  await api.POST('/api/merchant/micro_health/get_quote', {
    body: { product_id: 1, no_of_users: 2, subscription_type: 'monthly' },
  }),
);

const subscriber = {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  product_id: 1,
  subscription_type: 'monthly' as const,
  amount: quote.data.quote_price,
  nin_number: '12345678901',
  first_beneficiary_full_name: 'Bola Ade',
  id_url: 'https://files.example.com/id.png',
};
const initiated = accepted(
  await api.POST('/api/merchant/micro_health/initiate', { body: subscriber }),
);
const subscription = accepted(
  await api.POST('/api/merchant/micro_health/verify', { body: { token: initiated.data.token } }),
).data;
const policy_no = subscription.policy_no;
same(subscription.subscriptions_no, 1);

const renewed = accepted(
  await api.POST('/api/merchant/micro_health/top_up', {
    body: { policy_no, subscription_type: 'monthly', amount: quote.data.quote_price },
  }),
).data;
same(renewed.subscriptions_no, 2);
ok(renewed.end_date > subscription.end_date);

// 15 per page; `next_page_url` is null on the last page.
const listed: string[] = [];
for (let page = 1; ; ) {
  const { data } = accepted(
    await api.GET('/api/merchant/micro_health/all_subscriptions', { params: { query: { page } } }),
  );
  listed.push(...data.data.map((each) => each.policy_no));
  if (data.next_page_url === null) break;
  page = Number(new URL(data.next_page_url).searchParams.get('page'));
}
ok(listed.length > 15);
ok(listed.includes(policy_no));

const looked = accepted(
  await api.GET('/api/merchant/micro_health/validate_policy/{policy_no}', {
    params: { path: { policy_no } },
  }),
).data;
same(looked, renewed);

/* Comprehensive motor: price, buy, list, look up. */

const motorQuote = accepted(
  await api.POST('/api/merchant/get_comprehensive_motor_policy_quote', {
    body: { product_id: 4, vehicle_value: 3_500_000 },
  }),
);
same(motorQuote.data.amount_insured, 3_500_000);

const motorInitiated = accepted(
  await api.POST('/api/merchant/comprehensive_motor_initiate_policy', {
    body: {
      first_name: 'Chidi',
      last_name: 'Eze',
      phone_number: '08031234567',
      email: 'chidi@example.com',
      gender: 'male',
      product_id: 4,
      speedometer_img: 'https://files.example.com/1.png',
      engine_img: 'https://files.example.com/2.png',
      interior_img: 'https://files.example.com/3.png',
      front_view_img: 'https://files.example.com/4.png',
      rear_view_img: 'https://files.example.com/5.png',
      left_side_view_img: 'https://files.example.com/6.png',
      right_side_view_img: 'https://files.example.com/7.png',
      vehicle_license_img: 'https://files.example.com/8.png',
      proof_of_ownership_img: 'https://files.example.com/9.png',
      frequency_type: 'yearly',
      sum_insured: 3_500_000,
      insurance_cover: 'bronze',
      tracker_value: 0,
      diagnostic_cost: 15_000,
      duration: 1,
      vehicle_type: 'saloon',
      start_date: '2026-12-01',
      registration_no: 'LND-482-KJ',
      vehicle_make: 'Toyota',
      vehicle_model: 'Corolla',
      year_make: '2018',
      vehicle_color: 'silver',
      engine_no: '2ZR1234567',
      chasis_no: 'JTDBR32E720123456',
      contact_person_name: 'Ngozi Eze',
      contact_person_address: '12 Allen Avenue, Ikeja',
      contact_person_phone_no: '08037654321',
      inspection_date: '2026-12-03',
    },
  }),
);
const motor = accepted(
  await api.POST('/api/merchant/comprehensive_motor_verify_policy', {
    body: { token: motorInitiated.data.token },
  }),
).data;
const motorPolicies = accepted(
  await api.GET('/api/merchant/get_comprehensive_motor_policies'),
).data;
ok(motorPolicies.some((each) => each.policy_number === motor.policy_number));
const motorDetails = accepted(
  await api.POST('/api/merchant/get_comprehensive_motor_policy_details', {
    body: { Policy_number: motor.policy_number },
  }),
).data;
same([motorDetails.start_date, motorDetails.end_date], ['2026-12-01', '2027-12-01']);

// A duration is returned as it was sent: in some older policies it is a string.
const sentAsText = motorPolicies.find((each) => typeof each.duration === 'string');
ok(sentAsText);
const earlier = accepted(
  await api.POST('/api/merchant/get_comprehensive_motor_policy_details', {
    body: { policyNumber: sentAsText.policy_number },
  }),
).data;
same(earlier.duration, sentAsText.duration);

/* Group life: buy, list, look up. */

const groupInitiated = accepted(
  await api.POST('/api/merchant/group-life/policy/initiate-group-life-policy', {
    body: {
      email: 'hr@example.com',
      first_name: 'Funke',
      surname: 'Balogun',
      phone_no: '08031234567',
      gender: 'female',
      dob: '1985-07-01',
      product_id: 2,
      group_name: 'Balogun Traders',
      group_type: 'cooperative',
      group_contact_address: '4 Broad Street, Lagos',
      first_person_name: 'Funke Balogun',
      first_person_phone: '08031234567',
      second_person_name: 'Musa Bello',
      members: [
        {
          full_name: 'Musa Bello',
          gender: 'male',
          occupation: 'trader',
          date_of_birth: '1979-11-23',
          next_of_kiln: 'Aisha Bello',
          phone_number: '08039876543',
        },
      ],
    },
  }),
);
const group = accepted(
  await api.POST('/api/merchant/group-life/policy/verify-group-life-policy', {
    body: { token: groupInitiated.data.token },
  }),
).data;
const groupPage = accepted(
  await api.GET('/api/merchant/group-life/policy/merchant-group-life-policies', {
    params: { query: { per_page: 100 } },
  }),
).data;
ok(groupPage.data.some((each) => each.policy_number === group.policy_number));
const groupDetails = accepted(
  await api.POST('/api/merchant/group-life/policy/group-life-policy-details', {
    body: { policy_number: group.policy_number },
  }),
).data;
same(groupDetails.group_life_members[0]?.full_name, 'Musa Bello');

/* `success` distinguishes the two forms of a body, also for the compiler. */

type VerifyResponses = paths['/api/merchant/micro_health/verify']['post']['responses'];
type VerifyBody = VerifyResponses[200 | 400 | 401 | 422]['content']['application/json'];

function outcomeOf(answer: VerifyBody): string {
  if (answer.success) return answer.data.policy_no;
  const problems: string[] = answer.data.error;
  return problems.join(' ');
}

const verifyAgain = await api.POST('/api/merchant/micro_health/verify', {
  body: { token: initiated.data.token },
});
ok(verifyAgain.error);
same(outcomeOf(verifyAgain.error), 'Token has already been used');

/* A refusal has a type too: every problem with the request is in `data.error`. */

const wrong = await api.POST('/api/merchant/micro_health/initiate', {
  body: { ...subscriber, amount: 1, email: 'nobody' },
});
same(wrong.response.status, 422);
const problems: string[] = wrong.error?.data.error ?? [];
same(problems.length, 2);
ok(problems[0]?.includes('email') && problems[1]?.includes('amount'));

/* A token expires after 15 minutes. The test advances the sandbox's clock instead of waiting. */

const late = accepted(await api.POST('/api/merchant/micro_health/initiate', { body: subscriber }));
await fetch(`${url}/_sandbox/clock/advance`, {
  method: 'POST',
  headers: { ...headers, 'Content-Type': 'application/json' },
  body: JSON.stringify({ by: 'PT15M' }),
});
const expired = await api.POST('/api/merchant/micro_health/verify', {
  body: { token: late.data.token },
});
same(expired.response.status, 400);
same(expired.error?.message, 'Token has expired');

console.log(`bought ${policy_no}, ${motor.policy_number} and ${group.policy_number}`);
