#!/usr/bin/env node
/*
 * Starts the command with the code that V8 compiled of it at an earlier start, which takes a third off the
 * time to the first answer. Newer versions of Node keep that code themselves; for the others it is kept
 * here. Without it, or where it can't be kept, a start is only slower.
 */
const { createRequire, enableCompileCache } = require('node:module');
const { dirname, join } = require('node:path');

const { existsSync } = require('node:fs');

const bundle = join(__dirname, '..', 'dist', 'cli.cjs');
const folder = join(dirname(bundle), 'code');

if (!existsSync(bundle)) {
  console.error(
    'micro-insurance-sandbox: This clone was never built. Run npm ci, which builds it.',
  );
  process.exitCode = 1;
} else if (enableCompileCache) {
  enableCompileCache(folder);
  require(bundle).main();
} else {
  startWithKeptCode();
}

function startWithKeptCode() {
  const fs = require('node:fs');
  const { Script } = require('node:vm');
  const { crc32 } = require('node:zlib');

  const requireBeside = createRequire(bundle);
  /** The MCP library is a bundle of its own, which only `mcp` loads. */
  let library;
  const command = load(bundle);
  command.exports.main({ onServing: () => keepSoon(command) });

  function load(file) {
    const source = fs.readFileSync(file, 'latin1');
    // V8 itself compares no more than the length of the source; the build begins a bundle with its hash.
    const hash = /^\/\*(\w+)\*\//.exec(source)?.[1];
    const kept = join(folder, `${process.version}-${process.arch}-${hash}`);
    const script = new Script(
      `(function(exports,require,module,__filename,__dirname){${source}\n})`,
      {
        filename: file,
        cachedData: readKept(kept),
      },
    );
    const program = { exports: {} };
    script.runInThisContext()(program.exports, requireFrom, program, file, dirname(file));
    return { exports: program.exports, script, kept };
  }

  function requireFrom(name) {
    if (name !== './mcp-library.cjs') return requireBeside(name);
    if (!library) {
      library = load(join(dirname(bundle), name));
      keepSoon(library);
    }
    return library.exports;
  }

  /** The code, unless a byte of the file is not as it was written: V8 would not notice, and crash. */
  function readKept(kept) {
    try {
      const file = fs.readFileSync(kept);
      const code = file.subarray(0, -4);
      return crc32(code) === file.readUInt32LE(code.length) ? code : undefined;
    } catch {
      return undefined;
    }
  }

  // Early enough that V8 still has what only a start needs, and late enough to have the first answers too.
  function keepSoon({ script, kept }) {
    if (script.cachedDataRejected === false) return;
    const timer = setTimeout(keepOnce, 1000).unref();
    process.once('exit', keepOnce);
    function keepOnce() {
      clearTimeout(timer);
      process.off('exit', keepOnce);
      keep(script, kept);
    }
  }

  function keep(script, kept) {
    try {
      const code = script.createCachedData();
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(crc32(code));
      fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
      write(kept, Buffer.concat([code, checksum]));
    } catch {
      // A file system that can't be written, perhaps: the next start compiles again.
    }
  }

  /** Others find the whole file or none. */
  function write(kept, bytes) {
    const fresh = `${kept}.${process.pid}`;
    try {
      const file = fs.openSync(fresh, 'w', 0o644);
      try {
        fs.writeFileSync(file, bytes);
        fs.fsyncSync(file);
      } finally {
        fs.closeSync(file);
      }
      fs.renameSync(fresh, kept);
    } catch (error) {
      fs.rmSync(fresh, { force: true });
      throw error;
    }
  }
}
