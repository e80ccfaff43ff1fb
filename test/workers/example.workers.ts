import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { CONFIGURATION, TOOLS } from './support/deployment.ts';

const README = 'examples/workers/README.md';

/** A configuration with comments is an expression of JavaScript. */
const configuration = async () => {
  const text = await readFile(CONFIGURATION, 'utf8');
  return JSON.parse(JSON.stringify(runInNewContext(`(${text}\n)`)));
};

test("the example's configuration is one of wrangler's", async () => {
  const schema = JSON.parse(
    await readFile(join(TOOLS, 'node_modules/wrangler/config-schema.json'), 'utf8'),
  );
  // The schema has words of its own that say how an editor shows it.
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  const given = await configuration();
  validate(given);
  expect(validate.errors ?? []).toEqual([]);
  validate({ ...given, migration: [] });
  expect(validate.errors?.[0]?.message).toBe('must NOT have additional properties');
});

test('its README names each variable that the Worker knows, how much a World holds, and what it was tried with', async () => {
  const text = await readFile(README, 'utf8');
  const source = await readFile('src/workers/deployment.ts', 'utf8');
  const known = new Set([...source.matchAll(/^ {2}(SANDBOX_\w+):/gm)].map(([, name]) => name));
  expect(known.size).toBeGreaterThan(10);
  expect(new Set([...text.matchAll(/`(SANDBOX_\w+)`/g)].map(([, name]) => name))).toEqual(known);
  const held = await readFile('src/workers/held-world.ts', 'utf8');
  const [, most = ''] = /MAX_POLICIES = ([\d_]+);/.exec(held) ?? [];
  expect(text).toContain(`${Number(most.replaceAll('_', '')).toLocaleString('en')} policies`);
  const { dependencies } = JSON.parse(await readFile(join(TOOLS, 'package.json'), 'utf8'));
  expect(text).toContain(`wrangler ${dependencies.wrangler}`);
});
