/* Projects below `test/` have packages and lock files of their own. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Installs what the lockfile of a folder names, unless it is there. */
export async function installLocked(folder, ...flags) {
  const wanted = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')).packages;
  const found = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8').then(
    (text) => JSON.parse(text).packages,
    () => ({}),
  );
  const stale = Object.entries(wanted).some(
    ([path, { version, optional }]) => path && !optional && found[path]?.version !== version,
  );
  if (!stale) return;
  const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund', ...flags];
  await promisify(execFile)('npm', args, { maxBuffer: 1e8 });
}
