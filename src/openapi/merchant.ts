/* The document of the merchant API, in its editions for OpenAPI 3.1 and 3.0. */

import { OpenAPIHono } from '@hono/zod-openapi';
import { LIST_ORDER, PAGE_URLS } from '../api/pagination.ts';
import { ERROR_ENVELOPE, HTTP_STATUS, statusesOf } from '../api/refusals.ts';
import { TEXT_TRIM } from '../api/request.ts';
import type { ServedFamilies } from '../products/index.ts';
import { anyFamilies, publishedFamilies } from '../products/world.ts';
import { TOKEN_MINUTES } from '../world/limits.ts';
import { PUBLISHED, type Settings } from '../world/settings.ts';
import { TIME_ZONE } from '../world/time-zone.ts';
import { TOKEN_BOUNDARY } from '../world/tokens.ts';
import {
  changedSettings,
  documentedAssumptions,
  type Edition,
  publish,
  writeDocument,
} from './document.ts';
import { exampleData } from './examples.ts';
import { routeOf } from './operation-route.ts';
import {
  downgrade30,
  firstSpellings,
  type JsonObject,
  mergeAssumptions,
  normalizeSchema,
  type SchemaUse,
} from './schemas.ts';
import { shareFailures } from './shared-failures.ts';

/** The document of the merchant API, from the routes of these families. */
export function createMerchantDocument(
  edition: Edition,
  version: string,
  families: ServedFamilies = publishedFamilies,
): object {
  const { settings, operations } = families;
  const app = new OpenAPIHono();
  const examples = exampleData(families);
  for (const operation of operations) {
    const route = routeOf(operation, examples.get(operation.operationId));
    app.openAPIRegistry.registerPath(route);
  }
  registerShared(app.openAPIRegistry);
  const description = describeApi(settings);
  const written = writeDocument(app, edition, {
    title: 'Micro-insurance merchant API',
    version,
    summary: 'Sell micro-insurance to your customers and look up their policies.',
    description: edition === '3.0' ? `${description}\n${DESCRIPTION_30}` : description,
    security: [{ merchantKey: [] }],
    tags: anyFamilies.map(({ tag, description }) => ({ name: tag, description })),
  });
  const edit = edition === '3.0' ? editSchema30 : editSchema31;
  const document = shareFailures(publish(mergeAssumptions(written), edit));
  return { ...document, 'x-assumptions': documentedAssumptions(settings) };
}

/** Whole messages are shown once, where operations have them. Their schemas show their fields. */
const editSchema31 = ({ examples: _shown, ...schema }: JsonObject): JsonObject =>
  normalizeSchema(schema);

const editSchema30 = (schema: JsonObject, place: SchemaUse): JsonObject =>
  downgrade30(editSchema31(firstSpellings(schema)), place);

/** The components that routes refer to. */
function registerShared(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'merchantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'API key of the merchant. A merchant reaches only its own records.',
  });
  registry.registerComponent('headers', 'RequestId', {
    description: "Id of this call in the sandbox's journal.",
    schema: { type: 'string' },
    example: 'req-1-42',
  });
  registry.registerComponent('headers', 'Authenticate', {
    description: 'The authentication scheme.',
    'x-assumptions': ['auth-failure'],
    schema: { type: 'string' },
    example: 'Bearer',
  });
}

/** The description of the API under these settings. */
const describeApi = (settings: Settings): string => {
  return `
Sell micro-insurance to your customers and look up their policies. Operations are grouped by product family. This
document describes the API as the sandbox serves it.

**API key.** Send \`Authorization: Bearer <API key>\` with every request. A new sandbox accepts the key
\`sk_sandbox_demo\`. You reach only your own records. A token or policy of another merchant fails exactly like an
unknown one (\`foreign-policy\`).

**Buying takes two calls.** The initiate operation saves the purchase details and returns a purchase token. The
verify operation turns them into a policy: send it the token within ${TOKEN_MINUTES} minutes. After that the details are deleted,
and you must initiate the purchase again. At exactly ${TOKEN_MINUTES}:00.000 the token ${TOKEN_BOUNDARY.of(settings).atEnd} (\`token-boundary\`).
Each token works once (\`token-used\`).

**Requests.** Send JSON, with \`Content-Type: application/json\` in every POST.

- Null and blank text count as missing (\`text-and-numbers\`).
- Numbers may also be sent as strings of decimal digits (\`text-and-numbers\`).
- ${TEXT_TRIM.of(settings).says} (\`text-trim\`).
- Text must not contain control characters or lone surrogates. Addresses may contain line breaks and tabs
  (\`encoding\`).
- Fields that this document does not describe are ignored (\`unknown-fields\`).

**Responses.** All responses are JSON. A success has status 200 (\`http-status\`) and \`success: true\`. Timestamps are
in UTC (\`time-zone\`) with six decimals.${zoneNote(settings)} Amounts are in naira (\`currency\`). Responses may get new fields, so ignore
fields that you do not know.

**Errors.** ${ERROR_ENVELOPE.of(settings).says}

With a valid API key, an unknown path returns ${HTTP_STATUS.in(settings).route_unknown}, and a wrong method returns ${wrongMethodStatuses(settings)} with an \`Allow\` header
(\`unknown-route\`).

**Lists.** Lists are ordered from ${LIST_ORDER.of(settings).order} (\`list-order\`). Lists with pages take \`page\` and
\`per_page\` (\`list-selection\`). ${PAGE_URLS.of(settings).advice}

**Assumptions.** The published contract leaves some questions open. For each of them the sandbox makes an assumption
with an id, such as \`token-used\`. \`x-assumptions\` names these ids wherever this document depends on them, and the
list of the same name at the end explains each question and what the sandbox does. The \`Sandbox-Assumptions\` header
names the ids behind a response. Everything without an id comes from the contract.

**Hints.** The \`Sandbox-Hint\` header says in one sentence what a caller probably meant: the nearest path for an unknown
one, a key sent without \`Bearer\`, or request fields that were ignored.
${profileNote(settings)}`.trim();
};

/** "405 (Comprehensive motor: 400)": the status of a wrong method, with those of families of their own. */
function wrongMethodStatuses(settings: Settings): string {
  const { method_not_allowed: status } = HTTP_STATUS.in(settings);
  const others = anyFamilies.flatMap(({ key, tag }) => {
    const own = statusesOf(settings, key).method_not_allowed;
    return own === status ? [] : [`${tag}: ${own}`];
  });
  return others.length === 0 ? `${status}` : `${status} (${others.join(', ')})`;
}

/** What a timestamp in UTC does not say of a zone that a profile sets. */
function zoneNote(settings: Settings): string {
  const zone = TIME_ZONE.in(settings);
  if (zone === TIME_ZONE.in(PUBLISHED)) return '';
  return ` Days, and dates and times without \`Z\`, are in ${zone}.`;
}

function profileNote(settings: Settings): string {
  const ids = [...changedSettings(settings).keys()].map((id) => `\`${id}\``);
  if (ids.length === 0) return '';
  return `
**Profile.** This sandbox changes some of the published assumptions, and this document describes what it does
instead: ${ids.join(', ')}. The list at the end has the \`setting\` of each.
`;
}

/** A paragraph for the 3.0 edition only. */
const DESCRIPTION_30 = `
This edition is for client generators that read OpenAPI 3.0. If a field may have several types, it names the one of its
example. If a field has several spellings, it has the first one, because generators give all of them the same name. The
OpenAPI 3.1 edition has all types and all spellings.
`;
