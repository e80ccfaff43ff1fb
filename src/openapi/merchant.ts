import { OpenAPIHono, z } from '@hono/zod-openapi';
import { ok } from '../api/envelope.ts';
import type { Operation } from '../api/operation.ts';
import { paginate } from '../api/pagination.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../products/world.ts';
import type { Settings } from '../world/settings.ts';
import {
  CONTACT,
  changedSettings,
  type Document,
  documentedAssumptions,
  LICENSE,
  publish,
  SERVER,
  SERVERS,
  SORTED,
} from './document.ts';
import { applyMeta, downgrade30, type Json, normalizeSchema, type Place } from './schemas.ts';

/** The editions the merchant API is published in. */
export type Edition = '3.1' | '3.0';

/** The document of the merchant API of a sandbox with these settings, made of the routes of every family. */
export function createMerchantDocument(
  edition: Edition,
  version: string,
  settings: Settings = DEFAULT_SETTINGS,
): object {
  const app = new OpenAPIHono();
  const endpoints = anyFamilies.flatMap(({ operations }) => operations);
  for (const endpoint of endpoints) {
    app.openAPIRegistry.registerPath(endpoint.documented(settings));
  }
  registerShared(app.openAPIRegistry);
  const description = describeApi(settings);
  const head = {
    servers: SERVERS,
    security: [{ merchantKey: [] }],
    tags: anyFamilies.map(({ tag, description }) => ({ name: tag, description })),
  };
  const written =
    edition === '3.0'
      ? app.getOpenAPIDocument(
          { openapi: '3.0.3', info: info30(version, description), ...head },
          SORTED,
        )
      : app.getOpenAPI31Document(
          { openapi: '3.1.0', info: info31(version, description), ...head },
          SORTED,
        );
  const edit = edition === '3.0' ? editSchema30 : normalizeSchema;
  const document = publish(applyMeta(written, settings), edit);
  for (const endpoint of endpoints) addExample(document, endpoint, settings);
  return { ...document, 'x-assumptions': documentedAssumptions(settings) };
}

const TITLE = 'Micro-insurance merchant API';

const info31 = (version: string, description: string) => ({
  title: TITLE,
  version,
  summary: 'Sign customers up for micro-insurance and read the policies back.',
  description,
  contact: CONTACT,
  license: LICENSE,
});

const info30 = (version: string, description: string) => ({
  title: TITLE,
  version,
  description: `${description}\n${DESCRIPTION_30}`,
  contact: CONTACT,
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
});

const editSchema30 = (schema: Json, place: Place): Json =>
  downgrade30(normalizeSchema(schema), place);

/** What the routes refer to. */
function registerShared(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'merchantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of the merchant. A merchant sees only what is its own.',
  });
  registry.registerComponent('headers', 'RequestId', {
    description: 'Names this call in the journal of the sandbox.',
    schema: { type: 'string' },
    example: 'req-1-42',
  });
  registry.registerComponent('headers', 'Authenticate', {
    description: 'How to authenticate.',
    'x-assumptions': ['auth-failure'],
    schema: { type: 'string' },
    example: 'Bearer',
  });
}

/** Shows a success whole, in its envelope; before the refusals, where HTTP carries them as successes. */
function addExample({ paths }: Document, endpoint: Operation, settings: Settings): void {
  const { path, method } = endpoint;
  const response = paths[documentPath(path)]?.[method]?.responses[200];
  const body = response?.content?.['application/json'] as Json;
  const value = successExample(endpoint, settings, SERVER + path);
  if (body.examples) body.examples = { success: { summary: 'A success', value }, ...body.examples };
  else body.example = value;
}

/** A path as a document writes it. */
export const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

/**
 * The body of a success in a sandbox with these settings, its data that of the schema's example; `address` is
 * where the call stands.
 */
function successExample(operation: Operation, settings: Settings, address: string) {
  const { data } = operation.successUnder(settings).shape;
  const message = settings.messages.success[operation.operationId];
  return ok(operation.envelope, exampleOf(data as z.ZodType, settings, address), message);
}

/** The example of a schema: its own, or a page with one item as the call itself would make it. */
function exampleOf(schema: z.ZodType, settings: Settings, address: string): unknown {
  const own = schema.meta()?.examples?.[0];
  if (own !== undefined) return own;
  const list = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  if (!(list instanceof z.ZodArray)) throw new Error(`No example for ${address}`);
  const records = [exampleOf(list.element as z.ZodType, settings, address)];
  const selection = { start: 0, end: records.length };
  return paginate(records, selection, {}, { address, settings }, (it) => it);
}

const BOUNDARIES = {
  exclusive: 'The moment 15:00.000 itself is too late',
  inclusive: 'The moment 15:00.000 itself is not too late yet',
} as const;

const TRIMS = {
  keep: 'White space around a text is kept',
  trim: 'White space around a text is dropped first, so that patterns and formats are those of what is left',
} as const;

const ENVELOPE = `has \`success: false\`, the first
problem as its message, its status as its \`response_code\`, and every problem in \`data.error\`
(\`error-envelope\`, \`error-code-type\`). Three forms of it exist, one for each form of success:
\`MessageFailure\`, \`CodedFailure\` and \`StatusFailure\`.`;

const REFUSALS = {
  envelope: `a refusal ${ENVELOPE}`,
  laravel: `the refusal
of a token or of an unknown policy ${ENVELOPE} Every other refusal is in no envelope: \`ValidationFailure\`
has the first problem as its message and every problem by field in \`errors\`, \`MessageOnlyFailure\` has a message alone.`,
} as const;

/** What the document of a sandbox with these settings says before it describes single calls. */
const describeApi = (settings: Settings): string => {
  const { statuses, tokenBoundary, textTrim, errorEnvelope } = settings;
  return `
A merchant signs its customers up for micro-insurance and reads the policies back. The calls stand by
product family. This is the API as the sandbox serves it.

**Key.** Every call carries \`Authorization: Bearer <API key>\`, every POST also
\`Content-Type: application/json\`. A merchant reaches its own records only; what belongs to another is
answered exactly as what does not exist (\`foreign-policy\`). A fresh sandbox knows the key \`sk_sandbox_demo\`.

**Buying takes two calls.** An initiate call remembers the details and answers a token; the verify call
with that token, within 15 minutes, turns them into a policy. After 15 minutes the details are deleted
and the purchase must be initiated again. ${BOUNDARIES[tokenBoundary]}
(\`token-boundary\`). A token serves once (\`token-used\`).

**Requests.** Null, and text of white space only, count as missing (\`text-and-numbers\`). ${TRIMS[textTrim]}
(\`text-trim\`). A text with control characters or lone surrogates is refused; addresses may have line
breaks and tabs (\`encoding\`). Fields this document does not name are ignored (\`unknown-fields\`). Where a number
is asked for, its decimal digits as a text are accepted too (\`text-and-numbers\`).

**Answers.** Everything is JSON. A success is 200 (\`http-status\`); ${REFUSALS[errorEnvelope]} A path that does not exist is ${statuses.route_unknown} and a wrong
method ${statuses.method_not_allowed} with \`Allow\`, both only with a valid key (\`unknown-route\`). Timestamps are UTC (\`time-zone\`)
with six decimals, amounts naira (\`currency\`). Fields may be added to answers: ignore what you do not know.

**Assumptions.** The published contract leaves some questions open, and a sandbox has to answer all of
them. Each assumption it makes has an id: \`x-assumptions\` names it wherever this document rests on it, the
list of the same name at the end says what was open and what is done, and the \`Sandbox-Assumptions\` header
of an answer names those that shaped it. What carries no id is the contract's own word.
${profileNote(settings)}`.trim();
};

function profileNote(settings: Settings): string {
  const ids = [...changedSettings(settings).keys()].map((id) => `\`${id}\``);
  if (ids.length === 0) return '';
  return `
**Profile.** This sandbox takes some assumptions otherwise than published, and this document says what it
does: ${ids.join(', ')}. Each has a \`setting\` in the list at the end.
`;
}

/** What the 3.0 edition says besides. */
const DESCRIPTION_30 = `
This is the edition for client generators that read OpenAPI 3.0. Where a field of a request may have one
of several types it names one; where a field of an answer may, it names none, and the description says
which may come. The OpenAPI 3.1 edition names all of them.
`;
