import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readFixtureFolder } from '../../src/node/files.ts';
import { watchFixtures } from '../../src/node/watch-fixtures.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import type { Merchant, RecordQuery, SandboxOptions } from '../../src/types/public.ts';
import { newFolder, serveHere } from './command.ts';

const builtIn = (name: string) => JSON.parse(readFileSync(join('fixtures', name), 'utf8'));
const MERCHANTS = builtIn('merchants.json').merchants;
/** The built-in files without policies. */
const NO_MOTOR = { ...builtIn('motor.json'), policies: [], purchases: [] };
const NO_GROUP_LIFE = { policies: [] };
const NO_HEALTH = { ...builtIn('micro-health.json'), policies: [], purchases: [] };

const RELOADED = 'told: Reloaded DIR for new merchants and resets.';

/** A folder with fixture files that tests change like an editor. */
function createFolder() {
  const folder = join(newFolder(), 'fixtures');
  mkdirSync(folder);
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  return { folder, write };
}

/** A sandbox that watches a folder, and its messages. */
function openWatched(folder: string, options: SandboxOptions = {}) {
  const files = readFixtureFolder(folder);
  const opened = openSandbox({ fixtures: files, ...options });
  const said: string[] = [];
  const waiting: (() => void)[] = [];
  let heard = 0;
  const say = (kind: string) => (line: string) => {
    said.push(`${kind}: ${line.replaceAll(folder, 'DIR')}`);
    waiting.shift()?.();
  };
  const watch = watchFixtures({
    folder,
    files,
    change: opened.changeFixtures,
    tell: say('told'),
    warn: say('warned'),
  });
  onTestFinished(() => watch.end());
  return {
    ...opened,
    said,
    watch,
    /** Its next message. */
    async next(): Promise<string> {
      if (heard === said.length) await new Promise<void>((resolve) => waiting.push(resolve));
      return said[heard++] as string;
    },
  };
}

const policies = (merchant: Merchant, family: RecordQuery['family']): number =>
  merchant.records({ family, per_page: 100 }).data.length;

describe('a fixture file that is saved', () => {
  test('applies to new merchants and resets, not to running Worlds', async () => {
    const { folder, write } = createFolder();
    const { sandbox, next } = openWatched(folder, { autoMerchants: true });
    const demo = sandbox.merchant('sk_sandbox_demo');
    const before = policies(demo, 'motor');
    expect(before).toBeGreaterThan(0);

    write('motor.json', NO_MOTOR);
    expect(await next()).toBe(RELOADED);
    expect(policies(demo, 'motor')).toBe(before);
    expect(policies(sandbox.createMerchant({ records: 'demo' }), 'motor')).toBe(0);
    demo.reset();
    expect(policies(demo, 'motor')).toBe(0);

    unlinkSync(join(folder, 'motor.json'));
    expect(await next()).toBe(RELOADED);
    sandbox.resetAll();
    expect(policies(demo, 'motor')).toBe(before);
  });

  test('applies to later auto-merchants', async () => {
    const { folder, write } = createFolder();
    const { sandbox, next } = openWatched(folder, { autoMerchants: true });
    const price = async (key: string): Promise<number> => {
      const response = await sandbox.fetch(
        new Request('http://sandbox/api/merchant/micro_health/get_quote', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' }),
        }),
      );
      return (await response.json()).data.quote_price;
    };
    const before = await price('first');
    const [first, ...others] = NO_HEALTH.prices;
    write('micro-health.json', {
      ...NO_HEALTH,
      prices: [{ ...first, monthly: first.monthly + 11 }, ...others],
    });
    await next();
    expect(await price('second')).toBe(before + 11);
    expect(await price('first')).toBe(before);
  });

  test('and others saved with it are reported once', async () => {
    const { folder, write } = createFolder();
    const { next, said } = openWatched(folder);
    write('motor.json', NO_MOTOR);
    write('group-life.json', NO_GROUP_LIFE);
    write('micro-health.json', NO_HEALTH);
    expect(await next()).toBe(RELOADED);
    write('motor.json', builtIn('motor.json'));
    expect(await next()).toBe(RELOADED);
    expect(said).toHaveLength(2);
  });
});

describe('a mistake', () => {
  test('is reported once, with file, place and value; the old fixtures stay until it is fixed', async () => {
    const { folder, write } = createFolder();
    const { sandbox, next, said } = openWatched(folder);
    write('motor.json', '{\n  "policies": [,]\n}');
    expect(await next()).toBe(
      'warned: DIR/motor.json: line 2, column 16: value expected\nThe old fixtures stay in use.',
    );
    write('motor.json', '['.repeat(200_000));
    expect(await next()).toBe(
      'warned: DIR/motor.json: is nested deeper than 150 levels\nThe old fixtures stay in use.',
    );
    write('motor.json', { ...NO_MOTOR, premium_rates: [{ product_id: 4, rate: 'much' }] });
    expect(await next()).toMatch(
      /^warned: motor\.json: premium_rates\.0\.rate: expected a number, got "much"\nThe old fixtures stay/,
    );
    expect(policies(sandbox.createMerchant({ records: 'demo' }), 'motor')).toBeGreaterThan(0);
    write('motor.json', NO_MOTOR);
    expect(await next()).toBe(RELOADED);
    expect(policies(sandbox.createMerchant({ records: 'demo' }), 'motor')).toBe(0);
    expect(said).toHaveLength(4);
  });
});

describe('a changed list of merchants', () => {
  test('adds new merchants with their records', async () => {
    const { folder, write } = createFolder();
    const { sandbox, next } = openWatched(folder);
    write('merchants.json', {
      merchants: [...MERCHANTS, { id: 7, name: 'Seventh', api_key: 'sk_seventh' }],
    });
    expect(await next()).toBe(RELOADED);
    expect(sandbox.merchant('sk_seventh')).toMatchObject({ id: 7, name: 'Seventh' });
    expect(sandbox.createMerchant().id).toBe(8);
  });

  test('keeps removed and changed merchants until the next start', async () => {
    const { folder, write } = createFolder();
    const { sandbox, next } = openWatched(folder);
    write('merchants.json', { merchants: [{ id: 1, name: 'Renamed', api_key: 'sk_new' }] });
    expect(await next()).toBe(RELOADED);
    sandbox.resetAll();
    expect(
      sandbox.merchants().map(({ id, name, apiKey }) => ({ id, name, api_key: apiKey })),
    ).toEqual(MERCHANTS);
    write('merchants.json', { merchants: MERCHANTS });
    expect(await next()).toBe(RELOADED);
    expect(sandbox.merchants()).toHaveLength(2);
  });
});

describe('--watch', () => {
  const start = async (...flags: readonly string[]) => {
    const { folder, write } = createFolder();
    return { folder, write, command: await serveHere(['--fixtures', folder, '--watch', ...flags]) };
  };

  test('reports a changed file and a mistake on standard error', async () => {
    const { folder, write, command } = await start('--json');
    write('motor.json', NO_MOTOR);
    const news = `micro-insurance-sandbox: Reloaded ${folder} for new merchants and resets.\n`;
    await expect.poll(() => command.said.err).toBe(news);
    const headers = { authorization: 'Bearer sk_sandbox_demo' };
    await fetch(`${command.url}/_sandbox/reset`, { method: 'POST', headers });
    const path = '/api/merchant/get_comprehensive_motor_policies';
    const list = await fetch(command.url + path, { headers });
    expect((await list.json()).data).toEqual([]);

    write('motor.json', '{');
    const mistake = `micro-insurance-sandbox: ${folder}/motor.json: line 1, column 2: close brace expected\nThe old fixtures stay in use.\n`;
    await expect.poll(() => command.said.err).toBe(news + mistake);
    const { code, out, err } = await command.stop();
    expect({ code, err }).toEqual({ code: 0, err: news + mistake });
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  test('with --quiet reports only mistakes', async () => {
    const { write, command } = await start('--quiet');
    write('motor.json', '[]');
    const mistake =
      'micro-insurance-sandbox: motor.json: expected an object, got []\nThe old fixtures stay in use.\n';
    await expect.poll(() => command.said.err).toBe(mistake);
    expect(await command.stop()).toEqual({ code: 0, out: '', err: mistake });
  });
});
