import type { JournalCall } from '../../src/ui/inspector/client/items.ts';

/** A call as in the journal, with the given fields replaced. */
export const entry = (fields: Partial<JournalCall> = {}): JournalCall => ({
  id: 'req-1-1',
  at: '2026-01-31T10:15:00.000Z',
  operation: 'initiateMicroHealthSubscription',
  method: 'POST',
  path: '/api/merchant/micro_health/initiate',
  status: 200,
  duration_ms: 0,
  received_at: '2026-11-03T08:15:30.000Z',
  elapsed_ms: 0.4,
  fault: null,
  hint: null,
  assumptions: [],
  problems: [],
  changes: [],
  summary: 'Ada Obi · ₦700 · monthly',
  request: { headers: {}, body: {} },
  response: { headers: {}, body: {} },
  merchant: { id: 1, name: 'Demo Merchant' },
  ...fields,
});
