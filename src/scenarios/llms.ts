/* `/llms.txt`: the API for agents, with a purchase of each family. */

import { failureResponses } from '../api/failures.ts';
import type { Operation } from '../api/operation.ts';
import { catalogueOf } from '../control/products.ts';
import type { ServedFamilies } from '../products/index.ts';
import { LONGEST_LIFETIME, tokenLifetimes } from '../products/lifetimes.ts';
import { sampleRequests } from '../products/sample-requests.ts';
import { samplePurchase } from '../products/samples.ts';
import { anyFamilies, type PriceList, priceDocument } from '../products/world.ts';
import { FaultEffect } from '../world/faults.ts';
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
    time(),
    faults(described),
    worlds(described),
    documents(described),
  ].join('\n\n');

const intro = ({ address, demoKey }: Described): string =>
  `
# micro-insurance-sandbox

> A local stand-in for a micro-insurance provider's merchant API (HTTP and JSON). It runs in memory and returns the same responses on every run. You control its clock and its failures.

- Base URL: ${address}
- API key: ${demoKey ?? '`POST /_sandbox/merchants` creates a merchant and returns its `api_key`.'}

Send \`Authorization: Bearer KEY\` with every request, and \`Content-Type: application/json\` with every POST.
`.trim();

/** The first scenario of each family, with its sample requests. */
function purchases({ prices }: Described): string {
  const catalogue = priceDocument(prices);
  const products = catalogueOf(prices);
  const run = { run: 'example', today: EXAMPLE_DAY };
  const families = familyScenarios.flatMap(({ family: key, scenarios }) => {
    const [purchase] = scenarios(catalogue, run);
    const family = anyFamilies.find((each) => each.key === key);
    if (!purchase || !family) return [];
    const calls = firstCalls(purchase.steps);
    const sample = samplePurchase(family, products);
    const replaced = calls.find(({ operation }) => isInitiate(operation))?.input ?? {};
    const shown = calls.map((each) => callText(withSample(each, sample, replaced)));
    return [`### ${family.tag}\n\n${shown.join('\n')}`];
  });
  return `
## Buy a policy

A purchase takes two calls. Initiate returns a token; verify with that token, within ${tokenLifetimes()}, returns the policy. Values in <angle brackets> come from the \`data\` of an earlier response.

${families.join('\n\n')}`.trim();
}

/** A day that every purchase may start on. */
const EXAMPLE_DAY = '2026-02-01';

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
      isReference(value) ? `<${value.$at}>` : value,
    ]),
  );

/** The envelope, and everything that calls are refused for. */
function responses({ operations }: ServedFamilies): string {
  const refusals = refusalsOf(operations);
  const rows = [...refusals.values()].map(({ status, summary }) =>
    printable(`- ${status}: ${summary}`),
  );
  return `
## Responses

A success has \`success: true\`, a message and \`data\`. The message is in \`message\` or \`response_message\`, depending on the operation. A refusal lists every problem in \`data.error\`.

\`${quoted(refusals.get('token_expired')?.value)}\`

${[...new Set(rows)].join('\n')}

The header \`Sandbox-Hint\` names a probable mistake: an unknown path, a key without \`Bearer\`, request fields that were ignored.`.trim();
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

const time = (): string =>
  `
## Move the clock

Never wait for time to pass: move the clock of your key.

- Expire a token: \`POST /_sandbox/clock/advance\`
  \`{"by":"${minutesDuration(LONGEST_LIFETIME)}"}\`
- Let a month pass: \`POST /_sandbox/clock/advance\`
  \`{"by":"P1M"}\`
- Stop the clock: \`PUT /_sandbox/clock\`
  \`{"mode":"frozen"}\`
- Start over, with fresh records, clock and faults: \`POST /_sandbox/reset\`
  \`{}\``.trim();

function faults({ breaksConnections, families }: Described): string {
  const kinds = FaultEffect.options
    .map(({ shape }) => shape.kind.value)
    .filter((kind) => breaksConnections || (kind !== 'drop' && kind !== 'truncate'));
  const lost = breaksConnections ? 'drop' : 'malformed';
  const rule = {
    match: { operation: verify?.operationId },
    stage: 'before',
    effect: { kind: 'respond', status: 503 },
  };
  return `
## Make calls fail

To lose a response, send the header \`Sandbox-Fault: after; ${lost}\` with a verify: the policy is bought, and your code must find out. A second verify returns ${secondVerify(families.settings)}; the list has the policy. With \`before\` the call fails before it does anything. The effects are ${kinds.map((kind) => `\`${kind}\``).join(', ')}.

- Fail the next call of an operation: \`POST /_sandbox/faults\`
  \`${JSON.stringify(rule)}\`
- See your calls, newest first, and why they were refused: \`GET /_sandbox/journal\`
- Run your program once for every call and every failure: \`npx micro-insurance-sandbox chaos -- COMMAND\`. It takes \`SANDBOX_URL\` and \`SANDBOX_KEY\` from its environment, or creates its own sandbox in Node.`.trim();
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
      : 'To give each test its own, create a merchant per test with `POST /_sandbox/merchants`, or start the sandbox with `--auto-merchants` and make up keys.'
  } Created with a body such as \`{"records":{"${anyFamilies[0]?.key}":40}}\`, a merchant starts with policies.

In JavaScript and TypeScript tests, a sandbox needs no server. The package \`micro-insurance-sandbox\` exports \`createSandbox\`, and a merchant has methods for its calls, clock, faults and journal:

\`\`\`ts
const merchant = createSandbox().createMerchant();
const policy = await merchant.buy('${anyFamilies[0]?.key}'); // initiate and verify
const { status, body } = await merchant.call('${anyFamilies[0]?.initiateOperation}', fields);
merchant.clock.advance('${minutesDuration(LONGEST_LIFETIME)}');
\`\`\``.trim();

const documents = ({ address }: Described): string =>
  `
## Documents

- OpenAPI 3.1: ${address}/openapi.json
- OpenAPI 3.0: ${address}/openapi-3.0.json
- Control plane: ${address}/_sandbox/openapi.json
- Assumptions, where the specification is silent: ${address}/docs/assumptions
- Inspector, for people: ${address}/_sandbox
- Tools for agents, over MCP: \`npx micro-insurance-sandbox mcp --url ${address}\`
`.trim();
