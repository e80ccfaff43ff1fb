import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { Command, newFolder } from './command.ts';

/** A copy of the command that has kept no code yet. */
let folder: string;
let code: string;
beforeEach(() => {
  folder = newFolder();
  code = join(folder, 'dist/code');
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  cpSync('dist/cli.cjs', join(folder, 'dist/cli.cjs'));
});

const start = (...args: string[]) =>
  new Command(args, {}, join(folder, 'bin/micro-insurance-sandbox.cjs'));

/** Starts it, so that it keeps its code, and reads that: the largest file of all there are. */
async function keepCode(): Promise<{ readonly file: string; readonly bytes: Buffer }> {
  const command = start('--port', '0', '--json');
  await command.started();
  expect(await command.stop()).toMatchObject({ code: 0, err: '' });
  const [file] = readdirSync(code, { recursive: true, encoding: 'utf8' })
    .map((name) => join(code, name))
    .filter((path) => statSync(path).isFile())
    .toSorted((a, b) => statSync(b).size - statSync(a).size);
  return { file: file as string, bytes: readFileSync(file as string) };
}

describe('the code that V8 compiled', () => {
  // Newer versions of Node keep it themselves, in a way of their own.
  test.skipIf('enableCompileCache' in module)(
    'is kept in one file that others may read',
    async () => {
      const { file, bytes } = await keepCode();
      expect(readdirSync(code)).toHaveLength(1);
      expect(bytes.length).toBeGreaterThan(100_000);
      expect((statSync(file).mode & 0o777).toString(8)).toBe('644');
      expect((statSync(code).mode & 0o777).toString(8)).toBe('755');
    },
  );

  test('is used only if every byte is as it was written', async () => {
    const { file, bytes } = await keepCode();
    const help = await start('help').ended;
    expect(help).toMatchObject({ code: 0, err: '' });
    const last = bytes.length - 1;
    const flipped = [0, 8, last >> 2, last >> 1, last].map((place) => {
      const copy = Buffer.from(bytes);
      copy[place] = (copy[place] as number) ^ 0xff;
      return copy;
    });
    for (const broken of [...flipped, bytes.subarray(0, last >> 1), Buffer.alloc(0)]) {
      writeFileSync(file, broken);
      // What loads every command, and so the whole of the code.
      expect(await start('help').ended).toEqual(help);
    }
  });

  test('need not be kept: a start without it is only slower', async () => {
    writeFileSync(code, 'no folder');
    const command = start('--port', '0', '--json');
    await command.started();
    expect(await command.stop()).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(code, 'utf8')).toBe('no folder');
  });
});
