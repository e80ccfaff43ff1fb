import { describe, expect, test } from 'vitest';
import { FAULT_KINDS, FaultEffect } from '../../src/world/fault-kinds.ts';
import {
  describeFault,
  faultWords,
  isDisturbed,
  isLost,
  noEffectReason,
  parseFault,
} from '../../src/world/faults.ts';

const named = (wanted: (kind: (typeof FAULT_KINDS)[number]) => boolean) =>
  FAULT_KINDS.filter(wanted).map(({ name }) => name);

test('a kind says what becomes of the response and of the connection', () => {
  expect(named(({ response }) => response === 'kept')).toEqual(['delay', 'advance']);
  expect(named(({ response }) => response === 'replaced')).toEqual(['respond', 'malformed']);
  expect(named(({ response }) => response === 'lost')).toEqual(['drop', 'truncate', 'hang']);
  expect(named(({ endsConnection }) => endsConnection)).toEqual(['drop', 'truncate']);
});

const presets = FAULT_KINDS.flatMap((kind) => kind.presets.map((preset) => ({ kind, ...preset })));

test.each(presets)('the preset "$name" is a fault of its kind, also as a header', (preset) => {
  const { kind, stage, effect } = preset;
  expect(effect.kind).toBe(kind.name);
  expect(FaultEffect().parse(effect)).toEqual(effect);
  expect(noEffectReason({ stage, effect }, true)).toBeUndefined();
  expect(parseFault(describeFault(preset))).toEqual({ id: null, stage, effect });
});

describe('the journal says what a fault did:', () => {
  test.each([
    ['before; respond; status=503', 503, 'not processed'],
    ['after; respond; status=503', 503, 'processed, response replaced'],
    ['before; drop', null, 'not processed, connection cut'],
    ['after; drop', 200, 'processed with status 200, connection cut'],
    ['before; truncate', 200, 'not processed, half of the response sent, connection cut'],
    ['after; truncate', 200, 'processed, half of the response sent, connection cut'],
    ['before; malformed', 200, 'not processed, broken JSON sent'],
    ['after; malformed', 200, 'processed, broken JSON sent'],
    ['before; hang', null, 'not processed, no response sent'],
    ['after; hang', 200, 'processed with status 200, no response sent'],
    ['before; delay; ms=50', 200, 'processing delayed by 50 ms'],
    ['after; delay; ms=50', 200, 'response delayed by 50 ms'],
    ['before; delay; ms=900', 200, 'processed early, sandbox stopping'],
    ['after; delay; ms=900', 200, 'client disconnected, or sandbox stopping'],
    ['before; advance; by=P1D', 200, 'clock moved, then processed'],
  ])('%s', (header, status, words) => {
    const fault = parseFault(header);
    if (typeof fault === 'string') throw new Error(fault);
    expect(faultWords(fault, status, 50)).toBe(`${header}: ${words}`);
  });

  test('one of another version too, which is neither known to lose a response nor to keep it', () => {
    const fault = { stage: 'after', effect: { kind: 'explode' } } as never;
    expect(faultWords(fault, 200, 1)).toBe('after; explode: processed with status 200');
    expect([isLost({ status: 200, elapsed_ms: 1, fault }), isDisturbed({ fault })]).toEqual([
      false,
      true,
    ]);
  });
});
