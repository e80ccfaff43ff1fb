import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { fixtureSchemas } from '../../src/node/commands/fixtures.ts';
import { newFolder, run } from './command.ts';

describe('fixtures', () => {
  test('init writes files that their schemas and check accept, and that can be served', async () => {
    const folder = join(newFolder(), 'mine');
    expect((await run(['fixtures', 'init', folder])).code).toBe(0);
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(names).toEqual(readdirSync('fixtures').filter((name) => name.endsWith('.json')));
    for (const name of names) {
      const { $schema, ...content } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      const schema = JSON.parse(readFileSync(join(folder, $schema), 'utf8'));
      const ajv = addFormats.default(new Ajv.default({ strict: false }));
      expect(ajv.validate(schema, { $schema, ...content }), `${name} ${ajv.errorsText()}`).toBe(
        true,
      );
      expect(content).toEqual(JSON.parse(readFileSync(join('fixtures', name), 'utf8')));
    }
    expect(await run(['fixtures', 'check', folder])).toMatchObject({ code: 0, err: '' });
  });

  test('check names file, line and column of what is no JSON, and the place of what does not fit', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'merchants.json'), '{\n  "merchants": [\n    {"id": 1,}\n  ]\n}');
    const broken = await run(['fixtures', 'check', folder]);
    expect(broken.code).toBe(2);
    expect(broken.err).toContain('merchants.json: line 3, column 14: property name expected');

    writeFileSync(
      join(folder, 'merchants.json'),
      '{ "merchants": [{ "id": 0, "name": "A", "api_key": "k" }] }',
    );
    const wrong = await run(['fixtures', 'check', folder]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain('merchants.json: merchants.0.id: expected at least 1, got 0');
    expect((await run(['--port', '0', '--fixtures', folder])).err).toBe(wrong.err);
  });

  test('the published schemas are those of the forms', () => {
    const published = Object.fromEntries(
      readdirSync('fixtures/schemas').map((name) => [
        name,
        JSON.parse(readFileSync(join('fixtures/schemas', name), 'utf8')),
      ]),
    );
    expect(published, 'npm run docs writes them').toEqual(
      JSON.parse(JSON.stringify(fixtureSchemas())),
    );
  });
});

describe('ready', () => {
  test('gives up with exit code 1 when nothing answers in time', async () => {
    const { code, err } = await run(['ready', '--url', 'http://127.0.0.1:1', '--timeout', '0.1']);
    expect(code).toBe(1);
    expect(err).toMatch(/^micro-insurance-sandbox: http:\/\/127.0.0.1:1 does not answer: .*\n$/);
  });

  test('refuses what is no URL and no time', async () => {
    expect((await run(['ready', '--url', 'here'])).code).toBe(2);
    expect((await run(['ready', '--timeout', 'long'])).code).toBe(2);
  });
});

describe('openapi', () => {
  test('prints the published documents', async () => {
    const published = (name: string) => JSON.parse(readFileSync(`openapi/${name}.json`, 'utf8'));
    expect(JSON.parse((await run(['openapi'])).out)).toEqual(published('merchant-api'));
    const older = await run(['openapi', '--version', '3.0']);
    expect(JSON.parse(older.out)).toEqual(published('merchant-api-3.0'));
    expect((await run(['openapi', '--version', '2.0'])).code).toBe(2);
  });
});

describe('help', () => {
  test('names every flag with its default and its twin', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('--port <N>');
    expect(out).toContain('default 4015; SANDBOX_PORT or PORT');
    expect(out).toContain('--max-merchants <N>');
    expect(out).toContain('default 10000; SANDBOX_MAX_MERCHANTS');
    expect((await run(['help'])).out).toBe(out);
  });

  test('is what a command without flags offers instead of an unknown one', async () => {
    const { code, err } = await run(['fixtures', 'check', '--dir', 'my-fixtures']);
    expect(code).toBe(2);
    expect(err).toContain("unknown option '--dir'");
  });

  test('of one command shows how it is written, with examples', async () => {
    const { out } = await run(['help', 'fixtures']);
    expect(out).toContain('fixtures init|check DIR');
    expect(out).toContain('Examples');
    expect((await run(['fixtures', '--help'])).out).toBe(out);
    expect((await run(['help', 'fixture'])).err).toContain('Did you mean fixtures?');
  });
});
