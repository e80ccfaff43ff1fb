import * as z from 'zod/mini';
import { contract } from '../core/schema.ts';
import { fixtureForms } from '../products/fixtures.ts';

/** The JSON Schemas of the fixture files, by file name, for the editors of those who change them. */
export const fixtureSchemas = (): Record<string, object> =>
  Object.fromEntries(
    Object.entries(fixtureForms).map(([name, form]) => [
      name.replace('.json', '.schema.json'),
      schemaOf(name, form()),
    ]),
  );

/** Draft 7 is what editors complete from without being told more. */
function schemaOf(name: string, form: z.core.$ZodType): object {
  const schema = z.toJSONSchema(form, {
    target: 'draft-7',
    io: 'input',
    metadata: contract,
    override: ({ jsonSchema }) => {
      delete jsonSchema['x-assumptions'];
      delete jsonSchema.id;
    },
  });
  const definitions = schema.definitions as Record<string, z.core.JSONSchema.BaseSchema>;
  const own = definitions[schema.$ref?.split('/').at(-1) as string];
  return {
    $schema: schema.$schema,
    title: `${name} of micro-insurance-sandbox`,
    ...own,
    properties: { $schema: { type: 'string' }, ...own?.properties },
    definitions: Object.fromEntries(Object.entries(definitions).filter(([, each]) => each !== own)),
  };
}
