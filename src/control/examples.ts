import { REDACTED } from '../core/redaction.ts';

/*
 * One story in the words of the control plane: a merchant buys a policy, the answer of its verify is
 * lost. The document shows these, and a test holds them against their schemas.
 */

const NOW = '2026-01-31T10:00:00.000Z';
const TOKEN = 'GLP176985360012345678';
const clock = { now: NOW, mode: 'frozen' };
const newFault = {
  match: { operation: 'verifyGroupLifePolicy', body: { token: TOKEN } },
  stage: 'after',
  effect: { kind: 'drop' },
};

export const EXAMPLES = {
  clock,
  clockChange: { mode: 'frozen', now: NOW },
  advance: { by: 'PT15M' },
  advanced: {
    now: '2026-01-31T10:15:00.000Z',
    mode: 'frozen',
    effects: [
      {
        kind: 'purchase_expired',
        operation: 'initiateGroupLifePolicy',
        token: TOKEN,
        at: '2026-01-31T10:15:00.000Z',
      },
    ],
  },
  newFault,
  fault: { id: 'fault-1', ...newFault, times: 1, probability: 1 },
  journalEntry: {
    id: 'req-3-2',
    at: NOW,
    operation: 'verifyGroupLifePolicy',
    method: 'POST',
    path: '/api/merchant/group-life/policy/verify-group-life-policy',
    status: 400,
    duration_ms: 0,
    fault: null,
    request: {
      headers: { authorization: REDACTED, 'content-type': 'application/json' },
      body: { token: TOKEN },
    },
    response: {
      headers: { 'content-type': 'application/json', 'sandbox-request-id': 'req-3-2' },
      body: {
        success: false,
        response_message: 'Token has expired',
        response_code: 400,
        data: { error: ['Token has expired'] },
      },
    },
  },
  expectation: { operation: 'verifyGroupLifePolicy', status: 200, count: 1, timeout: 'PT5S' },
  assumption: {
    id: 'token-boundary',
    question: 'Is the 15th minute still valid?',
    decision: 'Valid while now < initiated + 15:00.000. At 15:00.000 the details are deleted.',
    basis: 'judgement',
    count: 2,
    setting: 'exclusive',
    alternatives: ['exclusive', 'inclusive'],
  },
  newMerchant: { name: 'Worker 3', now: NOW, mode: 'frozen', seed: 7 },
  merchant: {
    id: 3,
    name: 'Worker 3',
    api_key: 'sk_sandbox_6fd1c0a84be2937f5a8c1d0e94b7f263',
    clock,
    counts: { micro_health: 0, motor: 0, group_life: 1, pending: 0, faults: 0, exchanges: 2 },
  },
  snapshot: { version: 1, world: { merchant_id: 3, clock } },
} as const;
