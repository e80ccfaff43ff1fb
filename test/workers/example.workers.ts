import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { CONFIGURATION, TOOLS } from './support/deployment.ts';

const readTool = async (file: string) => JSON.parse(await readFile(join(TOOLS, file), 'utf8'));

test("the example's configuration is one of wrangler's", async () => {
  // A configuration with comments is an expression of JavaScript.
  const configuration = runInNewContext(`(${await readFile(CONFIGURATION, 'utf8')}\n)`);
  // The schema has words of its own that say how an editor shows it.
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(await readTool('node_modules/wrangler/config-schema.json'));
  validate(JSON.parse(JSON.stringify(configuration)));
  expect(validate.errors ?? []).toEqual([]);
});

test("the example's README names the wrangler that it was tried with", async () => {
  const { dependencies } = await readTool('package.json');
  const readme = await readFile('examples/workers/README.md', 'utf8');
  expect(readme).toContain(`wrangler ${dependencies.wrangler}`);
});
