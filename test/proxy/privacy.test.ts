import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { logLine } from '../../src/node/commands/proxy.ts';
import type { ProxyEntry } from '../../src/tools/proxy/index.ts';
import { initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { judgedSandbox } from './planted.ts';
import { fake, KEY, proxyTo, serveSandbox } from './support.ts';

/** A customer whose data must stay hidden. */
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
const LIVE_KEY = 'pk_live/Very+Secret=Key';

/** Expects that no output of a proxy contains the customer or the key in any form. */
function expectNothingPersonal(
  judge: { entries(): ProxyEntry[]; report(): unknown },
  entries = judge.entries(),
): void {
  const lines = entries.map((entry) => logLine(entry, false));
  const told = JSON.stringify([entries, judge.report(), lines]);
  for (const secret of [...Object.values(CUSTOMER), 'Adébáyò', 'Ngozi', 'Umeh', LIVE_KEY]) {
    expect(told).not.toContain(secret);
    expect(told).not.toContain(secret.toLowerCase());
    expect(told).not.toContain(encodeURIComponent(secret));
    expect(told).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
}

describe('the output of a proxy', () => {
  test('names no customer, however a service echoes it', async () => {
    const { call, change, judge } = judgedSandbox();
    const sent = purchaseOf('micro_health', { ...CUSTOMER, amount: 1 });
    const { first_name, surname, email, phone_no, nin_number } = CUSTOMER;
    change(({ body }) => {
      const text = `Dear ${first_name} ${surname.toUpperCase()} <${email}>, ${phone_no} and ${nin_number} are known: ?email=${encodeURIComponent(email)}`;
      body.response_message = text;
      body.data = {
        error: [text, JSON.stringify(sent)],
        customer: sent,
        [email]: 1,
        people: [{ full_name: CUSTOMER.first_beneficiary_full_name }],
      };
    });
    const found = await call(initiateOf.micro_health, sent);
    expect(found.differences.length).toBeGreaterThan(2);
    expectNothingPersonal(judge);
  });

  test('hides names in differences but keeps their form', async () => {
    const { call, change, judge } = judgedSandbox();
    const { first_name, surname, email, phone_no } = CUSTOMER;
    const sent = purchaseOf('group_life', { first_name, surname, email, phone_no });
    const { body } = await call(initiateOf.group_life, sent);
    change((answer) => {
      const { user } = answer.body.data;
      user.phone_no = Number(user.phone_no);
      user.email = `x${user.email}`;
      user.first_name = user.first_name.toUpperCase();
    });
    const found = await call(verifyOf.group_life, { token: body.data.token });
    expect(found.lines.toSorted()).toEqual([
      '$.data.user.email: "[redacted] 29 characters", "[redacted] 30 characters"',
      '$.data.user.first_name: "[redacted] 9 characters", "[redacted] 9 characters"',
      '$.data.user.phone_no: "[redacted] 11 digits", "[redacted] number"',
    ]);
    expectNothingPersonal(judge);
  });

  test.each([false, true])(
    'names no customer under other names of fields (without an envelope: %s)',
    async (isBare) => {
      const { call, change, judge } = judgedSandbox();
      const { first_name, surname, email, phone_no } = CUSTOMER;
      const sent = purchaseOf('group_life', { first_name, surname, email, phone_no });
      const { body } = await call(initiateOf.group_life, sent);
      change((answer) => {
        const { user, ...data } = answer.body.data;
        const { first_name: firstName, phone_no: phone, email: contact, ...rest } = user;
        const changed = { ...data, customer: { ...rest, firstName, phone, contact } };
        answer.body = isBare ? changed : { ...answer.body, data: changed };
      });
      const { lines } = await call(verifyOf.group_life, { token: body.data.token });
      expect(lines.join()).toMatch(/the contract's name phone_no/);
      expectNothingPersonal(judge);
    },
  );

  test('contains no key and no query, even for unknown paths, but keeps policy numbers', async () => {
    const url = await fake((incoming, response) => {
      response.writeHead(401, {
        'content-type': 'application/json',
        'www-authenticate': `Key ${LIVE_KEY}`,
      });
      response.end(
        JSON.stringify({
          success: false,
          response_message: `Not ${LIVE_KEY}, nor ${encodeURIComponent(LIVE_KEY)}: ${incoming.url}`,
          response_code: '401',
          data: { error: [LIVE_KEY] },
        }),
      );
    });
    const { judge, told, url: own } = await proxyTo(url);
    const { email, phone_no } = CUSTOMER;
    const query = new URLSearchParams({ email, phone: phone_no, api_key: LIVE_KEY, per_page: '5' });
    const list = '/api/merchant/micro_health/all_subscriptions';
    const lookUp = '/api/merchant/micro_health/validate_policy';
    for (const path of [
      list,
      `/api/merchant/customers/${email}/${phone_no}`,
      `${lookUp}/1234567890`,
      `${lookUp}/${phone_no}`,
      `${lookUp}/Oluwaseun`,
    ]) {
      await fetch(`${own}${path}?${query}`, { headers: { authorization: `Bearer ${LIVE_KEY}` } });
    }
    expectNothingPersonal(judge, told);
    const hidden = '?email=[redacted]&phone=[redacted]&api_key=[redacted]&per_page=';
    expect(told.map(({ path }) => path)).toEqual([
      `${list}${hidden}5`,
      `/api/merchant/customers/[redacted]/[redacted]${hidden}[redacted]`,
      `${lookUp}/1234567890${hidden}[redacted]`,
      `${lookUp}/[redacted]${hidden}[redacted]`,
      `${lookUp}/[redacted]${hidden}[redacted]`,
    ]);
  });
});

describe('the journal of a proxy', () => {
  const headers = { authorization: `Bearer ${KEY}` };

  test('lists the newest exchanges first, with their differences', async () => {
    const decisions = { 'success-messages': { listMotorPolicies: 'Here' } };
    const { url: target } = await serveSandbox({ profile: { version: 1, decisions } });
    const { url } = await proxyTo(target);
    const path = '/api/merchant/get_comprehensive_motor_policies';
    await fetch(`${url}/livez`, { headers });
    await fetch(url + path, { headers });
    const answer = await fetch(`${url}/_sandbox/journal`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      target,
      data: [
        {
          id: 'call-2',
          at: expect.stringMatching(/Z$/),
          operation: 'listMotorPolicies',
          method: 'GET',
          path,
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
  ])('is refused to a caller with %j', async (foreign) => {
    const { url } = await proxyTo('http://127.0.0.1:1');
    const status = await new Promise((resolve) => {
      request(`${url}/_sandbox/journal`, { headers: foreign }, (answer) =>
        resolve(answer.resume().statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });

  test('is the only path that is not forwarded', async () => {
    const { url } = await proxyTo((await serveSandbox()).url);
    const clock = await fetch(`${url}/_sandbox/clock`, { headers });
    expect(await clock.json()).toHaveProperty('mode');
    const cleared = await fetch(`${url}/_sandbox/journal`, { method: 'DELETE', headers });
    expect(cleared.status).toBe(204);
  });
});
