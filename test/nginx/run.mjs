/*
 * Puts sandboxes behind nginx as examples/nginx does, and holds that a key stays with its World whatever happens:
 * `npm run test:nginx`. Needs Debian's nginx: the program, not the service.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { provide } from '../../scripts/needs.mjs';
import { checkCalls } from './calls.mjs';
import { checkPlaces } from './places.mjs';
import { configurationFor, endAll, freePort, startNginx, startSandbox } from './processes.mjs';
import { checkScript } from './script.mjs';

let passed = 0;
let failed = 0;
const folder = mkdtempSync(`${tmpdir()}/sandboxes-`);
// Where root runs the test, nginx is another user.
chmodSync(folder, 0o755);
try {
  await main();
} catch {
  // The check that failed has said why; what needed it is left out.
} finally {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function main() {
  await check('nginx is there', () => provide('nginx'));
  const setup = { folder, sandboxes: [], url: '' };
  await check('three sandboxes start, and nginx before them as an ordinary user', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    setup.sandboxes = await Promise.all(ports.map((port) => startSandbox(folder, port)));
    const port = await freePort();
    const configuration = configurationFor(port, setup.sandboxes);
    setup.url = (await startNginx(`${folder}/three`, port, configuration)).url;
  });
  await checkCalls(check, setup);
  await checkPlaces(check, setup);
  await checkScript(check, setup);
}

/** Does one check and says how it went. What it answers is said too. */
async function check(name, work) {
  const begun = performance.now();
  try {
    const remark = await work();
    passed++;
    const spent = `${((performance.now() - begun) / 1000).toFixed(1)} s`;
    console.log(`ok      ${name} (${remark ? `${remark}; ` : ''}${spent})`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.message}`);
    throw error;
  }
}
