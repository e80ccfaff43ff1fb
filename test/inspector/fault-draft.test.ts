import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createSandbox, type NewFault } from '../../src/index.ts';
import {
  curlToAdd,
  EFFECTS,
  FIRST_DRAFT,
  headerOf,
  presetsFor,
  readDraft,
  stagesOf,
  textBody,
} from '../../src/ui/inspector/client/fault-draft.ts';
import { createClient } from '../support/client.ts';

const draft = (fields: Partial<typeof FIRST_DRAFT>) => readDraft({ ...FIRST_DRAFT, ...fields });

describe('the fault form', () => {
  test('creates faults that the control plane accepts, for every effect', () => {
    const { faults } = createSandbox().createMerchant();
    for (const kind of Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]) {
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

  test('takes any text as the body under a Content-Type that is not JSON', () => {
    const { faults } = createSandbox().createMerchant();
    const page = '<h1>502</h1>\n';
    for (const [headers, text] of [
      ['content-type: text/html', page],
      ['Content-Type: text/plain', '"502"'],
      ['X-Odd: 1\nContent-Type: text/plain; charset=utf-8', '{"a":1}'],
    ] as const) {
      const { effect } = faults.add(draft({ headers, body: text }));
      expect(effect).toMatchObject({ body: text });
      expect(textBody(effect)).toBe(text);
    }
    for (const headers of ['', 'Content-Type: application/problem+json']) {
      const { effect } = faults.add(draft({ headers, body: '"502"' }));
      expect([effect, textBody(effect)]).toMatchObject([{ body: '502' }, undefined]);
      expect(() => draft({ headers, body: page })).toThrow(/^The body is not JSON: /);
    }
  });

  test('offers only the stages that an effect has', () => {
    expect(Object.keys(stagesOf('advance'))).toEqual(['before']);
    expect(Object.keys(stagesOf('drop'))).toEqual(['before', 'after']);
  });

  test.each([
    [{ body: '{bad' }, /^The body is not JSON: /],
    [{ match: 'x' }, /^The body to match is not JSON: /],
    [{ headers: 'Retry-After 3' }, /^"Retry-After 3" is not a header/],
  ])('refuses %j with the reason', (fields, message) => {
    expect(() => draft(fields)).toThrow(message);
  });
});

describe('a fault as texts', () => {
  test('is the request header that does the same', async () => {
    const client = createClient();
    const path = '/api/merchant/get_comprehensive_motor_policies';
    for (const kind of Object.keys(EFFECTS) as (keyof typeof EFFECTS)[]) {
      const fault = draft({ kind, ms: '0' });
      const [name = '', value = ''] = headerOf(fault)?.split(': ') ?? [];
      const signal = kind === 'hang' ? AbortSignal.abort() : null;
      await client.merchant.fetch(path, { headers: { [name]: value }, signal }).catch(() => {});
      if (kind === 'hang') continue;
      const [entry] = client.merchant.journal.list();
      expect(entry?.fault).toEqual({ id: null, stage: fault.stage, effect: fault.effect });
    }
    expect(headerOf(draft({ kind: 'respond', headers: 'Retry-After: 3' }))).toBeUndefined();
    expect(headerOf(draft({ kind: 'respond', body: '{}' }))).toBeUndefined();
  });

  test('is a curl command that adds it', async () => {
    const { merchant } = createClient();
    const fault = draft({ match: '{"name":"O\'Neill"}', skip: '1', times: '2' });
    const command = curlToAdd(fault, 'http://127.0.0.1:4015', merchant.apiKey);
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      `curl() { printf '%s\\n' "$@"; }; ${command}`,
    ]);
    const sent = stdout.trim().split('\n');
    expect(sent).toEqual([
      '-H',
      `authorization: Bearer ${merchant.apiKey}`,
      '-H',
      'content-type: application/json',
      '-d',
      expect.any(String),
      'http://127.0.0.1:4015/_sandbox/faults',
    ]);
    expect(merchant.faults.add(JSON.parse(sent[5] as string))).toMatchObject({
      match: { body: { name: "O'Neill" } },
      skip: 1,
      times: 2,
      probability: 1,
    });
  });
});

const family = { verify: 'verifyMotorPolicy', expiry: 'PT20M' };

test('every preset is a fault that the control plane accepts', () => {
  const { faults } = createClient().merchant;
  for (const breaksConnections of [true, false]) {
    for (const { fault } of presetsFor(family, breaksConnections)) {
      expect(faults.add(fault)).toMatchObject(fault);
    }
  }
});
