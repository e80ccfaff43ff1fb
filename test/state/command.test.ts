import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Command, PROGRAM, urlIn } from '../node/command.ts';
import { BASE, type Caller, callOperation, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { buy, initiate, purchaseOf, verifyOf } from '../support/requests.ts';
import { withoutCalls } from '../support/snapshots.ts';
import { bytesOf, DEMO, newStateFile } from '../support/state.ts';

const argsOf = (file: string) =>
  ['--port', '0', '--state', file, '--freeze', '--public-url', BASE] as const;

/** The command, and helpers to call it. */
async function start(file: string) {
  const command = new Command(argsOf(file));
  return { command, ...clientsOf(urlIn(await command.started())) };
}

function clientsOf(url: string) {
  const send = (request: Request) => fetch(new Request(request.url.replace(BASE, url), request));
  const client = (key: string): Caller => ({
    call: (operation, input, init) => callOperation(fetch, url, key, operation, input, init),
  });
  const get = async (call: string, key?: string, query = {}) =>
    (await control({ fetch: send }, call, { ...(key && { key }), query })).body;
  return { client, get, fetch: send };
}

/** Everything that GET requests return for a merchant. */
async function shownOf({ client, get }: ReturnType<typeof clientsOf>, key: string) {
  const lists = ['listMicroHealthSubscriptions', 'listMotorPolicies', 'listGroupLifePolicies'];
  return {
    world: withoutCalls((await get('getSnapshot', key)).world),
    clock: await get('getClock', key),
    faults: await get('listFaults', key),
    purchases: await get('listPurchases', key),
    motor: await get('listRecords', key, { family: 'motor' }),
    lists: await Promise.all(lists.map(async (list) => (await client(key).call(list)).body.data)),
  };
}

describe('the command with --state', () => {
  test('continues after kill -9 with everything it responded', async () => {
    const file = newStateFile();
    const first = await start(file);
    const { body: minted } = await control(first, 'createMerchant', { body: { name: 'Worker' } });
    const keys = [DEMO, minted.api_key as string];
    for (const key of keys) {
      const client = first.client(key);
      await buy(client, 'motor');
      await initiate(client, 'group_life');
      const fault = { stage: 'after', effect: { kind: 'drop' }, times: 2 };
      await control(first, 'addFault', {
        key,
        body: { ...fault, match: { operation: 'getMotorQuote' } },
      });
      await control(first, 'advanceClock', { key, body: { by: 'PT1M0.123S' } });
    }
    const before = await Promise.all(keys.map((key) => shownOf(first, key)));
    const token = await initiate(first.client(DEMO), 'micro_health');
    expect((await first.command.stop('SIGKILL')).code).toBe(null);

    const second = await start(file);
    expect((await second.client(DEMO).call(verifyOf.micro_health, { token })).status).toBe(200);
    const [, after] = await Promise.all(keys.map((key) => shownOf(second, key)));
    expect(after).toEqual(before[1]);
    expect(await second.command.stop()).toMatchObject({ code: 0, err: '' });
    expect(bytesOf(file)[1]).toBe('');
  });

  test('continues after a full disk in the middle of a line, and a kill -9', async () => {
    const file = newStateFile();
    // Limits files to this number of blocks of 512 bytes.
    const limited = ['-c', 'ulimit -f 300 && exec "$0" "$@"', process.execPath, PROGRAM];
    const child = spawn('sh', [...limited, ...argsOf(file)]);
    const ended = once(child, 'close');
    const [said] = await once(child.stdout, 'data');
    const { client, get, fetch: send } = clientsOf(urlIn(String(said)));
    const ready = async () => (await send(new Request(`${BASE}/readyz`))).status;
    const long = requestOf(operationOf('initiateMotorPolicy'), BASE, DEMO, {
      ...purchaseOf('motor'),
      vehicle_color: 'x'.repeat(200_000),
    });
    await buy(client(DEMO), 'motor');
    expect((await send(long.clone())).status).toBe(507);
    expect(readFileSync(`${file}.log`).length).toBe(300 * 512);
    expect(await ready()).toBe(200);
    // Shorter lines still fit.
    await buy(client(DEMO), 'group_life');
    expect((await send(long.clone())).status).toBe(507);
    const before = await shownOf({ client, get, fetch: send }, DEMO);
    child.kill('SIGKILL');
    await ended;

    const again = await start(file);
    expect(await shownOf(again, DEMO)).toEqual(before);
    expect(again.command.err).toBe(
      `micro-insurance-sandbox: ${file}: the last line of its log is incomplete; that change was not made\n`,
    );
    await buy(again.client(DEMO), 'motor');
    expect((await again.command.stop()).code).toBe(0);
  });

  test('exits with 1 if it cannot save at its stop, and keeps the log', async () => {
    const file = newStateFile();
    const { command, client } = await start(file);
    const bought = await buy(client(DEMO), 'motor');
    rmSync(file);
    mkdirSync(file);
    const { code, err } = await command.stop();
    expect(code).toBe(1);
    expect(err).toContain(`${file}: could not save a checkpoint`);
    expect(err).toContain(`${file}: is a folder, not a file\n`);
    expect(readFileSync(`${file}.log`, 'utf8')).toContain(bought.policy_number);
  });
});
