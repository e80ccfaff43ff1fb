import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { createClient, createDemoClient } from '../support/client.ts';
import {
  buy,
  exampleOf,
  familyKeys,
  initiate,
  purchaseOf,
  UNTIL_EXPIRED,
  verifyOf,
} from '../support/requests.ts';

const withProfile = (decisions: Record<string, unknown>) => ({
  profile: { version: 1, decisions },
});

describe('profile settings', () => {
  test.each(familyKeys)(
    'another HTTP status leaves the response_code of %s unchanged',
    async (family) => {
      const client = createClient(withProfile({ 'http-status': { token_unknown: 422 } }));
      const { status, body } = await client.call(verifyOf[family], { token: 'x' });
      expect(status).toBe(422);
      expect(Number(body.response_code)).toBe(400);
    },
  );

  test('a family has HTTP statuses of its own beside those of all', async () => {
    const statuses = { invalid: 400, token_unknown: 404, motor: { invalid: 409, malformed: 418 } };
    const client = createClient(withProfile({ 'http-status': statuses }));
    const statusesIn = async (family: keyof typeof verifyOf) => [
      (await client.call(verifyOf[family], {})).status,
      (await client.call(verifyOf[family], { token: 'x' })).status,
      (await client.call(verifyOf[family], {}, { raw: '{' })).status,
    ];
    expect(await statusesIn('motor')).toEqual([409, 404, 418]);
    expect(await statusesIn('micro_health')).toEqual([400, 404, 400]);
    expect(await statusesIn('group_life')).toEqual([400, 404, 400]);
  });

  test.each(['string', 'integer'])(
    'the expired group-life token follows the specification with %s codes',
    async (type) => {
      const client = createClient(
        withProfile({
          'error-code-type': type,
          'token-expired': { message: 'Too late' },
          'http-status': { token_expired: 410 },
        }),
      );
      const token = await initiate(client, 'group_life');
      client.merchant.clock.advance(UNTIL_EXPIRED);
      const { status, body, headers } = await client.call(verifyOf.group_life, { token });
      expect(status).toBe(410);
      expect(body).toEqual({
        success: false,
        response_message: 'Token has expired',
        response_code: 400,
        data: { error: ['Token has expired'] },
      });
      expect(headers.get('sandbox-assumptions')).toBe('token-expired, token-boundary, http-status');
    },
  );

  test.each([
    ['used', 'Token has already been used'],
    ['expired', 'Token has expired'],
    ['unknown', 'Invalid token'],
  ])('a second verify is refused as %s', async (usedToken, message) => {
    const client = createClient(withProfile({ 'token-used': usedToken }));
    for (const family of familyKeys) {
      const token = await initiate(client, family);
      expect((await client.call(verifyOf[family], { token })).status).toBe(200);
      const { status, body, headers } = await client.call(verifyOf[family], { token });
      expect(status).toBe(400);
      expect(body.data.error).toEqual([message]);
      expect(headers.get('sandbox-assumptions')).toContain('token-used');
    }
  });

  test('a second verify returns the policy again under same-policy, and creates none', async () => {
    const client = createClient(withProfile({ 'token-used': 'same-policy' }));
    for (const family of familyKeys) {
      const token = await initiate(client, family);
      const first = await client.call(verifyOf[family], { token });
      client.merchant.clock.advance(UNTIL_EXPIRED);
      const second = await client.call(verifyOf[family], { token });
      expect(second.body).toEqual(first.body);
      expect(client.merchant.records({ family }).total).toBe(1);
      const [entry] = client.merchant.journal.list();
      expect(entry?.changes).toEqual([]);
    }
  });

  test('a second verify is known after a restore, and a token that bought nothing is refused', async () => {
    const client = createClient(withProfile({ 'token-used': 'same-policy' }));
    const token = await initiate(client, 'motor');
    const { body } = await client.call('verifyMotorPolicy', { token });
    client.merchant.restore(client.merchant.snapshot());
    expect((await client.call('verifyMotorPolicy', { token })).body).toEqual(body);
    expect((await client.call('verifyMotorPolicy', { token: 'CMP1' })).status).toBe(400);
  });

  test('an identity number may have any digits, or be left out', async () => {
    const initiateWith = async (nin: unknown, input: Record<string, unknown>) => {
      const client = createClient(withProfile({ 'nin-number': nin }));
      const { status, body } = await client.call(
        'initiateMicroHealthSubscription',
        purchaseOf('micro_health', input),
      );
      return status === 200 ? status : body.data.error;
    };
    expect(await initiateWith('any', { nin_number: '0123' })).toBe(200);
    expect(await initiateWith('any', { nin_number: 1234567890123 })).toBe(200);
    expect(await initiateWith('any', { nin_number: 'A123' })).toEqual([
      'The nin_number field must be digits only.',
    ]);
    expect(await initiateWith('any', { nin_number: undefined })).toEqual([
      'The nin_number field is required.',
    ]);
    expect(await initiateWith({ required: false }, { nin_number: undefined })).toBe(200);
    expect(await initiateWith({ required: false }, { nin_number: '' })).toBe(200);
    expect(await initiateWith({ required: false }, { nin_number: '123' })).toEqual([
      'The nin_number field must be 11 digits.',
    ]);
  });

  test('id_url may be left out, and is checked where it is given', async () => {
    const client = createClient(withProfile({ 'id-url': { required: false } }));
    const send = (id_url?: string) =>
      client.call('initiateMicroHealthSubscription', purchaseOf('micro_health', { id_url }));
    expect((await send()).status).toBe(200);
    expect((await send('id.png')).body.data.error).toEqual([
      'The id_url field must be an absolute http or https URL.',
    ]);
  });

  test('month-end overflow counts the days that a month lacks on into the next', async () => {
    const start = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;
    const client = createClient({ ...start, ...withProfile({ 'month-end': 'overflow' }) });
    const { end_date } = await buy(client, 'micro_health', { subscription_type: 'monthly' });
    expect(end_date).toBe('2026-03-03T10:00:00.000000Z');
    const cover = { start_date: '2026-01-31', frequency_type: 'monthly', duration: 1 };
    expect((await buy(client, 'motor', cover)).end_date).toBe('2026-03-03T00:00:00.000000Z');
    const group = await buy(client, 'group_life', { start_date: '2028-02-29' });
    expect(group.end_date).toBe('2029-03-01T00:00:00.000000Z');
    // Another sandbox takes the records as they are.
    const other = createClient();
    other.merchant.restore(client.merchant.snapshot());
    expect(other.merchant.records({ family: 'motor' }).data[0]).toMatchObject({
      end_date: '2026-03-03',
    });
  });

  test.each([
    ['anchor', '2026-03-31'],
    ['end', '2026-03-28'],
  ])('with top-up-anchor %s, a renewal on the last of January ends on %s', async (value, end) => {
    const start = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;
    const client = createClient({ ...start, ...withProfile({ 'top-up-anchor': value }) });
    const { policy_no } = await buy(client, 'micro_health', { subscription_type: 'monthly' });
    const renewed = await client.call(
      'topUpMicroHealthSubscription',
      exampleOf('topUpMicroHealthSubscription', { policy_no }),
    );
    expect(renewed.body.data.end_date).toBe(`${end}T10:00:00.000000Z`);
  });

  test('text-trim removes white space around text in bodies, paths and queries', async () => {
    const client = createClient(withProfile({ 'text-trim': 'trim' }));
    const token = await initiate(client, 'micro_health', { surname: ' Obi ', email: 'a@b.co\n' });
    const bought = await client.call(verifyOf.micro_health, { token: ` ${token}\t` });
    const { policy_no } = bought.body.data;
    const found = await client.call('validateMicroHealthPolicy', { policy_no: ` ${policy_no} ` });
    expect(found.body.data.policy_no).toBe(policy_no);
    const listed = await client.call('listMicroHealthSubscriptions', { per_page: ' 5 ' });
    expect(listed.body.data.per_page).toBe(5);
    expect(listed.body.data.data[0]).toMatchObject({ surname: 'Obi', email: 'a@b.co' });
  });

  test('white space is kept without text-trim and makes a token or policy number unknown', async () => {
    const client = createClient();
    const token = await initiate(client, 'micro_health', { surname: ' Obi ' });
    const padded = await client.call(verifyOf.micro_health, { token: `${token} ` });
    expect(padded.body.data.error).toEqual(['Invalid token']);
    const { policy_no } = (await client.call(verifyOf.micro_health, { token })).body.data;
    const sought = await client.call('validateMicroHealthPolicy', { policy_no: ` ${policy_no}` });
    expect(sought.status).toBe(404);
    const listed = await client.call('listMicroHealthSubscriptions');
    expect(listed.body.data.data[0].surname).toBe(' Obi ');
  });

  test('page-urls "drop" keeps only the page in page URLs', async () => {
    const client = createDemoClient(withProfile({ 'page-urls': 'drop' }));
    const { data } = (await client.call('listMicroHealthSubscriptions', { per_page: '2' })).body;
    expect(new URL(data.next_page_url).search).toBe('?page=2');
    expect(data.data).toHaveLength(2);
  });
});

describe('a profile is refused', () => {
  test.each([
    ['page-urls', 'kept', 'keep'],
    ['text-trim', 'trimm', 'trim'],
    ['token-used', 'expird', 'expired'],
    ['error-code-type', 'strings', 'string'],
    ['error-envelope', 'larvel', 'laravel'],
    ['phone-digits', 'elevn', 'eleven'],
    ['motor-images', 'urls', 'url'],
    ['frequency-words', 'anycase', 'any-case'],
  ])('for %s "%s", with the suggestion "%s"', (id, value, nearest) => {
    expect(() => createSandbox(withProfile({ [id]: value }))).toThrow(
      new RegExp(`decisions\\.${id}: .*did you mean "${nearest}"`),
    );
  });

  test.each([
    [{ 'token-used': 'same-policy', 'http-status': { token_used: 409 } }, 'http-status', 409, 200],
    [{ 'token-used': 'expired', 'http-status': { token_used: 409 } }, 'http-status', 409, 400],
    [
      {
        'http-status': { motor: { token_used: 409 }, token_unknown: 404 },
        'token-used': 'unknown',
      },
      'http-status.motor',
      409,
      404,
    ],
  ])(
    'for %j, naming the two values that contradict each other',
    (decisions, place, status, due) => {
      const used = `decisions.token-used: "${decisions['token-used']}"`;
      expect(() => createSandbox(withProfile(decisions))).toThrow(
        `Invalid profile: decisions.${place}.token_used: ${status} contradicts ${used}, with which a second verify returns ${due}`,
      );
    },
  );

  test.each([
    [{ 'token-used': 'same-policy', 'http-status': { token_used: 200 } }],
    [{ 'token-used': 'expired', 'http-status': { token_used: 410, token_expired: 410 } }],
    [{ 'token-used': 'used', 'http-status': { token_used: 409 } }],
    [{ 'token-used': { message: 'Again?' }, 'http-status': { motor: { token_used: 409 } } }],
  ])('not for %j, whose values agree', (decisions) => {
    expect(() => createSandbox(withProfile(decisions))).not.toThrow();
  });

  test.each([
    ['an HTTP status for a success', { 'http-status': { success: 201 } }],
    ['another response_code of the expired token', { 'token-expired': { response_code: 410 } }],
    ['a token lifetime', { 'token-lifetime': 'PT30M' }],
    ['an unknown path of a family', { 'http-status': { motor: { route_unknown: 400 } } }],
    ['HTTP statuses of an unknown family', { 'http-status': { moto: { invalid: 400 } } }],
    ['a success message of an unknown operation', { 'success-messages': { verify: 'Done' } }],
  ])('for %s', (_what, decisions) => {
    expect(() => createSandbox(withProfile(decisions))).toThrow(/decisions\./);
  });
});
