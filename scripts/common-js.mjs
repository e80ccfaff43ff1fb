/* Converts the built modules for `require`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/cjs';

/** A data file is this text, followed by the value as JSON. */
const BEFORE_VALUE = 'export default ';

/** A module with a value as its default export: a browser file or a published document. */
export const moduleOf = (value) => `${BEFORE_VALUE}${JSON.stringify(value)};\n`;

/**
 * Converts each module to a CommonJS file of the same name in `dist/cjs`, so that programs which require both entries
 * share their chunks. The files do not use `import()`, which Jest does not support. Large data is read from the files of
 * the modules. Returns the written paths.
 */
export async function writeCommonJs(modules, data) {
  const code = await build({
    entryPoints: modules,
    outdir: FOLDER,
    outbase: 'dist',
    format: 'cjs',
    platform: 'neutral',
    target: 'node20',
    supported: { 'dynamic-import': false },
    logLevel: 'warning',
    metafile: true,
  });
  const written = {
    'package.json': '{ "type": "commonjs" }\n',
    ...Object.fromEntries(data.map((file) => [file.slice('dist/'.length), readerOf(file)])),
  };
  for (const [name, text] of Object.entries(written)) {
    await mkdir(dirname(join(FOLDER, name)), { recursive: true });
    await writeFile(join(FOLDER, name), text);
  }
  return [
    ...Object.keys(code.metafile.outputs),
    ...Object.keys(written).map((name) => join(FOLDER, name)),
  ];
}

const readerOf = (file) => `'use strict';
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const code = readFileSync(join(__dirname, '${pathToModule(file)}'), 'utf8');
module.exports = JSON.parse(code.slice(${BEFORE_VALUE.length}, code.lastIndexOf(';')));
`;

/** The path from a CommonJS file to that of the modules: `../../assets/…`. */
const pathToModule = (file) => {
  const name = file.slice('dist/'.length);
  return relative(dirname(join(FOLDER, name)), file).replaceAll('\\', '/');
};

/** Copies the types for CommonJS. Returns the written paths. */
export async function writeCommonJsTypes(types) {
  const copies = types.map((file) => join(FOLDER, file.slice('dist/'.length)));
  for (const [index, copy] of copies.entries()) {
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, await readFile(types[index]));
  }
  return copies;
}
