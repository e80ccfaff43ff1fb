import { describe, expect, test } from 'vitest';
import type { FaultEffect, FaultRule } from '../../src/types/public.ts';
import {
  claimFault,
  describeFault,
  type FaultClaim,
  type FaultHolder,
  type MatchedCall,
  parseFault,
  spendClaim,
} from '../../src/world/faults.ts';
import { createRandomState } from '../../src/world/random.ts';
import { KeyedTable, Tables } from '../../src/world/tables.ts';

const rule = (changes: Partial<FaultRule> = {}): FaultRule => ({
  id: 'fault-1',
  match: {},
  stage: 'before',
  effect: { kind: 'drop' },
  skip: 0,
  times: 1,
  probability: 1,
  ...changes,
});

function holding(...rules: FaultRule[]): FaultHolder {
  const faults = new KeyedTable<FaultRule>(new Tables(), 'faults');
  for (const each of rules) faults.put(each.id, each);
  return { faults, fault_random: createRandomState(1, 1), fault_claims: new Set() };
}

/** Claims the fault of a call to an operation. */
const claimFor = (
  holder: FaultHolder,
  operation: string | null,
  body: unknown,
  query: MatchedCall['query'] = {},
) => claimFault(holder, { operation, body, query });

/** What a call does that changes nothing else. */
function consumeFault(holder: FaultHolder, ...call: Tail<Parameters<typeof claimFor>>) {
  const claim = claimFor(holder, ...call);
  spendClaim(holder, claim);
  holder.fault_claims.delete(claim);
  return claim.fault;
}

type Tail<List extends readonly unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never;

const rulesOf = ({ faults }: FaultHolder) => [...faults.values()];

describe('a fault rule', () => {
  test('without a match acts on any call, also of an unknown route', () => {
    expect(consumeFault(holding(rule()), null, undefined)).toEqual({
      id: 'fault-1',
      stage: 'before',
      effect: { kind: 'drop' },
    });
  });

  test('for an operation acts on no other', () => {
    const holder = holding(rule({ match: { operation: 'verifyMotorPolicy' } }));
    expect(consumeFault(holder, 'getMotorQuote', {})).toBeUndefined();
    expect(consumeFault(holder, null, {})).toBeUndefined();
    expect(consumeFault(holder, 'verifyMotorPolicy', {})?.id).toBe('fault-1');
  });

  test.each([
    [{ token: 'abc' }, { token: 'abc', more: 1 }, true],
    [{ token: 'abc' }, { token: 'abcd' }, false],
    [{ token: 'abc' }, { inside: { token: 'abc' } }, false],
    [{ amount: 700 }, { amount: '700' }, false],
    [{ inside: { b: 2 } }, { inside: { a: 1, b: 2 } }, true],
    [{ inside: { b: 2 } }, { inside: null }, false],
    [{ list: [{ a: 1 }] }, { list: [{ a: 1, b: 2 }, { a: 3 }] }, true],
    [{ list: [{ a: 1 }] }, { list: { 0: { a: 1 } } }, false],
    [{ gone: null }, { gone: null }, true],
    [{ gone: null }, {}, false],
    [JSON.parse('{"__proto__":{}}'), {}, false],
    [{}, undefined, false],
    [{}, {}, true],
  ])('for bodies with %j, sent %j: %s', (body, sent, touched) => {
    const taken = consumeFault(holding(rule({ match: { body } })), 'any', sent);
    expect(taken !== undefined).toBe(touched);
  });

  test.each([
    [{ page: '2' }, { page: '2', per_page: '5' }, true],
    [{ page: '2' }, { page: '3' }, false],
    [{ page: '2' }, {}, false],
    [{ page: '2', per_page: '5' }, { page: '2' }, false],
    [{}, {}, true],
    [{ toString: '1' }, {}, false],
  ])('for queries with %j, sent %j: %s', (query, sent, touched) => {
    const taken = consumeFault(holding(rule({ match: { query } })), 'any', {}, sent);
    expect(taken !== undefined).toBe(touched);
  });

  test('acts the given number of times and is then removed', () => {
    const holder = holding(rule({ times: 2 }));
    const acted = [1, 2, 3].map(() => consumeFault(holder, 'any', {}) !== undefined);
    expect(acted).toEqual([true, true, false]);
    expect(rulesOf(holder)).toEqual([]);
  });

  test('that does not match lets the next rule act', () => {
    const holder = holding(
      rule({ match: { operation: 'getMotorQuote' } }),
      rule({ id: 'fault-2' }),
    );
    expect(consumeFault(holder, 'any', {})?.id).toBe('fault-2');
    expect(rulesOf(holder).map(({ id }) => id)).toEqual(['fault-1']);
  });

  test('acts after the rules added before it', () => {
    const holder = holding(rule(), rule({ id: 'fault-2' }));
    const ids = [1, 2].map(() => consumeFault(holder, 'any', {})?.id);
    expect(ids).toEqual(['fault-1', 'fault-2']);
  });
});

describe('a rule that skips calls', () => {
  const acts = (holder: FaultHolder, calls: number) =>
    Array.from({ length: calls }, () => consumeFault(holder, 'getMotorQuote', {})?.id);

  test('lets that many pass, and then acts as often as any rule', () => {
    const holder = holding(rule({ skip: 2, times: 2 }));
    expect(acts(holder, 1)).toEqual([undefined]);
    expect(rulesOf(holder)).toEqual([rule({ skip: 1, times: 2 })]);
    expect(acts(holder, 4)).toEqual([undefined, 'fault-1', 'fault-1', undefined]);
    expect(rulesOf(holder)).toEqual([]);
  });

  test('counts only calls that match it and that no rule before it takes', () => {
    const holder = holding(
      rule(),
      rule({ id: 'fault-2', skip: 1, match: { operation: 'getMotorQuote' } }),
    );
    expect(acts(holder, 1)).toEqual(['fault-1']);
    consumeFault(holder, 'other', {});
    expect(acts(holder, 2)).toEqual([undefined, 'fault-2']);
  });

  test('lets the next rule act on a call that it skips', () => {
    const holder = holding(rule({ skip: 1 }), rule({ id: 'fault-2', times: 2 }));
    expect(acts(holder, 3)).toEqual(['fault-2', 'fault-1', 'fault-2']);
  });

  test('draws no random number for a call that it skips', () => {
    const half = { probability: 0.5, times: 100 };
    const [plain, skipping] = [holding(rule(half)), holding(rule({ ...half, skip: 3 }))];
    acts(skipping, 3);
    expect(skipping.fault_random.state).toEqual(plain.fault_random.state);
    expect(acts(skipping, 20)).toEqual(acts(plain, 20));
  });

  test('counts a running call once, and one that fails not at all', () => {
    const holder = holding(rule({ skip: 2 }));
    const claims = [1, 2, 3].map(() => claimFor(holder, 'any', {}));
    expect(claims.map(({ fault }) => fault?.id)).toEqual([undefined, undefined, 'fault-1']);
    expect(rulesOf(holder)).toEqual([rule({ skip: 2 })]);
    const [first, second, third] = claims as [FaultClaim, FaultClaim, FaultClaim];
    for (const failed of [second, third]) holder.fault_claims.delete(failed);
    spendClaim(holder, first);
    holder.fault_claims.delete(first);
    expect(rulesOf(holder)).toEqual([rule({ skip: 1 })]);
  });
});

describe('a use of a fault rule', () => {
  test("that one call has claimed is no other call's, and changes nothing until it is spent", () => {
    const holder = holding(rule(), rule({ id: 'fault-2', times: 2 }));
    const claims = [1, 2, 3, 4].map(() => claimFor(holder, 'any', {}));
    expect(claims.map(({ fault }) => fault?.id)).toEqual([
      'fault-1',
      'fault-2',
      'fault-2',
      undefined,
    ]);
    expect(rulesOf(holder).map(({ times }) => times)).toEqual([1, 2]);
    const [first, , third] = claims;
    // The second and the fourth call fail.
    for (const claim of [third, first]) spendClaim(holder, claim as FaultClaim);
    holder.fault_claims.clear();
    expect(rulesOf(holder)).toEqual([rule({ id: 'fault-2', times: 1 })]);
  });

  test('is drawn from other random numbers than those of calls in between', () => {
    const draw = (claim: typeof consumeFault | typeof claimFor) => {
      const holder = holding(rule({ probability: 0.5, times: 100 }));
      return Array.from({ length: 20 }, () => {
        const taken = claim(holder, 'any', {});
        return taken && 'draws' in taken ? taken.fault : taken;
      });
    };
    expect(draw(claimFor)).toEqual(draw(consumeFault));
  });

  test('is spent on nothing if its rule is removed in between', () => {
    const holder = holding(rule());
    const claim = claimFor(holder, 'any', {});
    holder.faults.delete('fault-1');
    spendClaim(holder, claim);
    expect(rulesOf(holder)).toEqual([]);
  });
});

describe('a fault with a probability', () => {
  const actedOf = (probability: number, calls = 1000) => {
    const holder = holding(rule({ probability, times: calls }));
    return Array.from({ length: calls }, () => consumeFault(holder, 'any', {}) !== undefined);
  };
  const share = (acted: readonly boolean[]) => acted.filter(Boolean).length / acted.length;

  test('acts about as often as that', () => {
    expect(share(actedOf(0.25))).toBeGreaterThan(0.2);
    expect(share(actedOf(0.25))).toBeLessThan(0.3);
  });

  test('never acts at 0, and always at 1', () => {
    expect(share(actedOf(0))).toBe(0);
    expect(share(actedOf(1))).toBe(1);
  });

  test('that does not act lets the next rule act', () => {
    const holder = holding(rule({ probability: 0 }), rule({ id: 'fault-2' }));
    expect(consumeFault(holder, 'any', {})?.id).toBe('fault-2');
    expect(rulesOf(holder)[0]?.times).toBe(1);
  });
});

describe('the Sandbox-Fault header', () => {
  const readable: [string, 'before' | 'after', FaultEffect][] = [
    ['after; drop', 'after', { kind: 'drop' }],
    ['before; respond; status=503', 'before', { kind: 'respond', status: 503 }],
    ['before; delay; ms=2000', 'before', { kind: 'delay', ms: 2000 }],
    ['after; truncate', 'after', { kind: 'truncate' }],
    ['after; malformed', 'after', { kind: 'malformed' }],
    ['before; hang', 'before', { kind: 'hang' }],
    ['before; advance; by=P1M', 'before', { kind: 'advance', by: 'P1M' }],
    ['before; advance; by=PT0.5S', 'before', { kind: 'advance', by: 'PT0.5S' }],
  ];

  test.each(readable)('"%s" is read, and written the same', (header, stage, effect) => {
    expect(parseFault(header)).toEqual({ id: null, stage, effect });
    expect(describeFault({ stage, effect })).toBe(header);
  });

  test.each([
    '',
    'drop',
    'after',
    'during; drop',
    'after; explode',
    'after; drop;',
    'after; drop; status=500',
    'before; respond',
    'before; respond; status=199',
    'before; respond; status=600',
    'before; respond; status=abc',
    'before; respond; status=500; status=501',
    'before; respond; ms=5',
    'before; respond; body=x',
    'before; delay',
    'before; delay; ms=600001',
    'before; delay; ms=-1',
    'before; delay; ms=1.5',
    'before; drop, after; drop',
    'before; advance',
    'before; advance; ms=5',
    'before; drop; by=P1D',
  ])('"%s" is invalid', (header) => {
    expect(parseFault(header)).toMatch(
      /^The Sandbox-Fault header cannot be read: .+\. Write, for example, "after; drop"/,
    );
  });

  test.each([
    ['aftre; drop', 'unknown stage "aftre"; did you mean "after"?'],
    ['after; droop', 'unknown effect "droop"; did you mean "drop"?'],
    ['before; respond; body=x', 'unknown parameter "body"; known: status, ms, by'],
    ['before; respond; status=abc', 'status: expected a number, got "abc"'],
    ['before; respond; status=500; status=501', 'status is given twice'],
    ['before; delay', 'ms: expected a number, got nothing'],
  ])('"%s" is told what is wrong', (header, why) => {
    expect(parseFault(header)).toContain(`cannot be read: ${why}`);
  });

  test.each(['-PT5M', '15', 'PT', '', 'P1,5D'])('of time that passes, by=%s is told', (by) => {
    expect(parseFault(`before; advance; by=${by}`)).toBe(
      `The Sandbox-Fault header cannot be read: by: expected an ISO 8601 duration like PT15M, P1D or P1M and not negative, got ${JSON.stringify(by)}. Write, for example, "after; drop", "before; respond; status=503" or "before; delay; ms=2000".`,
    );
  });
});
