/*
 * Removes the parts of package.json that only development needs from the packed package: npm would warn about a
 * `prepare` script at every install of the tarball. `strip` runs before packing, `restore` afterwards.
 *
 * Meanwhile .tmp contains the original manifest. If packing is interrupted, `restore`, the next pack or
 * `git checkout package.json` restores it.
 */
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';

const ONLY_HERE = ['scripts', 'devDependencies', 'allowScripts'];
const MANIFEST = 'package.json';
const KEPT = '.tmp/package.json';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const commands = { strip, restore };
const [name] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) {
  console.error(`Usage: node scripts/manifest.mjs ${Object.keys(commands).join('|')}`);
  process.exit(2);
}
commands[name]();

function strip() {
  restore();
  const manifest = readFileSync(MANIFEST, 'utf8');
  replace(KEPT, manifest);
  replace(MANIFEST, stripped(manifest));
}

/** Keeps a manifest that was changed or checked out after it was stripped. */
function restore() {
  const kept = readIfThere(KEPT);
  if (kept === undefined) return;
  if (readFileSync(MANIFEST, 'utf8') === stripped(kept)) replace(MANIFEST, kept);
  rmSync(KEPT);
}

function stripped(manifest) {
  const published = Object.entries(JSON.parse(manifest)).filter(
    ([key]) => !ONLY_HERE.includes(key),
  );
  return `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`;
}

/** Replaces a file atomically and keeps the mode of the manifest. */
function replace(file, text) {
  mkdirSync('.tmp', { recursive: true });
  const fresh = `${KEPT}.${process.pid}`;
  writeFileSync(fresh, text);
  chmodSync(fresh, statSync(MANIFEST).mode);
  renameSync(fresh, file);
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
