import { describe, expect, test } from 'vitest';
import { createClient, operations } from '../support/client.ts';
import { acceptedInput, buy, exampleOf, MOTOR_SAMPLE, purchaseOf } from '../support/requests.ts';

const MEMBER = {
  full_name: 'Bola Ade',
  gender: 'female',
  occupation: 'Tailor',
  date_of_birth: '1992-08-03',
  next_of_kiln: 'Sade Ade',
  phone_number: '08067654321',
};

/** Sends a request as written, and returns its status and hint. */
async function ask(method: string, path: string, authorization?: string) {
  const { sandbox, merchant } = createClient();
  const key = authorization?.replace('<key>', merchant.apiKey);
  const headers = key === undefined ? {} : { authorization: key };
  const response = await sandbox.fetch(path, { method, headers });
  return [response.status, response.headers.get('sandbox-hint')];
}

test.each(operations.map(({ operationId }) => operationId))(
  'the documented request of %s gets no hint',
  async (operationId) => {
    const client = createClient();
    const { headers } = await client.call(operationId, await acceptedInput(client, operationId));
    expect(headers.has('sandbox-hint')).toBe(false);
  },
);

describe('a parameter that is sent more than once', () => {
  const LIST = '/api/merchant/micro_health/all_subscriptions';

  test.each([
    ['page=1&page=2', 'page', 2],
    ['page=3&page=2', 'page', 2],
    ['per_page=abc&per_page=5&page=2', 'per_page', 2],
    ['page=1&page=2&page=3', 'page', 3],
  ])('in the query %s counts with its last value', async (query, name, page) => {
    const { sandbox, merchant } = createClient();
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const response = await sandbox.fetch(`${LIST}?${query}`, { headers });
    expect(response.headers.get('sandbox-hint')).toBe(
      `${name} was sent more than once; the last value counts.`,
    );
    expect((await response.json()).data.current_page).toBe(page);
  });
});

describe('what is accepted beyond the words of the specification is named:', () => {
  const member = { ...MEMBER, next_of_kiln: undefined, next_of_kin: 'Sade Ade', gender: 'Female' };
  test.each<[operationId: string, changes: Record<string, unknown>, hint: string]>([
    [
      'getMicroHealthQuote',
      { subscription_type: 'yearly' },
      'subscription_type "yearly" was read as annually, the specification\'s word.',
    ],
    [
      'getMicroHealthQuote',
      { no_of_users: '2' },
      'no_of_users was sent as text; the specification has a number.',
    ],
    [
      'initiateMotorPolicy',
      { frequency_type: 'annually', gender: 'FEMALE' },
      'gender "FEMALE" was read as female, the specification\'s word. frequency_type "annually" was read as yearly, the specification\'s word.',
    ],
    [
      'initiateGroupLifePolicy',
      { members: JSON.stringify([MEMBER]) },
      'members was sent as a JSON string; the specification has an array.',
    ],
    [
      'initiateGroupLifePolicy',
      { members: [member, member] },
      'members.gender "Female" was read as female, the specification\'s word. members.next_of_kin was read as next_of_kiln, the specification\'s name.',
    ],
  ])('%s with %j', async (operationId, changes, hint) => {
    const input = { ...exampleOf(operationId), ...changes };
    const { status, headers } = await createClient().call(operationId, input);
    expect([status, headers.get('sandbox-hint')]).toEqual([200, hint]);
  });

  test.each([
    ['motor', 'getMotorPolicyDetails', 'policy_number', 'Policy_number'],
    ['group_life', 'getGroupLifePolicyDetails', 'policyNumber', 'policy_number'],
  ] as const)(
    'the policy number of %s under another name',
    async (family, operationId, sent, name) => {
      const client = createClient();
      const { policy_number } = await buy(client, family);
      const { status, headers } = await client.call(operationId, { [sent]: policy_number });
      expect([status, headers.get('sandbox-hint')]).toEqual([
        200,
        `${sent} was read as ${name}, the specification's name.`,
      ]);
    },
  );

  test('but not what is refused', async () => {
    const input = { ...exampleOf('getMicroHealthQuote'), no_of_users: 'two' };
    const { status, headers } = await createClient().call('getMicroHealthQuote', input);
    expect([status, headers.get('sandbox-hint')]).toEqual([422, null]);
  });

  test('but not product ids, identity numbers and numeric fields of motor as text', async () => {
    const motor = { product_id: '4', sum_insured: '5000000', duration: '1' };
    const { headers } = await createClient().call('initiateMotorPolicy', {
      ...exampleOf('initiateMotorPolicy'),
      ...motor,
    });
    expect(headers.has('sandbox-hint')).toBe(false);
  });

  test.each<[string, string, number, string]>([
    ['an encoded body that cannot be read', 'gzip', 400, 'no JSON'],
    ['a readable body that says it is encoded', 'br', 422, '{}'],
  ])('and %s', async (_, encoding, status, body) => {
    expect(await sendEncoded(encoding, body)).toEqual({
      status,
      hint: `The body has the Content-Encoding ${encoding}; send it as it is.`,
    });
  });

  test.each(['identity', 'Identity', ''])(
    'but not a body with the Content-Encoding "%s"',
    async (encoding) => {
      expect(await sendEncoded(encoding, '{}')).toEqual({ status: 422, hint: null });
    },
  );

  /** Sends this body for a quote, as encoded. */
  async function sendEncoded(encoding: string, body: string) {
    const { sandbox, merchant } = createClient();
    const { status, headers } = await sandbox.fetch('/api/merchant/micro_health/get_quote', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.apiKey}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body,
    });
    return { status, hint: headers.get('sandbox-hint') };
  }
});

describe('an ignored field', () => {
  /** The status and the hint of an initiate with other fields. */
  async function initiated(operationId: string, changes: Record<string, unknown>) {
    const { status, headers } = await createClient().call(operationId, {
      ...exampleOf(operationId),
      ...changes,
    });
    return [status, headers.get('sandbox-hint')];
  }
  const initiate = 'initiateMicroHealthSubscription';

  test('is named with the known field nearest to it', async () => {
    expect(await initiated(initiate, { second_beneficiary_fullname: 'Bola Ade' })).toEqual([
      200,
      'second_beneficiary_fullname was ignored; did you mean second_beneficiary_full_name?',
    ]);
  });

  test('is named when the call is refused for the field that is missing', async () => {
    const { email, ...misspelt } = exampleOf(initiate);
    const { status, headers } = await createClient().call(initiate, { ...misspelt, e_mail: email });
    expect([status, headers.get('sandbox-hint')]).toEqual([
      422,
      'e_mail was ignored; did you mean email?',
    ]);
  });

  test('is named without a suggestion if no field is near', async () => {
    expect(await initiated(initiate, { favourite_colour: 'blue' })).toEqual([
      200,
      'favourite_colour was ignored.',
    ]);
  });

  test('is named with others, at most five of them', async () => {
    const two = { phoneNo: '08031234567', zodiac: 'Leo' };
    expect(await initiated(initiate, two)).toEqual([
      200,
      'phoneNo (did you mean phone_no?) and zodiac were ignored.',
    ]);
    const seven = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`zodiac${n}`, 'Leo']));
    expect(await initiated(initiate, seven)).toEqual([
      200,
      'zodiac1, zodiac2, zodiac3, zodiac4, zodiac5 and 2 more were ignored.',
    ]);
  });

  test('is found inside a list', async () => {
    const members = [
      { ...MEMBER, dateOfBirth: '1992-08-03' },
      { ...MEMBER, dateOfBirth: '1992-08-03' },
    ];
    expect(await initiated('initiateGroupLifePolicy', { members })).toEqual([
      200,
      'dateOfBirth was ignored; did you mean date_of_birth?',
    ]);
  });

  test('is found in a query', async () => {
    const client = createClient();
    const { headers } = await client.call('listMicroHealthSubscriptions', { perPage: 5 });
    expect(headers.get('sandbox-hint')).toBe('perPage was ignored; did you mean per_page?');
    const motor = await client.call('listMotorPolicies', { page: 2 });
    expect(motor.headers.get('sandbox-hint')).toBe('page was ignored.');
  });

  test('is not named if it is one of the fields that only the motor sample has', async () => {
    expect(await initiated('initiateMotorPolicy', MOTOR_SAMPLE)).toEqual([200, null]);
    expect(await initiated('initiateGroupLifePolicy', { status: 'any' })).toEqual([200, null]);
    // Nor is it a name to use instead of another one.
    expect(await initiated('initiateMotorPolicy', { adress: 'Lagos' })).toEqual([
      200,
      'adress was ignored.',
    ]);
  });

  test('is counted, however many there are, and an empty name is shown in quotes', async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`zodiac${n}`, n]));
    expect((await initiated(initiate, many))[1]).toMatch(/zodiac4 and 19995 more were ignored\.$/);
    expect(await initiated(initiate, { '': 1 })).toEqual([200, '"" was ignored.']);
    // A name that is a sentence could pass for the hint's own words.
    expect(await initiated(initiate, { 'Send "x" again.': 1 })).toEqual([
      200,
      '"Send \\"x\\" again." was ignored.',
    ]);
  });

  test('is shown if its name is nothing but white space, in quotes where the spaces would be lost', async () => {
    expect(await initiated(initiate, { '\u3000': 1 })).toEqual([200, '\\u3000 was ignored.']);
    expect(await initiated(initiate, { [' '.repeat(60_000)]: 1 })).toEqual([
      200,
      `"${' '.repeat(60)}..." was ignored.`,
    ]);
    const client = createClient();
    const { headers } = await client.call('listMicroHealthSubscriptions', { '\u3000': 5 });
    expect(headers.get('sandbox-hint')).toBe('\\u3000 was ignored.');
  });

  test('is named in at most 500 characters, whatever the names are', async () => {
    const long = Object.fromEntries([1, 2, 3, 4, 5].map((n) => ['\u3000'.repeat(50) + n, 'any']));
    const [status, hint] = await initiated(initiate, long);
    expect([status, String(hint).length]).toEqual([200, 498]);
  });

  test('is shown in ASCII and shortened, whatever its name is', async () => {
    const names = { 'größe\n': 1, ['x'.repeat(100)]: 2 };
    expect(await initiated(initiate, names)).toEqual([
      200,
      `gr\\u00f6\\u00dfe\\u000a and ${'x'.repeat(60)}... were ignored.`,
    ]);
  });
});

describe('a key', () => {
  test.each([
    ['that is missing', undefined, 'Send the API key as "Authorization: Bearer <key>".'],
    [
      'without "Bearer"',
      '<key>',
      'The key was sent without "Bearer"; send "Authorization: Bearer <key>".',
    ],
    ['under another scheme', 'Token <key>', 'Send the API key as "Authorization: Bearer <key>".'],
    ['after "Bearer:"', 'Bearer: <key>', 'Send the API key as "Authorization: Bearer <key>".'],
    [
      'with a blank',
      'Bearer test 1',
      'An API key has no blanks. Send "Authorization: Bearer <key>".',
    ],
    [
      'that no merchant has',
      'Bearer sk_unknown',
      'No merchant has this key. Start the sandbox with --auto-merchants to give every unknown key a World of its own.',
    ],
  ])('%s gets 401 and the hint %s', async (_what, authorization, hint) => {
    const path = '/api/merchant/get_comprehensive_motor_policies';
    expect(await ask('GET', path, authorization)).toEqual([401, hint]);
  });
});

describe('an unknown route', () => {
  test.each([
    ['POST', '/api/merchant/micro_health/verfy', 'POST /api/merchant/micro_health/verify'],
    ['POST', '/micro_health/verify', 'POST /api/merchant/micro_health/verify'],
    ['POST', '/api/v1/merchant/micro_health/verify', 'POST /api/merchant/micro_health/verify'],
    ['POST', '/api/merchant/Micro_Health/Verify/', 'POST /api/merchant/micro_health/verify'],
    [
      'GET',
      '/api/merchant/micro_health/validate-policy/1234567890',
      'GET /api/merchant/micro_health/validate_policy/{policy_no}',
    ],
  ])('%s %s suggests %s', async (method, path, meant) => {
    expect(await ask(method, path, 'Bearer <key>')).toEqual([404, `Did you mean ${meant}?`]);
  });

  test('suggests nothing if no path is near', async () => {
    expect(await ask('GET', '/', 'Bearer <key>')).toEqual([200, null]);
    expect(await ask('GET', '/api/merchant/claims', 'Bearer <key>')).toEqual([404, null]);
    expect(await ask('GET', '/favicon.png', 'Bearer <key>')).toEqual([404, null]);
  });
});

test('another method suggests the one of the path', async () => {
  const path = '/api/merchant/micro_health/verify';
  expect(await ask('PUT', path, 'Bearer <key>')).toEqual([405, `Did you mean POST ${path}?`]);
});

test('a response that a fault injected has no hint', async () => {
  const client = createClient();
  const headers = { 'sandbox-fault': 'before; respond; status=503' };
  const input = { ...purchaseOf('motor'), zodiac: 'Leo' };
  const refused = await client.call('initiateMotorPolicy', input, { headers });
  expect([refused.status, refused.headers.get('sandbox-hint')]).toEqual([503, null]);
});
