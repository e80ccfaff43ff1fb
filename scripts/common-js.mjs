/* What programs `require`: entries that take their part of the command's file. */
import { writeFile } from 'node:fs/promises';

/** A data file is this text, followed by the value as JSON. */
const BEFORE_VALUE = 'export default ';

/** A module with a value as its default export: a browser file or a published document. */
export const moduleOf = (value) => `${BEFORE_VALUE}${JSON.stringify(value)};\n`;

/** Code for the file of the command that reads a data file, because Jest cannot require modules. */
export const readerOf = (file) => `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  const code = readFileSync(join(__dirname, '${file}'), 'utf8');
  export default JSON.parse(code.slice(${BEFORE_VALUE.length}, code.lastIndexOf(';')));
`;

/** The source of the command's file: the command and each entry, none of which loads before it is asked for. */
export const commonJsEntry = (entries) =>
  [
    "exports.main = (options) => require('./src/command/main.ts').main(options);",
    ...Object.entries(entries).map(
      ([name, file]) => `exports.${name} = () => require('./${file}');`,
    ),
  ].join('\n');

/** Writes a file for each entry. Returns the written paths. */
export async function writeCommonJs(entries) {
  const written = [];
  for (const name of Object.keys(entries)) {
    const file = `dist/${name}.cjs`;
    await writeFile(file, `'use strict';\nmodule.exports = require('./cli.cjs').${name}();\n`);
    written.push(file);
  }
  return written;
}
