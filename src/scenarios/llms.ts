/* `/llms.txt`: the API for agents, with a purchase of each family. */

import { failureResponses } from '../api/failures.ts';
import type { Operation } from '../api/operation.ts';
import { LIST_SELECTION, PAGE_URLS } from '../api/pagination.ts';
import { catalogueOf } from '../control/products.ts';
import type { ServedFamilies } from '../products/index.ts';
import { LONGEST_LIFETIME, tokenLifetimes } from '../products/lifetimes.ts';
import { sampleRequests } from '../products/sample-requests.ts';
import { samplePurchase } from '../products/samples.ts';
import { anyFamilies, type PriceList, priceDocument } from '../products/world.ts';
import { breaksConnection } from '../ui/layout/client/fault-kinds.ts';
import { FaultEffect } from '../world/faults.ts';
import { MAX_PAGE_SIZE } from '../world/limits.ts';
import { printable, quoted } from '../world/printable.ts';
import type { Settings } from '../world/settings.ts';
import { minutesDuration } from '../world/time.ts';
import { tokenMessage, usedTokenCode } from '../world/tokens.ts';
import { familyScenarios } from './index.ts';
import { type Input, isCall, isReference, type ScenarioCall, type Step } from './scenario.ts';

const operations: readonly Operation[] = anyFamilies.flatMap((family) => family.operations);
const [verify] = operations.filter(({ errors }) => errors.includes('token_expired'));

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

/** The first scenario of each family, with its sample requests. */
function purchases({ prices, today }: Described): string {
  const catalogue = priceDocument(prices);
  const products = catalogueOf(prices);
  const run = { run: 'example', today };
  const families = familyScenarios.flatMap(({ family: key, notes = '', scenarios }) => {
    const [purchase] = scenarios(catalogue, run);
    const family = anyFamilies.find((each) => each.key === key);
    if (!purchase || !family) return [];
    const calls = firstCalls(purchase.steps);
    const sample = samplePurchase(family, products, today);
    const replaced = calls.find(({ operation }) => isInitiate(operation))?.input ?? {};
    const shown = calls.map((each) => callText(withSample(each, sample, replaced)));
    return [`### ${family.tag}\n\n${shown.join('\n')}\n\n${notes}`.trimEnd()];
  });
  return `
## Buy a policy

A purchase takes two calls. Initiate returns a token; verify with that token, within ${tokenLifetimes()}, returns the policy. Values in <angle brackets> come from \`data\` of earlier responses.

${families.join('\n\n')}`.trim();
}

/** The first call of each operation. */
function firstCalls(steps: readonly Step[]): ScenarioCall[] {
  const calls = steps.filter(isCall);
  return calls.filter(
    ({ operation }, place) => calls.findIndex((each) => each.operation === operation) === place,
  );
}

const isInitiate = ({ operationId }: Operation): boolean =>
  anyFamilies.some(({ initiateOperation }) => initiateOperation === operationId);

/**
 * A call of a scenario with the sample in place of its test customer.
 *
 * @param replaced the purchase of the scenario, whose values other calls may repeat
 */
function withSample(step: ScenarioCall, sample: Input, replaced: Input): ScenarioCall {
  const { operation, input } = step;
  if (isInitiate(operation)) return { ...step, input: sample };
  const own: Input =
    (sampleRequests as Readonly<Record<string, Input>>)[operation.operationId] ?? input;
  const fields = Object.entries(own).map(([field, value]) => {
    const repeats = field === 'product_id' || (field in sample && value === replaced[field]);
    return [field, repeats ? sample[field] : value];
  });
  return { ...step, input: Object.fromEntries(fields) };
}

function callText({ operation, input }: ScenarioCall): string {
  const { method, path, summary } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field]) => field as string);
  const sent = shown(input);
  const address = path.replace(/:(\w+)/g, (_, field: string) => printable(`${sent[field]}`));
  const body = Object.fromEntries(
    Object.entries(sent).filter(([field]) => !inPath.includes(field)),
  );
  const line = `${method.toUpperCase()} ${address}`;
  return `- ${summary}: \`${line}\`${method === 'post' ? `\n  \`${quoted(body)}\`` : ''}`;
}

/** An input with the name of a value where it comes from an earlier response. */
const shown = (input: Input): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => [
      field,
      isReference(value) ? `<${value.$at}>` : isFile(value) ? FILE : value,
    ]),
  );

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

The header \`Sandbox-Hint\` names a probable mistake, such as ignored fields.`.trim();
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
  \`{"by":"${minutesDuration(LONGEST_LIFETIME)}"}\`
- Start over: \`POST /_sandbox/reset\`
  \`{}\``.trim();

function faults({ breaksConnections, families }: Described): string {
  const kinds = FaultEffect.options
    .map(({ shape }) => shape.kind.value)
    .filter((kind) => breaksConnections || !breaksConnection(kind));
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
