import { expect, test } from 'vitest';
import { BASE, operationOf, readAnswer, requestOf } from '../support/client.ts';
import { checkProblem } from '../support/control.ts';
import { buy, initiateOf } from '../support/requests.ts';
import { mint } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const profile = {
  version: 1,
  decisions: { 'amount-check': 'ignore', 'http-status': { invalid: 400 } },
};
const engine = await startEngine({
  SANDBOX_PROFILE: JSON.stringify(profile),
  SANDBOX_CORS: 'https://shop.example',
  SANDBOX_NO_REDACT: '1',
  SANDBOX_PUBLIC_URL: 'https://sandbox.example/insurance',
  SANDBOX_NOW: '2026-02-01T00:00:00Z',
  SANDBOX_FREEZE: '',
});
const misled = await startEngine({ SANDBOX_PROFILE: '{' });

const LIST = 'listMicroHealthSubscriptions';

test('deployment variables set the same options as the command line', async () => {
  const client = await mint(engine);
  await buy(client, 'micro_health', { amount: 1 });
  const init = { headers: { origin: 'https://shop.example' } };
  const { headers, body } = await client.call(LIST, {}, init);
  expect(headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(body.data.path).toMatch(/^https:\/\/sandbox\.example\/insurance\/api\//);
  expect((await client.control('listJournal')).text).toContain(client.apiKey);
  const { mode, now } = (await client.control('getClock')).body;
  expect(mode).toBe('running');
  expect(Date.parse(now)).toBeGreaterThan(Date.parse('2026-02-01T00:00:00Z'));

  const operation = operationOf(initiateOf.motor);
  const refused = await engine.fetch(requestOf(operation, BASE, client.apiKey, {}));
  expect(refused.status).toBe(400);
  await refused.body?.cancel();
  const document = await readAnswer(await engine.fetch(new Request(`${BASE}/openapi.json`)));
  expect(document.body.paths[operation.path].post.responses).not.toHaveProperty('422');
});

test('an invalid profile fails every request with the reason', async () => {
  const headers = { authorization: 'Bearer some-key' };
  for (const path of ['/livez', '/_sandbox/merchants', '/_sandbox/clock', operationOf(LIST).path]) {
    const answer = await readAnswer(await misled.fetch(new Request(BASE + path, { headers })));
    checkProblem(answer);
    expect([answer.status, answer.body.detail], path).toEqual([
      503,
      expect.stringContaining('SANDBOX_PROFILE: '),
    ]);
  }
});
