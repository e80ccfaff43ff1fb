import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { Command, newFolder } from './command.ts';

/** A copy of the command without a code cache. */
function copyCommand() {
  const folder = newFolder();
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  for (const bundle of ['cli.cjs', 'mcp-library.cjs']) {
    cpSync(`dist/${bundle}`, join(folder, 'dist', bundle));
  }
  const program = join(folder, 'bin/micro-insurance-sandbox.cjs');
  const serve = async () => {
    const command = new Command(['--port', '0', '--json'], {}, program);
    await command.started();
    expect(await command.stop()).toMatchObject({ code: 0, err: '' });
  };
  const help = () => new Command(['help', 'start'], {}, program).ended;
  const mcp = () => new Command(['mcp'], {}, program).ended;
  return { code: join(folder, 'dist/code'), serve, help, mcp };
}

test('a clone that was never built says so in a line', async () => {
  const folder = newFolder();
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  const program = join(folder, 'bin/micro-insurance-sandbox.cjs');
  expect(await new Command([], {}, program).ended).toEqual({
    code: 1,
    out: '',
    err: 'micro-insurance-sandbox: This clone was never built. Run npm ci, which builds it.\n',
  });
});

// Newer versions of Node load it for the library.
test.skipIf(Number.parseInt(process.versions.node, 10) >= 24)(
  "a start up to the first quote does without Node's web classes, HTTP/2 and cryptography",
  async () => {
    const [watch, seen] = ['watch.cjs', 'seen.json'].map((name) => join(newFolder(), name)) as [
      string,
      string,
    ];
    writeFileSync(
      watch,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.moduleLoadList)));`,
    );
    const command = new Command(['--port', '0', '--json'], { NODE_OPTIONS: `--require ${watch}` });
    const { url, key } = JSON.parse(await command.started());
    const response = await fetch(`${url}/api/merchant/micro_health/get_quote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ product_id: 1, no_of_users: 2, subscription_type: 'monthly' }),
    });
    expect(response.status).toBe(200);
    await command.stop();
    const loaded: string[] = JSON.parse(readFileSync(seen, 'utf8'));
    expect(loaded.filter((name) => /undici|http2|webcrypto/.test(name))).toEqual([]);
    expect(loaded).toContain('NativeModule http');
  },
);

describe('the code cache', () => {
  const { code, serve, help } = copyCommand();
  /** The largest file of the code cache after a first start. */
  let file: string;
  beforeAll(async () => {
    await serve();
    file = readdirSync(code, { recursive: true, encoding: 'utf8' })
      .map((name) => join(code, name))
      .filter((path) => statSync(path).isFile())
      .toSorted((a, b) => statSync(b).size - statSync(a).size)[0] as string;
  });

  // Newer versions of Node have their own cache.
  test.skipIf('enableCompileCache' in module)('is one file that other users can read', () => {
    expect(readdirSync(code)).toHaveLength(1);
    expect(statSync(file).size).toBeGreaterThan(100_000);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('644');
    expect((statSync(code).mode & 0o777).toString(8)).toBe('755');
  });

  test.skipIf('enableCompileCache' in module)('has the MCP library once mcp ran', async () => {
    const fresh = copyCommand();
    expect(await fresh.mcp()).toMatchObject({ code: 0, err: '' });
    const [library, command] = readdirSync(fresh.code)
      .map((name) => statSync(join(fresh.code, name)).size)
      .toSorted((a, b) => a - b);
    expect(library).toBeGreaterThan(100_000);
    expect(command).toBeGreaterThan(500_000);
    expect(await fresh.mcp()).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(fresh.code)).toHaveLength(2);
  });

  test('is used only if every byte is unchanged', async () => {
    const bytes = readFileSync(file);
    const shown = await help();
    expect(shown).toMatchObject({ code: 0, err: '' });
    const flipped = [0, bytes.length >> 1, bytes.length - 1].map((place) => {
      const copy = Buffer.from(bytes);
      copy[place] = (copy[place] as number) ^ 0xff;
      return copy;
    });
    for (const broken of [...flipped, bytes.subarray(0, bytes.length >> 1)]) {
      writeFileSync(file, broken);
      expect(await help()).toEqual(shown);
    }
  });

  test('is optional: a start without it is only slower', async () => {
    const fresh = copyCommand();
    writeFileSync(fresh.code, 'no folder');
    await fresh.serve();
    expect(readFileSync(fresh.code, 'utf8')).toBe('no folder');
  });
});
