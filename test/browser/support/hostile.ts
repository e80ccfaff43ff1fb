import type { Merchant, SandboxServer } from '../../../src/node/index.ts';
import { initiate } from '../../support/requests.ts';
import { clientOver, DEMO_KEY } from './sandbox.ts';

/* Texts that try to change what stands beside them, and a World that is full of them. */

const LONG_WORD = 'W'.repeat(5000);

/**
 * Reads from right to left, closes isolates and a paragraph that it did not open, overrides the direction of what
 * follows, opens an isolate that it does not close, and ends in a word that is wider than any screen.
 */
export const HOSTILE = `مرحبا out\u2069\u2069 next\u2029 \u202Eoverridden \u2067open ${LONG_WORD}`;

/** Fixtures in which all merchants have such a name, and one a key as long. */
export const HOSTILE_FIXTURES = {
  'merchants.json': {
    merchants: [
      { id: 1, name: HOSTILE, api_key: DEMO_KEY },
      { id: 2, name: `Shop ${HOSTILE}`, api_key: `sk_${LONG_WORD}` },
    ],
  },
};

/** Fills the World of the demo merchant with calls, policies, a pending purchase and faults of such texts. */
export async function fillWithHostileTexts(server: SandboxServer): Promise<void> {
  const merchant = server.sandbox.merchant(DEMO_KEY);
  const url = `${server.url}/api`;
  const text = encodeURIComponent(HOSTILE);
  const headers = { authorization: `Bearer ${DEMO_KEY}`, 'x-note': LONG_WORD };
  const post = (body: string) =>
    fetch(`${url}/merchant/micro_health/get_quote`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
  await fetch(`${url}/merchant/get_comprehensive_motor_policies?${text}=${text}`, { headers });
  await fetch(`${url}/${text}`, { headers });
  await fetch(`${url}/${text}`, { headers: { authorization: `Bearer ${LONG_WORD}` } });
  await post(HOSTILE);
  await post(JSON.stringify({ [HOSTILE]: [HOSTILE, { [HOSTILE]: 1 }] }));
  await initiate(clientOver(server), 'motor');
  merchant.faults.add({
    match: { body: { [HOSTILE]: { inner: HOSTILE } } },
    stage: 'before',
    effect: {
      kind: 'respond',
      status: 503,
      headers: { 'x-note': LONG_WORD },
      body: { [HOSTILE]: [HOSTILE, 1] },
    },
    times: 2,
    probability: 0.5,
  });
  merchant.faults.add({
    match: { body: { a: HOSTILE } },
    stage: 'after',
    effect: { kind: 'hang' },
  });
  restoreWithHostileTexts(merchant);
}

/** Free text of records. */
const FREE_FIELDS = new Set([
  'first_name',
  'surname',
  'group_name',
  'group_type',
  'insurance_cover',
  'policy_number',
  'policy_no',
]);

/** A value with such a text after each free text in it. */
const withHostileTexts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (field, held) =>
    FREE_FIELDS.has(field) && typeof held === 'string' ? `${held} ${HOSTILE}` : held,
  );

/** Puts in by a snapshot what no call takes. */
function restoreWithHostileTexts(merchant: Merchant): void {
  const { version, world } = JSON.parse(JSON.stringify(merchant.snapshot()));
  for (const family of Object.values<{ records: unknown }>(world.families)) {
    family.records = withHostileTexts(family.records);
  }
  world.families.motor.pending[0].token = HOSTILE;
  world.faults[1].id = HOSTILE;
  world.sequences.request += 1;
  world.journal.push({
    ...world.journal.at(-1),
    id: `req-1-${world.sequences.request}`,
    operation: null,
    method: HOSTILE,
    path: `/${HOSTILE}?${HOSTILE}=${HOSTILE}`,
    status: 400,
    request: { headers: { [HOSTILE]: HOSTILE }, body: HOSTILE },
    response: {
      headers: { 'sandbox-assumptions': HOSTILE },
      body: { data: { error: [HOSTILE, `The ${HOSTILE.split(' ')[0]} field is ${HOSTILE}`] } },
    },
  });
  merchant.restore({ version, world });
}
