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
    'init writes the built-in fixture files to DIR, with schemas for your editor. It overwrites nothing.\n' +
    'check reports each mistake in the files of DIR.',
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
      throw new UsageError(`Write ${USAGE}.`);
    if (action === 'init') return init(folder, terminal);
    if (action === 'check') return check(folder, terminal);
    throw new UsageError(`There is no fixtures "${action}"; write ${USAGE}.`);
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
  if (taken !== undefined) throw new FileError(taken, 'already exists; nothing was written');
  try {
    mkdirSync(join(folder, 'schemas'), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
    }
  } catch (error) {
    throw new FileError(folder, `can't be written: ${(error as Error).message}`);
  }
  terminal.out(`Wrote ${Object.keys(builtInFiles).join(', ')} into ${folder}.\n`);
  terminal.out(`Change them, then: ${PROGRAM} --fixtures ${folder}\n`);
  return 0;
}

function check(folder: string, terminal: Terminal): number {
  const files = readFixtureFolder(folder);
  readFixtures(files);
  const names = Object.keys(files);
  terminal.out(
    `${names.length === 0 ? `No fixture files in ${folder}` : names.join(', ')}: fine.\n`,
  );
  return 0;
}

/** The JSON Schemas of the fixture files, by file name, for the editors of those who change them. */
export const fixtureSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name.replace('.json', '.schema.json'),
      jsonSchemaOf(name, schema),
    ]),
  );

/**
 * The library writes a schema with all the named ones it is made of; what it writes for OpenAPI 3.1 is, for
 * these schemas, draft 7 too, which is what editors complete from without being told more.
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

/** Schemas as a file of their own holds them; what they rest on is for the documents alone. */
const forEditors = (written: unknown): Record<string, { readonly properties?: object }> =>
  JSON.parse(
    JSON.stringify(written).replaceAll('"#/components/schemas/', '"#/definitions/'),
    (key, value) => (DOCUMENT_ONLY.includes(key) ? undefined : value),
  );
