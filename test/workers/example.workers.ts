import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { CONFIGURATION, TOOLS } from './support/deployment.ts';

const readTool = async (file: string) => JSON.parse(await readFile(join(TOOLS, file), 'utf8'));

test("the example's configuration is valid for wrangler", async () => {
  // JSON with comments can be evaluated as JavaScript.
  const configuration = runInNewContext(`(${await readFile(CONFIGURATION, 'utf8')}\n)`);
  // The schema contains keywords for editors, which strict mode refuses.
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(await readTool('node_modules/wrangler/config-schema.json'));
  validate(JSON.parse(JSON.stringify(configuration)));
  expect(validate.errors ?? []).toEqual([]);
});

test("the example's README names the tested version of wrangler", async () => {
  const { dependencies } = await readTool('package.json');
  const readme = await readFile('examples/workers/README.md', 'utf8');
  expect(readme).toContain(`wrangler ${dependencies.wrangler}`);
});
