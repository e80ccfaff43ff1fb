import { describe, expect, test } from 'vitest';
import { BASE, operationOf, readAnswer, requestOf } from '../support/client.ts';
import { checkProblem } from '../support/control.ts';
import { buy, initiateOf } from '../support/requests.ts';
import { mint } from './support/clients.ts';
import { ownEngine, type Vars } from './support/engine.ts';

const LIST = 'listMicroHealthSubscriptions';

describe('the variables of a deployment', () => {
  test('set what the options of the command set', async () => {
    const engine = await ownEngine({
      SANDBOX_AMOUNT_CHECK: 'ignore',
      SANDBOX_CORS: 'https://shop.example',
      SANDBOX_NO_REDACT: '1',
      SANDBOX_PUBLIC_URL: 'https://sandbox.example/insurance',
      SANDBOX_NOW: '2026-02-01T00:00:00Z',
      SANDBOX_FREEZE: '',
    });
    const client = await mint(engine);
    await buy(client, 'micro_health', { amount: 1 });
    const { headers, body } = await client.call(
      LIST,
      {},
      { headers: { origin: 'https://shop.example' } },
    );
    expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
    expect(body.data.path).toMatch(/^https:\/\/sandbox\.example\/insurance\/api\//);
    const journal = (await client.control('listJournal')).text;
    expect(journal).toContain(client.apiKey);
    const { mode, now } = (await client.control('getClock')).body;
    expect(mode).toBe('running');
    expect(Date.parse(now)).toBeGreaterThan(Date.parse('2026-02-01T00:00:00Z'));
  });

  test('may be a profile: documents and answers follow it', async () => {
    const profile = { version: 1, decisions: { 'http-status': { invalid: 400 } } };
    const engine = await ownEngine({ SANDBOX_PROFILE: JSON.stringify(profile) });
    const { apiKey } = await mint(engine);
    const operation = operationOf(initiateOf.motor);
    const refused = await engine.fetch(requestOf(operation, BASE, apiKey, {}));
    expect(refused.status).toBe(400);
    await refused.body?.cancel();
    const document = await readAnswer(await engine.fetch(new Request(`${BASE}/openapi.json`)));
    expect(document.body.paths[operation.path].post.responses).not.toHaveProperty('422');
  });

  test.each<[Vars, string]>([
    [
      { SANDBOX_FREZE: '1' },
      'SANDBOX_FREZE means nothing to a Worker. Did you mean SANDBOX_FREEZE?',
    ],
    [{ SANDBOX_SEED: 'seven' }, 'SANDBOX_SEED: seed must be a whole number from 0 to 4294967295'],
    [{ SANDBOX_DEMO: 'yes' }, 'SANDBOX_DEMO must be 1 or 0'],
    [{ SANDBOX_PROFILE: '{' }, 'SANDBOX_PROFILE: '],
  ])('that can not be followed are told by every call: %j', async (vars, sentence) => {
    const engine = await ownEngine(vars);
    const headers = { authorization: 'Bearer some-key' };
    for (const path of [
      '/livez',
      '/_sandbox/clock',
      '/_sandbox/merchants',
      operationOf(LIST).path,
    ]) {
      const answer = await readAnswer(await engine.fetch(new Request(BASE + path, { headers })));
      checkProblem(answer);
      expect([answer.status, answer.body.detail], path).toEqual([
        503,
        expect.stringContaining(sentence),
      ]);
    }
  });
});
