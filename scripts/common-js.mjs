/* What is built for `import`, once more for `require`. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'dist/cjs';

/** What is written of a file of data is this, and its value as JSON. */
const BEFORE_VALUE = 'export default ';

/** A module whose default is a value: a text that a browser loads, a published document. */
export const moduleOf = (value) => `${BEFORE_VALUE}${JSON.stringify(value)};\n`;

/**
 * Turns each of the modules into one of the same name in `dist/cjs`, so that programs which require both entries
 * share what the entries share. Nothing there calls `import()`, which Jest has no support for. Data is large: it
 * is read from where the modules have it. Gives the paths that it wrote.
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
const code = readFileSync(join(__dirname, '../..', '${file.slice('dist/'.length)}'), 'utf8');
module.exports = JSON.parse(code.slice(${BEFORE_VALUE.length}, code.lastIndexOf(';')));
`;

/** Writes the types once more, as those of CommonJS. Gives the paths that it wrote. */
export async function writeCommonJsTypes(types) {
  const copies = types.map((file) => join(FOLDER, file.slice('dist/'.length)));
  for (const [index, copy] of copies.entries()) {
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, await readFile(types[index]));
  }
  return copies;
}
