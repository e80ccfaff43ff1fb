#!/usr/bin/env node
/*
 * Starts the command from its bundle together with the code V8 compiled of it at an earlier start, which
 * halves the time to the first answer. Without that code, or where it can't be kept, it is only slower.
 */
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

const bundle = join(__dirname, '..', 'dist', 'cli.cjs');
const source = readFileSync(bundle, 'latin1');
// V8 itself compares no more than the length of the source; the build begins the bundle with its hash.
const hash = /^\/\*(\w+)\*\//.exec(source)?.[1];
const kept = join(dirname(bundle), 'code', `${process.version}-${process.arch}-${hash}`);

const script = new Script(
  `(function(exports,require,module,__filename,__dirname,importLater){${source}\n})`,
  { filename: bundle, cachedData: readKept() },
);
const program = { exports: {} };
script.runInThisContext()(program.exports, require, program, bundle, dirname(bundle), importLater);
program.exports.main({ onServing: script.cachedDataRejected === false ? undefined : keepSoon });

// What the build put beside the bundle, and modules of Node: code that V8 kept can not import by itself.
function importLater(name) {
  return import(name.startsWith('./') ? `../dist/${name.slice(2)}` : name);
}

function readKept() {
  try {
    return readFileSync(kept);
  } catch {
    return undefined;
  }
}

// Early enough that V8 still has what only a start needs, and late enough to have the first answers too.
function keepSoon() {
  setTimeout(keep, 1000).unref();
  process.once('exit', keep);
}

let done = false;

function keep() {
  if (done) return;
  done = true;
  try {
    mkdirSync(dirname(kept), { recursive: true });
    const fresh = `${kept}.${process.pid}`;
    writeFileSync(fresh, script.createCachedData());
    renameSync(fresh, kept);
  } catch {
    // A file system that can't be written, perhaps: the next start compiles again.
  }
}
