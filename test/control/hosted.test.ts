import { describe, expect, test } from 'vitest';
import type { NewFault, SandboxOptions } from '../../src/index.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { addMerchant } from '../../src/world/merchants.ts';
import { BASE, callOperation, createClient, START } from '../support/client.ts';
import { type ControlInit, control } from '../support/control.ts';
import { exampleOf } from '../support/requests.ts';

/** A part of a hosted sandbox with one merchant, like the object of a key. */
function openPart(options: SandboxOptions = {}) {
  const opened = openSandbox({ now: START, clock: 'frozen', seed: 7, ...options }, { cluster: {} });
  const fetcher = { fetch: async (request: Request) => opened.handle(request, {}) };
  const { api_key: key } = addMerchant(opened.store);
  return {
    control: (operationId: string, init: ControlInit = {}) =>
      control(fetcher, operationId, { key, ...init }),
    call: (operationId: string, input: unknown, init = {}) =>
      callOperation(fetcher.fetch, BASE, key, operationId, input, init),
  };
}

describe('a hosted sandbox', () => {
  test('starts without merchants, even if the fixtures have some', () => {
    expect(openSandbox({}, { cluster: {} }).sandbox.merchants()).toEqual([]);
  });

  test('requires the admin token for admin calls, even from local addresses', async () => {
    const { status, body } = await openPart().control('listMerchants', {
      headers: { host: 'localhost' },
    });
    expect(status).toBe(403);
    expect(body.detail).toBe(
      'An admin token is required, and none is set. Set the secret SANDBOX_ADMIN_TOKEN.',
    );
    const { control } = openPart({ adminToken: 'secret' });
    expect((await control('listMerchants', { key: 'secret' })).body.data).toHaveLength(1);
    expect((await control('listMerchants', { key: 'guess' })).status).toBe(401);
  });
});

describe('a sandbox without connections to break', () => {
  const HERE = 'is not available here, because this sandbox has no connection to break';

  test.each(['drop', 'truncate'] as const)('refuses a %s fault in any form', async (kind) => {
    const { control, call } = openPart();
    const rule: NewFault = { stage: 'after', effect: { kind } };
    const added = await control('addFault', { body: rule });
    expect(added.status).toBe(422);
    expect(added.body.detail).toContain(`effect.kind: ${kind} ${HERE}`);

    const input = exampleOf('initiateMotorPolicy');
    const headers = { 'sandbox-fault': `after; ${kind}` };
    const asked = await call('initiateMotorPolicy', input, { headers });
    expect(asked.status).toBe(400);
    expect(asked.body.response_message).toContain(`${kind} ${HERE}`);

    const elsewhere = createClient().merchant;
    elsewhere.faults.add(rule);
    const put = await control('putSnapshot', { body: elsewhere.snapshot() });
    expect(put.status).toBe(422);
    expect(put.body.detail).toContain(`world.faults.0.effect.kind: ${kind} ${HERE}`);
    expect((await control('listFaults')).body.data).toEqual([]);
    expect((await control('listPurchases')).body.data).toEqual([]);
  });

  test('supports every other fault', async () => {
    const { control } = openPart();
    const others = [{ kind: 'delay', ms: 0 }, { kind: 'malformed' }, { kind: 'hang' }];
    for (const effect of [{ kind: 'respond', status: 503 }, ...others]) {
      const body = { stage: 'before', effect };
      expect((await control('addFault', { body })).status, effect.kind).toBe(201);
    }
  });
});

test('merchants are listed and reset in pages of 100', async () => {
  const { sandbox } = createClient();
  for (let count = 3; count < 122; count++) sandbox.createMerchant();
  const [first, ...others] = sandbox.merchants();
  const last = others.at(-1);
  for (const merchant of [first, last]) merchant?.clock.advance('PT1M');
  const countOf = async (operationId: string, query: ControlInit['query'] = {}) =>
    (await control(sandbox, operationId, { query })).body.data.length;
  for (const [page, count] of [100, 22, 0].entries()) {
    expect(await countOf('listMerchants', { page: page + 1 })).toBe(count);
  }
  expect(await countOf('listMerchants')).toBe(122);
  expect(await countOf('resetAll', { page: 2 })).toBe(22);
  expect(last?.clock.show().now).toBe('2026-01-31T10:00:00.000Z');
  expect(first?.clock.show().now).toBe('2026-01-31T10:01:00.000Z');
});
