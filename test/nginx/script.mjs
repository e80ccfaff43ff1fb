/* start.sh, in a copy of the example with ports of its own. */
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { call, initiate, keysOf, verify } from './client.mjs';
import { ADMIN, configurationFor, freePort, start } from './processes.mjs';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Checks the script, in this folder. */
export async function checkScript(check, { folder }) {
  const copy = `${folder}/clone/examples/nginx`;
  const key = 'sk_script';
  const address = await freePort();
  const url = `http://127.0.0.1:${address}`;
  const sandboxes = [];
  for (let number = 0; number < 2; number++) {
    const port = await freePort();
    sandboxes.push({ port, url: `http://127.0.0.1:${port}` });
  }
  mkdirSync(copy, { recursive: true });
  symlinkSync(`${repository}/bin`, `${folder}/clone/bin`);
  copyFileSync(`${repository}/examples/nginx/start.sh`, `${copy}/start.sh`);
  writeFileSync(`${copy}/nginx.conf`, configurationFor(address, sandboxes));
  const env = { PATH: process.env.PATH, SANDBOX_ADMIN_TOKEN: ADMIN };
  const run = () => start('sh', [`${copy}/start.sh`], { env }, url);

  let script;
  let token;
  await check('start.sh starts as many as there are in nginx.conf', async () => {
    script = await run();
    token = await initiate(url, key);
    const held = await Promise.all(sandboxes.map(keysOf));
    assert.deepEqual(held.flat(), [key]);
  });
  await check('it ends them all', async () => {
    assert.equal(await script.end('SIGTERM'), 0, script.said());
    for (const each of [url, ...sandboxes.map((sandbox) => sandbox.url)]) {
      await assert.rejects(call(each, '/livez'));
    }
  });
  await check('started again it goes on where it was', async () => {
    script = await run();
    assert.match(await verify(url, key, token), /^\d{10}$/);
    assert.equal(await script.end('SIGTERM'), 0, script.said());
  });
}
