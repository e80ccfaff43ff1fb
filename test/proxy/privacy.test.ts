import { describe, expect, test } from 'vitest';
import { logLine } from '../../src/node/commands/proxy.ts';
import { initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { judgedSandbox } from './planted.ts';
import { fake, proxiedSandbox, proxyTo } from './support.ts';

/** A customer whom nobody else should hear of. */
const CUSTOMER = {
  first_name: 'Oluwaseun',
  surname: 'Adébáyò-Quist',
  email: 'seun.adebayo+ins@mail.example',
  phone_no: '08098765432',
  nin_number: '41234567890',
  date_of_birth: '1987-06-05',
  first_beneficiary_full_name: 'Ngozi Umeh-Tarka',
  id_url: 'https://files.example.com/ids/oluwaseun.png',
};
const KEY = 'pk_live/Very+Secret=Key';

/** Everything that must not be told, in every form it may be told in. */
const SECRETS = [...Object.values(CUSTOMER), 'Adébáyò', 'Ngozi', 'Umeh', KEY].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  secret.toLowerCase(),
]);

/** All that a proxy tells of what went by. */
const toldBy = (judged: ReturnType<typeof judgedSandbox>) =>
  JSON.stringify([
    judged.judge.entries(),
    judged.judge.report(),
    judged.judge.entries().map((entry) => logLine(entry, false)),
  ]);

function expectNothingPersonal(told: string): void {
  for (const secret of SECRETS) expect(told).not.toContain(secret);
}

describe('what a proxy tells', () => {
  test('names no customer, however a service echoes one', async () => {
    const judged = judgedSandbox();
    const sent = purchaseOf('micro_health', { ...CUSTOMER, amount: 1 });
    const { first_name, surname, email, phone_no, nin_number } = CUSTOMER;
    judged.change((answer) => {
      const text = `Dear ${first_name} ${surname.toUpperCase()} <${email}>, ${phone_no} and ${nin_number} are known: ?email=${encodeURIComponent(email)}`;
      answer.body.response_message = text;
      answer.body.data = {
        error: [text, JSON.stringify(sent)],
        customer: sent,
        [email]: 1,
        people: [{ full_name: CUSTOMER.first_beneficiary_full_name }],
      };
    });
    const found = await judged.call(initiateOf.micro_health, sent);
    expect(found.differences.length).toBeGreaterThan(2);
    expectNothingPersonal(toldBy(judged));
  });

  test('names none in the differences of an echo, whose form still shows', async () => {
    const judged = judgedSandbox();
    const { body } = await judged.call(
      initiateOf.group_life,
      purchaseOf('group_life', {
        first_name: CUSTOMER.first_name,
        surname: CUSTOMER.surname,
        email: CUSTOMER.email,
        phone_no: CUSTOMER.phone_no,
      }),
    );
    judged.change((answer) => {
      const { user } = answer.body.data;
      user.phone_no = Number(user.phone_no);
      user.email = `x${user.email}`;
      user.first_name = user.first_name.toUpperCase();
    });
    const found = await judged.call(verifyOf.group_life, { token: body.data.token });
    expect(found.lines.toSorted()).toEqual([
      '$.data.user.email: "[redacted] 29 characters", "[redacted] 30 characters"',
      '$.data.user.first_name: "[redacted] 9 characters", "[redacted] 9 characters"',
      '$.data.user.phone_no: "[redacted] 11 digits", "[redacted] number"',
    ]);
    expectNothingPersonal(toldBy(judged));
  });

  test('holds no key and no query, of unknown paths neither; policy numbers stay', async () => {
    const url = await fake((request, response) => {
      response.writeHead(401, {
        'content-type': 'application/json',
        'www-authenticate': `Key ${KEY}`,
      });
      response.end(
        JSON.stringify({
          success: false,
          response_message: `Not ${KEY}, nor ${encodeURIComponent(KEY)}: ${request.url}`,
          response_code: '401',
          data: { error: [KEY] },
        }),
      );
    });
    const proxy = await proxyTo(url);
    const headers = { authorization: `Bearer ${KEY}` };
    const { email, phone_no } = CUSTOMER;
    const query = `?email=${encodeURIComponent(email)}&phone=${phone_no}&api_key=${encodeURIComponent(KEY)}&per_page=5`;
    for (const path of [
      '/api/merchant/micro_health/all_subscriptions',
      `/api/merchant/customers/${email}/${phone_no}`,
      '/api/merchant/micro_health/validate_policy/1234567890',
      `/api/merchant/micro_health/validate_policy/${phone_no}`,
      '/api/merchant/micro_health/validate_policy/Oluwaseun',
    ])
      await fetch(`${proxy.url}${path}${query}`, { headers });
    const told = JSON.stringify([
      proxy.told,
      proxy.judge.report(),
      proxy.told.map((entry) => logLine(entry, true)),
    ]);
    expectNothingPersonal(told);
    expect(proxy.told.map(({ path }) => path)).toEqual([
      '/api/merchant/micro_health/all_subscriptions?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=5',
      '/api/merchant/customers/[redacted]/[redacted]?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=[redacted]',
      '/api/merchant/micro_health/validate_policy/1234567890?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=[redacted]',
      '/api/merchant/micro_health/validate_policy/[redacted]?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=[redacted]',
      '/api/merchant/micro_health/validate_policy/[redacted]?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=[redacted]',
    ]);
  });
});

describe('the journal of a proxy', () => {
  test('lists the newest exchanges first, each with what differed', async () => {
    const { proxy, sandbox } = await proxiedSandbox({
      profile: { version: 1, decisions: { 'success-messages': { listMotorPolicies: 'Here' } } },
    });
    const headers = { authorization: 'Bearer sk_sandbox_demo' };
    await fetch(`${proxy.url}/livez`, { headers });
    await fetch(`${proxy.url}/api/merchant/get_comprehensive_motor_policies`, { headers });
    const answer = await fetch(`${proxy.url}/_sandbox/journal`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      target: sandbox.url,
      data: [
        {
          id: 'call-2',
          at: expect.stringMatching(/Z$/),
          operation: 'listMotorPolicies',
          method: 'GET',
          path: '/api/merchant/get_comprehensive_motor_policies',
          status: 200,
          elapsed_ms: expect.any(Number),
          not_judged: null,
          differences: [
            {
              path: '$.response_message',
              expected: '"Comprehensive motor policies retrieved successfully"',
              seen: '"Here"',
              assumption: ['success-messages'],
            },
          ],
        },
        expect.objectContaining({
          id: 'call-1',
          operation: null,
          not_judged: 'the contract has no such path',
        }),
      ],
    });
  });

  test.each([
    [{ host: 'proxy.example' }],
    [{ origin: 'https://elsewhere.example' }],
    [{ origin: 'null' }],
  ])('is refused to a caller with %j', async (headers) => {
    const { proxy } = await proxiedSandbox();
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request(`${proxy.url}/_sandbox/journal`, { headers }, (answer) =>
        resolve(answer.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  test('is the only path that does not go on', async () => {
    const { proxy } = await proxiedSandbox();
    const headers = { authorization: 'Bearer sk_sandbox_demo' };
    expect(await (await fetch(`${proxy.url}/_sandbox/clock`, { headers })).json()).toHaveProperty(
      'mode',
    );
    expect(
      (await fetch(`${proxy.url}/_sandbox/journal`, { method: 'DELETE', headers })).status,
    ).toBe(204);
  });
});
