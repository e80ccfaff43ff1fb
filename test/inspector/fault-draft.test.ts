import { describe, expect, test } from 'vitest';
import { createSandbox, type NewFault } from '../../src/index.ts';
import { FIRST_DRAFT, readDraft } from '../../src/ui/inspector/client/faults.tsx';

const draft = (fields: Partial<typeof FIRST_DRAFT>) => readDraft({ ...FIRST_DRAFT, ...fields });

describe('the fault form', () => {
  test('creates faults that the control plane accepts, for every effect', () => {
    const { faults } = createSandbox().createMerchant();
    for (const kind of ['respond', 'delay', 'drop', 'truncate', 'malformed', 'hang'] as const) {
      expect(faults.add(draft({ kind }) as NewFault).effect.kind).toBe(kind);
    }
    const fault = draft({
      operation: 'verifyMotorPolicy',
      headers: 'Retry-After: 3\n\nX-Odd: a:b',
      body: '{"a":1}',
      match: '{"token":"x"}',
      times: '2',
      probability: '0.5',
    });
    expect(faults.add(fault as NewFault)).toMatchObject({
      match: { operation: 'verifyMotorPolicy', body: { token: 'x' } },
      effect: { kind: 'respond', headers: { 'Retry-After': '3', 'X-Odd': 'a:b' }, body: { a: 1 } },
      times: 2,
      probability: 0.5,
    });
  });

  test.each([
    [{ body: '{bad' }, /^The body is not JSON: /],
    [{ match: 'x' }, /^The body to match is not JSON: /],
    [{ headers: 'Retry-After 3' }, /^"Retry-After 3" is not a header/],
  ])('refuses %j with the reason', (fields, message) => {
    expect(() => draft(fields)).toThrow(message);
  });
});
