import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenAPIHono, type z } from '@hono/zod-openapi';
import { builtInFiles, readFixtures, fixtureSchemas as schemas } from '../../products/fixtures.ts';
import type { Subcommand, Terminal } from '../command.ts';
import { FileError, UsageError } from '../errors.ts';
import { readFixtureFolder } from '../files.ts';
import { PROGRAM } from '../start-options.ts';

const USAGE = 'fixtures init DIR | fixtures check DIR';

export const fixtures: Subcommand = {
  usage: 'init|check DIR',
  description:
    'Write or check fixture files.\n\n' +
    'init writes the built-in fixtures to DIR, with JSON schemas for your editor. It never overwrites a file. ' +
    'check lists every mistake in the files of DIR.',
  options: {},
  more: {
    Examples: [
      `${PROGRAM} fixtures init my-fixtures`,
      `${PROGRAM} fixtures check my-fixtures`,
      `${PROGRAM} --fixtures my-fixtures`,
    ],
  },
  async run({ args }, terminal) {
    const [action, folder, unexpectedArg] = args;
    if (folder === undefined || unexpectedArg !== undefined)
      throw new UsageError(`Usage: ${PROGRAM} ${USAGE}`);
    if (action === 'init') return init(folder, terminal);
    if (action === 'check') return check(folder, terminal);
    throw new UsageError(`Unknown action "${action}". Usage: ${PROGRAM} ${USAGE}`);
  },
};

function init(folder: string, terminal: Terminal): number {
  const written = fixtureSchemas();
  const files: Record<string, object> = {};
  for (const [name, content] of Object.entries(builtInFiles)) {
    const schema = name.replace('.json', '.schema.json');
    files[join(folder, name)] = { $schema: `./schemas/${schema}`, ...(content as object) };
    files[join(folder, 'schemas', schema)] = written[schema] as object;
  }
  const taken = Object.keys(files).find((file) => existsSync(file));
  if (taken !== undefined) throw new FileError(taken, 'already exists; no files were written');
  try {
    mkdirSync(join(folder, 'schemas'), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    }
  } catch (error) {
    throw new FileError(folder, `could not be written: ${(error as Error).message}`);
  }
  terminal.out(`Wrote ${Object.keys(builtInFiles).join(', ')} to ${folder}.\n`);
  terminal.out(`Edit them, then run: ${PROGRAM} --fixtures ${folder}\n`);
  return 0;
}

function check(folder: string, terminal: Terminal): number {
  const files = readFixtureFolder(folder);
  readFixtures(files);
  const names = Object.keys(files);
  terminal.out(
    names.length === 0
      ? `No fixture files in ${folder}.\n`
      : `No mistakes in ${names.join(', ')}.\n`,
  );
  return 0;
}

/** The JSON schemas of the fixture files, by file name. Editors use them for completion. */
export const fixtureSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name.replace('.json', '.schema.json'),
      jsonSchemaOf(name, schema),
    ]),
  );

/**
 * The library writes a schema together with the named schemas it uses. For these schemas its OpenAPI 3.1 output is also
 * valid JSON Schema draft 7, which editors support without further settings.
 */
function jsonSchemaOf(fileName: string, schema: z.ZodType): object {
  const app = new OpenAPIHono();
  app.openAPIRegistry.register('File', schema);
  const info = { title: fileName, version: '' };
  const { components } = app.getOpenAPI31Document({ openapi: '3.1.0', info });
  const { File: file, ...definitions } = forEditors(components?.schemas);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `${fileName} of micro-insurance-sandbox`,
    ...file,
    properties: { $schema: { type: 'string' }, ...file?.properties },
    definitions,
  };
}

const DOCUMENT_ONLY = [
  'x-assumptions',
  'x-documented',
  'x-unpublished',
  'x-issued',
  'x-key',
  'x-provider',
];

/** The schemas without the extensions that only the OpenAPI documents use. */
const forEditors = (written: unknown): Record<string, { readonly properties?: object }> =>
  JSON.parse(
    JSON.stringify(written).replaceAll('"#/components/schemas/', '"#/definitions/'),
    (key, value) => (DOCUMENT_ONLY.includes(key) ? undefined : value),
  );
