/* The files that `npm run docs` writes from the code. */

import { OpenAPIHono } from '@hono/zod-openapi';
import { profileSchema } from '../control/profile.ts';
import { anyFamilies, sampledOperations } from '../products/world.ts';
import { type ProbesOf, withAssumptionTables } from './assumption-tables.ts';
import { createControlDocument } from './control.ts';
import type { Document } from './document.ts';
import { createMerchantDocument } from './merchant.ts';
import { comment, createTypeWriter, lines, namedUnion } from './types.ts';

const print = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** The page that lists the assumptions. */
export const ASSUMPTIONS_PAGE = 'docs/decisions.md';

/**
 * The files that the code writes and that are committed: the published documents, the types of both APIs and of
 * profiles, and the page of assumptions, whose text outside the tables comes from the page as it is. `probesOf` answers the ids of the probes
 * of `check` about an assumption.
 */
export function generatedFiles(
  version: string,
  assumptionsPage: string,
  probesOf: ProbesOf,
): Record<string, string> {
  const merchant = createMerchantDocument('3.1', version) as Document;
  const control = createControlDocument('3.1', version) as Document;
  return {
    'openapi/merchant-api.json': print(merchant),
    'openapi/merchant-api-3.0.json': print(createMerchantDocument('3.0', version)),
    'openapi/control-plane.json': print(control),
    'openapi/control-plane-3.0.json': print(createControlDocument('3.0', version)),
    'src/types/wire.ts': merchantTypes(merchant),
    'src/types/control-wire.ts': controlTypes(control),
    'src/types/profile.ts': profileTypes(),
    [ASSUMPTIONS_PAGE]: withAssumptionTables(assumptionsPage, probesOf),
  };
}

/** The types of profiles. No document has them. */
function profileTypes(): string {
  const app = new OpenAPIHono();
  app.openAPIRegistry.register('Profile', profileSchema());
  const info = { title: 'Profiles', version: '' };
  const document = { paths: {}, ...app.getOpenAPI31Document({ openapi: '3.1.0', info }) };
  const write = createTypeWriter(document as unknown as Document, { isOpen: true });
  return [
    header('the settings of a sandbox', 'those', ' * What a profile can set.'),
    ...write.schemas(),
  ].join('\n');
}

const header = (source: string, schemas: string, about: string): string =>
  lines(
    '/*',
    ` * Written by \`npm run docs\` from ${source}. To change something here,`,
    ` * change ${schemas}.`,
    ' *',
    about,
    ' */',
  );

/** The unions that both documents write out, by name. */
const UNIONS = {
  OperationId: {
    description: 'The name of a call, as faults and the journal know it.',
    members: anyFamilies.flatMap(({ operations }) =>
      operations.map(({ operationId }) => operationId),
    ),
  },
  InitiateOperationId: {
    description: 'An operation that starts a purchase.',
    members: anyFamilies.map(({ initiateOperation }) => initiateOperation),
  },
  SampledOperationId: {
    description:
      'An operation whose request needs nothing but the catalogue: a quote or an initiate.',
    members: sampledOperations.map(({ operationId }) => operationId),
  },
  Family: {
    description: 'A product family.',
    members: anyFamilies.map(({ key }) => key),
  },
};

function merchantTypes(document: Document): string {
  const write = createTypeWriter(document);
  return [
    header(
      'the published document, openapi/merchant-api.json',
      'the schemas of the routes',
      ` * What the merchant API takes and returns without a profile. The ids after "Assumptions" are explained in
 * docs/decisions.md.`,
    ),
    ...write.schemas(),
    write.calls(
      'Operations',
      'Every call of the merchant API by its operationId: what it takes, and what it answers.',
      ({ route, operation: { operationId, summary, description }, ...types }) => ({
        name: `${operationId}`,
        description: `${summary}. ${description} \`${route}\``,
        types,
      }),
    ),
    ...Object.entries(UNIONS).map(([name, { description, members }]) =>
      namedUnion(name, description, members),
    ),
    lines(
      ...comment('A policy of each family, as `merchant.records()` returns it.', ''),
      'export interface Policies {',
      ...anyFamilies.map(({ key, policyName }) => `  ${key}: ${policyName};`),
      '}',
    ),
    lines(
      ...comment('The operation that starts a purchase of each family.', ''),
      'export interface InitiateOperations {',
      ...anyFamilies.map(({ key, initiateOperation }) => `  ${key}: '${initiateOperation}';`),
      '}',
    ),
  ].join('\n');
}

/**
 * Schemas whose name the package gives to a more exact type, by the names of their own types. `public.ts` knows the
 * bodies of a journal entry by its operation, for example.
 */
const CONTROL_NAMES = {
  ClockChange: 'ClockChangeJson',
  Expectation: 'ExpectationJson',
  JournalEntry: 'JournalEntryJson',
  NewMerchant: 'NewMerchantJson',
  Problem: 'ProblemDocument',
  RecordPage: 'RecordPageJson',
};

/** The unions that types of the control plane have. */
const CONTROL_UNIONS = ['Family', 'InitiateOperationId', 'OperationId'] as const;

function controlTypes(document: Document): string {
  const unions = Object.fromEntries(CONTROL_UNIONS.map((name) => [name, UNIONS[name].members]));
  const write = createTypeWriter(document, { names: CONTROL_NAMES, unions });
  return [
    header(
      'the published document, openapi/control-plane.json',
      'the schemas of the routes',
      ' * What the control plane takes and returns.',
    ),
    lines(`import type { ${CONTROL_UNIONS.join(', ')} } from './wire.ts';`),
    ...write.schemas(),
    write.calls(
      'ControlCalls',
      'Every call of the control plane by its method and path: what it takes, and what it answers.',
      ({ route, operation: { summary, description }, failure: _problem, ...types }) => ({
        name: `'${route}'`,
        description: `${summary}. ${description}`,
        types,
      }),
    ),
  ].join('\n');
}
