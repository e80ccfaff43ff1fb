import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Merchant, type SandboxOptions } from '../../src/index.ts';
import { startSandbox } from '../../src/node.ts';
import { exampleOf } from '../support/requests.ts';
import { runHere } from '../support/terminal.ts';
import { newFolder, serveHere } from './command.ts';

const KEY = 'sk_sandbox_show';

/** A file with the World of a merchant that has bought a policy and was refused after it. */
async function savedWorld(options: SandboxOptions = {}) {
  const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen', ...options });
  const merchant = sandbox.createMerchant({ name: 'Checkout' });
  const { policy_number } = await merchant.buy('motor');
  await merchant.call('verifyMotorPolicy', { token: 'forged' });
  await merchant.call('listMotorPolicies');
  return { file: save(merchant), policy_number, merchant };
}

function save(merchant: Merchant, change: (snapshot: Any) => void = () => undefined): string {
  const snapshot = merchant.snapshot();
  change(snapshot);
  const file = join(newFolder(), 'buys a policy.json');
  writeFileSync(file, JSON.stringify(snapshot));
  return file;
}

// biome-ignore lint/suspicious/noExplicitAny: snapshots are changed in ways that their type forbids
type Any = any;

/** Opens a file, and returns what it prints and a way to call its sandbox. */
async function open(file: string) {
  const served = await serveHere(['show', file, '--no-open']);
  onTestFinished(() => void served.stop());
  const ask = async (path: string, init: RequestInit = {}): Promise<Any> => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    return (await fetch(`${served.url}${path}`, { headers, ...init })).json();
  };
  return { ...served, ask };
}

describe('a saved World', () => {
  test('is there as it was, with its calls printed and the refused one opened', async () => {
    const { file, policy_number, merchant } = await savedWorld();
    const before = readFileSync(file, 'utf8');
    const { said, ask, stop } = await open(file);
    expect(said.out).toContain(
      '10:00:00 POST /api/merchant/comprehensive_motor_verify_policy 400  Invalid token',
    );
    expect(said.out).toContain(`+ motor policy ${policy_number}`);
    const [, refused] = merchant.journal.list();
    expect(said.out).toContain(`/_sandbox?call=${refused?.id}&merchant=${merchant.id}\n`);
    const { data } = await ask('/api/merchant/get_comprehensive_motor_policies');
    expect(data).toMatchObject([{ policy_number }]);
    expect(await ask('/_sandbox/clock')).toEqual({
      now: '2026-01-31T10:00:00.000Z',
      mode: 'frozen',
    });
    expect((await stop()).code).toBe(0);
    expect(readFileSync(file, 'utf8'), 'the file is only read').toBe(before);
  });

  test('can be rewound to before the refused call, which then succeeds', async () => {
    const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
    const merchant = sandbox.createMerchant();
    const { token } = await merchant.data('initiateMotorPolicy', exampleOf('initiateMotorPolicy'));
    merchant.clock.advance('PT15M');
    await merchant.call('verifyMotorPolicy', { token });
    const { ask } = await open(save(merchant));
    const { data: journal } = await ask('/_sandbox/journal');
    expect(journal[0].problems).toEqual([{ rule: 'token_expired', message: 'Token has expired' }]);
    await ask('/_sandbox/rewind', { method: 'POST', body: JSON.stringify({ to: journal[1].id }) });
    expect((await ask('/_sandbox/clock')).now).toBe('2026-01-31T10:00:00.000Z');
    expect((await ask('/_sandbox/journal')).data).toEqual([]);
  });

  test('of a running clock stands at the moment of saving', async () => {
    const { file } = await savedWorld({ clock: 'running' });
    const { ask } = await open(file);
    const first = await ask('/_sandbox/clock');
    expect(first.mode).toBe('frozen');
    expect(await ask('/_sandbox/clock')).toEqual(first);
  });

  test('of a failed test says which test that was, under the name of its merchant', async () => {
    const { merchant } = await savedWorld();
    const file = save(merchant, (snapshot) => {
      snapshot.test = {
        ...{ name: 'cart > sells\ncover', attempt: 2, file: 'cart.test.ts', line: 11 },
        ...{ error: 'expected 422 to be 200', merchant: 'the shop' },
      };
    });
    const { said, ask } = await open(file);
    expect(said.out.split('\n').slice(0, 3)).toEqual([
      'cart > sells\\ncover, attempt 2',
      'cart.test.ts:11',
      'expected 422 to be 200',
    ]);
    expect(await ask('/_sandbox/merchant')).toMatchObject({ name: 'the shop' });
  });

  test('says nothing of a test whose form is unknown', async () => {
    const { merchant } = await savedWorld();
    for (const test of ['cart', null, { name: 5, line: {}, merchant: 7 }, []]) {
      const file = save(merchant, (snapshot) => Object.assign(snapshot, { test }));
      const { said } = await open(file);
      expect(said.out).toMatch(/^\S*buys a policy\.json at 2026-01-31T10:00:00\.000Z\n/);
    }
  });

  test('shows the very moment of saving', async () => {
    const now = Date.parse('2026-01-31T10:00:05.250Z');
    const { ask } = await open(save(createSandbox({ clock: () => now }).createMerchant()));
    expect(await ask('/_sandbox/clock')).toEqual({
      now: '2026-01-31T10:00:05.250Z',
      mode: 'frozen',
    });
  });

  test('without calls opens the inspector', async () => {
    const { said } = await open(save(createSandbox().createMerchant()));
    expect(said.out).toContain('No calls.');
    expect(said.out).toMatch(/\/_sandbox\n/);
  });
});

describe('what is no snapshot is one clear line, and exit 2:', () => {
  const withText = (text: string) => {
    const file = join(newFolder(), 'world.json');
    writeFileSync(file, text);
    return file;
  };
  test.each<[string, () => string | Promise<string>, string]>([
    ['a folder', () => newFolder(), 'is a folder, not a file'],
    ['an empty file', () => withText(''), 'is empty'],
    ['text', () => withText('Ada'), 'line 1, column 1'],
    ['deep nesting', () => withText('['.repeat(200_000)), 'is nested deeper than 150 levels'],
    ['a device that never ends', () => '/dev/zero', 'is larger than 64 MiB'],
    [
      'more than a restore would take',
      () => {
        const file = withText('{');
        truncateSync(file, 65 * 1024 * 1024);
        return file;
      },
      'is larger than 64 MiB',
    ],
    [
      'other JSON',
      () => withText('{"version":2}'),
      'is no snapshot: it is not a JSON object with version and world',
    ],
    ['no such file', () => '/nowhere/world.json', 'does not exist'],
    [
      'a state file',
      async () => {
        const state = join(newFolder(), 'state.json');
        await (await startSandbox({ port: 0, state })).close();
        return state;
      },
      'is a state file, no snapshot; start a sandbox with --state ',
    ],
    [
      'a snapshot of another version',
      async () =>
        save((await savedWorld()).merchant, (snapshot) => {
          snapshot.version = 1;
        }),
      'cannot be opened: ',
    ],
    [
      'a snapshot that is broken in a place',
      async () =>
        save((await savedWorld()).merchant, ({ world }) => {
          world['motor.policies'][0].chasis_no = 5;
        }),
      'world.motor.policies.0.chasis_no',
    ],
  ])('%s', async (_what, fileOf, message) => {
    const file = await fileOf();
    const { code, out, err } = await runHere(['show', file, '--no-open']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(`${file}: `);
    expect(err).toContain(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  test('no file', async () => {
    const { code, err } = await runHere(['show']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'micro-insurance-sandbox: show takes one file: npx micro-insurance-sandbox show sandbox-failures/checkout.json\n',
    });
  });
});
