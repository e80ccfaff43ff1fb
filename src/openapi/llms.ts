/* `/llms.txt`: the API for agents, with a purchase of each family. */

import type { Operation } from '../api/operation.ts';
import { LIST_SELECTION, PAGE_URLS } from '../api/pagination.ts';
import { productsOf } from '../control/products.ts';
import type { PriceList } from '../products/catalogue.ts';
import type { ServedFamilies } from '../products/index.ts';
import { sampleRequests } from '../products/sample-requests.ts';
import { samplePurchase } from '../products/samples.ts';
import { anyFamilies } from '../products/world.ts';
import { FAULT_KINDS } from '../world/fault-kinds.ts';
import { MAX_PAGE_SIZE, TOKEN_MINUTES } from '../world/limits.ts';
import { printable, quoted } from '../world/printable.ts';
import type { Settings } from '../world/settings.ts';
import { tokenMessage, usedTokenCode } from '../world/tokens.ts';
import { inOrder } from './examples.ts';
import { failureResponses } from './operation-route.ts';

const operations: readonly Operation[] = anyFamilies.flatMap((family) => family.operations);
const verify = operations.find(({ role }) => role === 'verify');

/** What the text for coding agents describes. */
export interface Described {
  /** Where the sandbox is reached. */
  readonly address: string;
  /** The key of the demo merchant; undefined where there is none. */
  readonly demoKey: string | undefined;
  readonly families: ServedFamilies;
  /** What the sandbox sells. */
  readonly prices: PriceList;
  /** The day by the clock of a new World. */
  readonly today: string;
  /** Whether any new key opens a World of its own. */
  readonly opensWorlds: boolean;
  /** Whether a fault can break a connection. */
  readonly breaksConnections: boolean;
}

/** `/llms.txt`: what a coding agent has to know to call this sandbox, in Markdown. */
export const llmsText = (described: Described): string =>
  [
    intro(described),
    purchases(described),
    responses(described.families),
    recovery(described.families),
    time(),
    faults(described),
    worlds(described),
    documents(described),
  ].join('\n\n');

const intro = ({ address, demoKey }: Described): string =>
  `
# micro-insurance-sandbox

> A local stand-in for a micro-insurance provider's merchant API (HTTP and JSON). You control its clock and failures.

- Base URL: ${address}
- API key: ${demoKey ?? '`POST /_sandbox/merchants` creates a merchant and returns its `api_key`.'}

Send \`Authorization: Bearer KEY\` with every request, and \`Content-Type: application/json\` with every POST.
`.trim();

/** The calls of a purchase in each family, with the sample of its documents. */
function purchases({ prices, today }: Described): string {
  const products = productsOf(prices);
  const texts = anyFamilies
    .filter(({ key }) => products.some(({ family, enabled }) => family === key && enabled))
    .map((family) => {
      const sample = samplePurchase(family, products, today);
      const calls = inOrder(family).map((operation) =>
        callText(operation, inputOf(operation, sample)),
      );
      return `### ${family.tag}\n\n${calls.join('\n')}\n\n${family.notes}`;
    });
  return `
## Buy a policy

A purchase takes two calls. Initiate returns a token; verify with that token, within ${TOKEN_MINUTES} minutes, returns the policy. Values in <angle brackets> come from \`data\` of earlier responses.

${texts.join('\n\n')}`.trim();
}

type Input = Readonly<Record<string, unknown>>;

/** What a call of an operation sends: the values of the sample purchase, and what earlier responses returned. */
function inputOf({ operationId, role, input }: Operation, sample: Input): Input {
  if (role === 'list') return {};
  const sampled = (sampleRequests as Readonly<Record<string, Input>>)[operationId];
  if (role === 'initiate') return sample;
  const fields = Object.keys(sampled ?? input?.shape ?? {});
  // A look-up may spell its number in several ways.
  const named = role === 'lookup' ? fields.slice(0, 1) : fields;
  return Object.fromEntries(
    named.map((field) => [field, sample[field] ?? sampled?.[field] ?? `<${field.toLowerCase()}>`]),
  );
}

function callText({ method, path, summary }: Operation, input: Input): string {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field as string);
  const sent = Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, isFile(value) ? FILE : value]),
  );
  const address = path.replace(/:(\w+)/g, (_, field: string) => printable(`${sent[field]}`));
  const body = Object.fromEntries(
    Object.entries(sent).filter(([field]) => !inPath.includes(field)),
  );
  const line = `${method.toUpperCase()} ${address}`;
  return `- ${summary}: \`${line}\`${method === 'post' ? `\n  \`${quoted(body)}\`` : ''}`;
}

/** One short address in place of the files that samples name: agents pay for each letter. */
const FILE = 'http://a/1';

const isFile = (value: unknown): boolean =>
  typeof value === 'string' && /^https:.*\.png$/.test(value);

/** The envelope, and everything that calls are refused for. */
function responses({ operations }: ServedFamilies): string {
  const refusals = refusalsOf(operations);
  const byStatus = new Map<string, string[]>();
  for (const { status, summary } of refusals.values()) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), summary]);
  }
  const rows = [...byStatus].map(([status, summaries]) =>
    printable(`- ${status}: ${summaries.join('. ')}`),
  );
  return `
## Responses

A success has \`success: true\`, a message and \`data\`. A refusal lists every problem in \`data.error\`. The message is in \`message\` or \`response_message\`.

\`${quoted(refusals.get('token_expired')?.value)}\`

${rows.join('\n')}

The header \`Sandbox-Hint\` names probable mistakes.`.trim();
}

interface Refusal {
  readonly status: string;
  readonly summary: string;
  readonly value: object;
}

/** What calls are refused for, by the code of the reason. */
function refusalsOf(operations: readonly Operation[]): Map<string, Refusal> {
  const failures = operations.flatMap((each) => Object.entries(failureResponses(each)));
  return new Map(
    failures
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .flatMap(([status, { content }]) =>
        Object.entries(content['application/json'].examples).map(
          ([code, { summary, value }]) => [code, { status, summary, value }] as const,
        ),
      ),
  );
}

/** How programs find out what was bought. */
const recovery = ({ settings }: ServedFamilies): string =>
  `
## Lists

Pages have their items in \`data.data\`, ${LIST_SELECTION.in(settings).per_page} each (\`?per_page=\` up to ${MAX_PAGE_SIZE}). ${PAGE_URLS.of(settings).advice} A list without pages has them in \`data\`.

## If a response is lost

Broken JSON counts as lost. Never buy again: the policy may exist. Send verify again with the same token: if it is used, the policy exists. Two equal orders look alike in a list: note its policy numbers before verify. One that is new afterwards is yours. All calls but verify and renewal are safe to repeat.

A policy has ended when its \`end_date\` is past.`.trim();

const time = (): string =>
  `
## Move the clock

Never wait: move the clock of your key. \`P1M\` is a month.

- Expire a token: \`POST /_sandbox/clock/advance\`
  \`{"by":"PT${TOKEN_MINUTES}M"}\`
- Start over: \`POST /_sandbox/reset\`
  \`{}\``.trim();

function faults({ breaksConnections, families }: Described): string {
  const kinds = FAULT_KINDS.filter(
    ({ endsConnection }) => breaksConnections || !endsConnection,
  ).map(({ name }) => name);
  const lost = breaksConnections ? 'drop' : 'malformed';
  const rule = {
    match: { operation: verify?.operationId },
    stage: 'before',
    effect: { kind: 'respond', status: 503 },
  };
  return `
## Make calls fail

To lose a response, send the header \`Sandbox-Fault: after; ${lost}\` with a verify: the policy is bought. A second verify returns ${secondVerify(families.settings)}. With \`before\` nothing is done. Effects: ${kinds.map((kind) => `\`${kind}\``).join(', ')}.

- Fail the next call of an operation: \`POST /_sandbox/faults\`
  \`${JSON.stringify(rule)}\`
- Your calls, and why they were refused: \`GET /_sandbox/journal?format=text\`
- Policies that exist: \`GET /_sandbox/records?family=${anyFamilies[0]?.key}\`
- Products and premiums: \`GET /_sandbox/products\`
- Try every failure of every call: \`npx micro-insurance-sandbox chaos -- COMMAND\` (with \`SANDBOX_URL\`, \`SANDBOX_KEY\`)`.trim();
}

/** What a verify with a used token returns. */
function secondVerify(settings: Settings): string {
  const code = usedTokenCode(settings);
  return code ? quoted(tokenMessage(code, settings)) : 'the policy again';
}

const worlds = ({ opensWorlds }: Described): string =>
  `
## One World per key

Each key has its own records, clock, faults and journal. ${
    opensWorlds
      ? 'A new key opens an empty World, so make up one key per test.'
      : 'Create a merchant per test with `POST /_sandbox/merchants` (it returns `api_key`), or start with `--auto-merchants` and make up keys.'
  } With \`{"records":{"${anyFamilies[0]?.key}":40}}\` it starts with policies.

JavaScript tests need no server: \`const policy = await createSandbox().createMerchant().buy('${anyFamilies[0]?.key}')\`.`.trim();

const documents = ({ address }: Described): string =>
  `
## Documents

- Every field: ${address}/openapi.json, /openapi-3.0.json
- Control plane: /_sandbox/openapi.json
- Assumptions: /docs/assumptions
- Inspector: /_sandbox
- MCP: \`npx micro-insurance-sandbox mcp --url ${address}\`
`.trim();
