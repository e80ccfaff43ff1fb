import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../support/characters.ts';
import { createClient, readAnswer } from '../support/client.ts';
import { buy, exampleOf, initiate, purchaseOf } from '../support/requests.ts';

/** The lines of the newest call, without its day. */
const newest = ({ merchant }: ReturnType<typeof createClient>) =>
  merchant.journal.text({ limit: 1 }).trimEnd().split('\n').slice(1);

describe('the journal as text', () => {
  test('tells a purchase whose answer was lost: what was asked, what came, what it changed', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    const headers = { 'sandbox-fault': 'after; drop' };
    await client.call('verifyMotorPolicy', { token }, { headers }).catch(() => undefined);
    const [policy] = client.merchant.records({ family: 'motor' }).data;
    const lines = client.merchant.journal.text().split('\n');
    expect(lines.slice(0, 6)).toEqual([
      '2026-01-31',
      '10:00:00 POST /api/merchant/comprehensive_motor_initiate_policy 200',
      `  initiateMotorPolicy req-3-1  "Bola Ade · yearly · policy ${policy?.policy_number}"`,
      expect.stringMatching(/^ {2}sent {5}first_name: .*, … \d+ more$/),
      expect.stringMatching(`^ {2}answered policy_number: "\\w+", token: "${token}", `),
      `  changed  + pending purchase ${token}`,
    ]);
    const number = policy?.policy_number;
    expect(lines.slice(6)).toEqual([
      '10:00:00 POST /api/merchant/comprehensive_motor_verify_policy lost  fault after; drop: processed with status 200, connection cut',
      `  verifyMotorPolicy req-3-2  "Bola Ade · yearly · policy ${number}"`,
      `  sent     token: "${token}"`,
      expect.stringContaining(`  lost     policy_number: "${number}", `),
      `  changed  − pending purchase ${token}, + used token ${token}, + motor policy ${number}`,
      '',
    ]);
  });

  test('says the reason of a refusal first, and shows the refused fields before the others', async () => {
    const client = createClient();
    const wrong = { amount: 1, phone_no: '12' };
    await client.call('initiateMicroHealthSubscription', purchaseOf('micro_health', wrong));
    expect(newest(client)).toEqual([
      '10:00:00 POST /api/merchant/micro_health/initiate 422  The phone_no field must be 11 digits.',
      '  initiateMicroHealthSubscription req-3-1  "Ada Obi · ₦1 · monthly"',
      '  refused  The amount field must be 700, the premium of this plan.',
      expect.stringMatching(/^ {2}sent {5}phone_no: "12", amount: 1, first_name: "Ada", .*more$/),
    ]);
  });

  test('says what became of a token that was refused, and which fields a renewal changed', async () => {
    const client = createClient();
    const token = await initiate(client, 'micro_health');
    const headers = { 'sandbox-fault': 'after; drop' };
    const lost = client.call('verifyMicroHealthSubscription', { token }, { headers });
    await expect(lost).rejects.toThrow(TypeError);
    await client.call('verifyMicroHealthSubscription', { token });
    const { policy_no } = client.merchant.records({ family: 'micro_health' }).data[0] ?? {};
    expect(newest(client)).toEqual([
      '10:00:00 POST /api/merchant/micro_health/verify 400  Token has already been used',
      '  verifyMicroHealthSubscription req-3-3  "Ada Obi · ₦700 · monthly"',
      `  because  used by req-3-2, whose response was lost; policy ${policy_no} exists`,
      `  sent     token: "${token}"`,
    ]);
    const renewal = { policy_no, amount: 700, subscription_type: 'monthly' };
    await client.call('topUpMicroHealthSubscription', renewal);
    expect(newest(client).at(-1)).toMatch(
      /^ {2}changed {2}~ micro-health policy \d+: subscriptions\.subscriptions_no 1 → 2, subscriptions\.end_date "2026-02-28[^"]*" → "2026-03-\d\d[^"]*", \+ transactions\.1 \[13 fields\]$/,
    );
  });

  test('tells missing fields in one line, after the wrong ones', async () => {
    const client = createClient();
    await client.call('initiateMotorPolicy', { email: 'nowhere' });
    const [first, , missing] = newest(client);
    expect(first).toMatch(/ 422 {2}The email field /);
    expect(missing).toMatch(
      /^ {2}refused {2}\d+ required fields are missing: (\w+, ){3,}… \d+ more$/,
    );
  });

  test('tells a fault that made the response, and its hint', async () => {
    const client = createClient();
    client.merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503 } });
    await client.call('getMotorQuote', { ...exampleOf('getMotorQuote'), colour: 'red' });
    expect(newest(client)).toEqual([
      expect.stringMatching(/ 503 {2}fault before; respond; status=503: not processed$/),
      '  getMotorQuote req-3-1',
      expect.stringMatching(/^ {2}sent {5}product_id: .*, vehicle_value: .*, colour: "red"$/),
      '  answered error: ["The sandbox was told to answer 503."]',
      '  changed  − fault fault-1',
    ]);
    await client.call('getMotorQuote', { ...exampleOf('getMotorQuote'), colour: 'red' });
    expect(newest(client).at(-1)).toBe('  hint     colour was ignored.');
  });

  test('counts what a list returned, and what it leaves out of a long value', async () => {
    const client = createClient();
    const members = exampleOf('initiateGroupLifePolicy').members as unknown[];
    await client.call('initiateGroupLifePolicy', {
      ...purchaseOf('group_life'),
      group_name: 'x'.repeat(90),
      members: Array.from({ length: 12 }, () => members[0]),
    });
    await buy(client, 'motor');
    await client.call('listMotorPolicies');
    expect(newest(client).at(-1)).toMatch(/^ {2}answered the first: policy_number: "/);
    for (const line of client.merchant.journal.text().split('\n')) {
      if (!/^\d/.test(line)) expect(line.length).toBeLessThan(200);
    }
  });

  test('has a line for each day, oldest first, and the filters of the list', async () => {
    const { merchant, call } = createClient();
    await call('listMotorPolicies');
    merchant.clock.advance('P1D');
    await call('verifyMotorPolicy', { token: 'nothing' });
    expect(merchant.journal.text().match(/^\S+( \w+ \S+ \d+)?/gm)).toEqual([
      '2026-01-31',
      '10:00:00 GET /api/merchant/get_comprehensive_motor_policies 200',
      '2026-02-01',
      expect.stringMatching(/^10:00:00 POST .* 4\d\d$/),
    ]);
    expect(merchant.journal.text({ operation: 'listMotorPolicies' })).not.toContain('verify');
    expect(merchant.journal.text({ limit: 1 })).toContain('verifyMotorPolicy');
    expect(merchant.journal.text({ status: 599 })).toBe('No calls.\n');
    expect(() => merchant.journal.text({ limit: 0 })).toThrow('limit: expected at least 1, got 0');
    expect(() => merchant.journal.text({ operation: 'verify' as 'getMotorQuote' })).toThrow();
  });

  test('hides what the journal hides', async () => {
    const { merchant, call } = createClient();
    await call('initiateMicroHealthSubscription', purchaseOf('micro_health', { nin_number: '1' }));
    const text = merchant.journal.text();
    expect(text).toContain('nin_number: "[redacted]"');
    expect(text).not.toContain(merchant.apiKey);
  });

  test('keeps what callers write on its line and in quotes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter, maxLength: 30 }), async (text) => {
        const { merchant, call, sandbox } = createClient();
        await call('verifyMotorPolicy', { token: text, [text]: [text] });
        await call('verifyMotorPolicy', {}, { raw: `{${text}` });
        await sandbox.fetch(`/api/merchant/${encodeURIComponent(text)}?a=${text}`, {
          headers: { authorization: `Bearer ${merchant.apiKey}` },
        });
        const shown = merchant.journal.text();
        expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(shown).not.toContain('[object');
        for (const line of shown.trimEnd().split('\n')) expect(line).toMatch(/^(\d{2}|\s{2}\w)/);
      }),
      { numRuns: 50 },
    );
  });
});

describe('GET /_sandbox/journal', () => {
  test('has the same text with format=text', async () => {
    const { sandbox, merchant, call } = createClient();
    await call('listMotorPolicies');
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const answer = await sandbox.fetch('/_sandbox/journal?format=text', { headers });
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain;/);
    expect(await answer.text()).toBe(merchant.journal.text());
  });

  test('refuses another format, and the operation that is none', async () => {
    const { sandbox, merchant } = createClient();
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    for (const query of ['format=xml', 'format=text&operation=verify']) {
      const answer = await readAnswer(
        await sandbox.fetch(`/_sandbox/journal?${query}`, { headers }),
      );
      expect(answer.status).toBe(422);
    }
  });

  test('tells a thousand calls as text', async () => {
    const { sandbox, merchant, call } = createClient();
    for (let count = 0; count < 1000; count++) await call('verifyMotorPolicy', { token: 'x' });
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const answer = await sandbox.fetch('/_sandbox/journal?format=text&limit=1000', { headers });
    expect((await answer.text()).match(/ 4\d\d {2}\w/g)).toHaveLength(1000);
  });
});
