/*
 * The package is packed without what is in package.json for those who work on it alone: npm warns of a `prepare`
 * script at every install of a tarball. `strip` runs before packing, `restore` after it.
 *
 * The manifest as it was is kept in .tmp meanwhile. A pack that is cut short leaves it there: `restore`, the next
 * pack, or `git checkout package.json` puts things right.
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

/** Whoever changed the manifest since it was stripped, or checked it out again, knows better. */
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

/** A process that ends on the way leaves the one text or the other, whole, and with the mode of the manifest. */
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
