/* The tools: the input of each, the control calls it makes, and what it says to the agent. */

import { z } from '@hono/zod-openapi';
import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { Advance, ClockChange } from '../../control/clock.ts';
import { NewFault } from '../../control/faults.ts';
import { EXAMPLE } from '../../control/fields.ts';
import { JOURNAL_QUERY } from '../../control/journal.ts';
import { Expectation } from '../../control/journal-wait.ts';
import { NewMerchant } from '../../control/merchants.ts';
import { RecordQuery } from '../../control/records.ts';
import { Rewind } from '../../control/rewind.ts';
import { Reset } from '../../control/snapshot.ts';
import { anyFamilies } from '../../products/world.ts';
import type {
  AdvancedClock,
  AssumptionCount,
  ClockState,
  Family,
  FaultRule,
} from '../../types/public.ts';
import { describeFault } from '../../world/faults.ts';
import { counted } from '../../world/grouped.ts';
import { inputObject } from '../../world/input-object.ts';
import { TOKEN_MINUTES } from '../../world/limits.ts';
import { printable, quoted } from '../../world/printable.ts';
import { didYouMean, truncate } from '../../world/problem-texts.ts';
import { type Caller, Refused } from './host.ts';
import { callsText, purchaseText, recordText } from './texts.ts';

/** A tool: its input, and what it says to the agent. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** What it does, and when to use it. */
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  /** Throws `Refused`. */
  run(input: z.output<Input>, caller: Caller): Promise<string>;
}

/* What a tool does to a World. */

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const ADDS: ToolAnnotations = { ...READS, readOnlyHint: false, idempotentHint: false };
const DESTROYS: ToolAnnotations = { ...ADDS, destructiveHint: true };

const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool as unknown as Tool;

const key = z
  .string()
  .meta({
    description: 'The API key of a merchant. Default: the merchant of this connection.',
  })
  .optional();

/** Calls that `list_calls` looks at, and shows unless told otherwise. */
const MAX_CALLS = 500;
const SHOWN_CALLS = 10;

/** What happened when the clock moved. */
const effectText = (effect: AdvancedClock['effects'][number]): string =>
  printable(
    effect.kind === 'purchase_expired'
      ? `The token ${effect.token} of ${effect.operation} expired at ${effect.at}.`
      : `The cover of ${effect.family} policy ${effect.policy_number} ended at ${effect.at}.`,
  );

const clockText = ({ now, mode }: { readonly now: string; readonly mode: string }): string =>
  printable(`The clock shows ${now} (${mode}).`);

/** What a fault rule does, and to which calls. */
function ruleText({ id, match, stage, effect, skip, times, probability }: FaultRule): string {
  const calls = times === 1 ? 'call' : `${times} calls`;
  const body = match.body ? ` with ${quoted(match.body)}` : '';
  const query = match.query ? ` with the query ${quoted(match.query)}` : '';
  const passing = skip === 1 ? '1 call that passes' : `${skip} calls that pass`;
  const after = skip === 0 ? '' : `, after ${passing}`;
  const often = probability < 1 ? `, with probability ${probability}` : '';
  return printable(
    `${id}: "${describeFault({ stage, effect })}" acts on the next ${calls} of ${match.operation ?? 'any operation'}${body}${query}${after}${often}.`,
  );
}

export const TOOLS: readonly Tool[] = [
  defineTool({
    name: 'create_merchant',
    title: 'Create a merchant',
    description:
      'Creates a merchant with a key and a World of its own: records, clock, faults and calls. Use it to give each test or experiment a clean start, or one with policies. Other tools act on it when given its key.',
    input: NewMerchant(),
    annotations: ADDS,
    async run(input, caller) {
      const { id, name, api_key, clock } = await caller.overSandbox('POST /_sandbox/merchants', {
        body: input,
      });
      const key = printable(api_key);
      return `Merchant ${id}, ${quoted(name)}, has the key ${key}. ${clockText(clock)} Send its key as "Authorization: Bearer ${key}", or as \`key\` of other tools.`;
    },
  }),
  defineTool({
    name: 'list_calls',
    title: 'List calls',
    description:
      'Lists the calls that a program made, with refused and failed calls first: the status, each reason of a refusal, what it sent, what came back, what it changed, hints and assumptions. Use it first when a call did not do what you expected.',
    input: inputObject({
      ...JOURNAL_QUERY(),
      limit: z
        .int()
        .min(1)
        .max(MAX_CALLS)
        .meta({ description: `The highest number of calls to list. Default: ${SHOWN_CALLS}.` })
        .optional(),
      bodies: z
        .boolean()
        .meta({ description: 'Whether to show whole request and response bodies. Default: false.' })
        .optional(),
      key,
    }),
    annotations: READS,
    async run({ key, bodies = false, limit = SHOWN_CALLS, ...filters }, caller) {
      const query = { ...filters, limit: MAX_CALLS };
      const { data } = await caller.overWorld(key, 'GET /_sandbox/journal', {
        query,
      });
      const calls = data.filter((item) => 'request' in item);
      return callsText(calls, { limit, bodies });
    },
  }),
  defineTool({
    name: 'await_calls',
    title: 'Wait for calls',
    description:
      'Waits until a program has made the calls you expect; earlier calls count too. Use it after you start something that calls the sandbox in the background. If the calls do not come, it says what the nearest call was refused for.',
    input: inputObject({ ...Expectation().shape, key }),
    annotations: READS,
    async run({ key, ...body }, caller) {
      const { data } = await caller.overWorld(key, 'POST /_sandbox/journal/await', {
        body,
      });
      return callsText(data, { limit: SHOWN_CALLS, bodies: false });
    },
  }),
  defineTool({
    name: 'advance_clock',
    title: 'Move the clock forward, freeze it or let it run',
    description: `Moves the clock of a World forward, by a duration such as ${EXAMPLE.lifetime} or P1M, or to a time; with a mode it also freezes the clock or lets it run. Use it instead of waiting: to let a token expire after ${TOKEN_MINUTES} minutes, or a policy end.`,
    input: inputObject({ ...Advance().shape, mode: ClockChange().shape.mode, key }),
    annotations: ADDS,
    async run({ key, mode, ...body }, caller) {
      const setMode = (to: ClockState['mode']) =>
        caller.overWorld(key, 'PUT /_sandbox/clock', { body: { mode: to } });
      if (mode !== undefined && body.by === undefined && body.to === undefined) {
        return clockText(await setMode(mode));
      }
      const before = mode && (await caller.overWorld(key, 'GET /_sandbox/clock')).mode;
      // Frozen first, so that no time passes after the move.
      if (mode === 'frozen') await setMode(mode);
      const moved = await caller
        .overWorld(key, 'POST /_sandbox/clock/advance', { body })
        .catch(async (error) => {
          if (before && before !== mode) await setMode(before);
          throw error;
        });
      const clock = mode === 'running' ? await setMode(mode) : moved;
      const rest = moved.more > 0 ? [`… ${moved.more} more`] : [];
      return [clockText(clock), ...moved.effects.map(effectText), ...rest].join('\n');
    },
  }),
  defineTool({
    name: 'add_fault',
    title: 'Make calls fail',
    description:
      'Makes the next matching call fail. Use it to see what your code does when the service is down or a response is lost: stage "after" with effect {"kind":"drop"} does the work and loses the response. Stage "before" with effect {"kind":"advance"} lets time pass first, so that a token expires.',
    input: inputObject({ ...NewFault().shape, key }),
    annotations: ADDS,
    async run({ key, ...body }, caller) {
      const added = await caller.overWorld(key, 'POST /_sandbox/faults', {
        body,
      });
      return ruleText(added);
    },
  }),
  defineTool({
    name: 'clear_faults',
    title: 'Remove all fault rules',
    description:
      'Removes every fault rule of a World, and lists them. Use it when calls should work again. The records, the clock and the calls stay.',
    input: inputObject({ key }),
    annotations: { ...DESTROYS, idempotentHint: true },
    async run({ key }, caller) {
      const { data } = await caller.overWorld(key, 'GET /_sandbox/faults');
      await caller.overWorld(key, 'DELETE /_sandbox/faults');
      if (data.length === 0) return 'There were no fault rules.';
      return ['Removed:', ...data.map(ruleText)].join('\n');
    },
  }),
  defineTool({
    name: 'list_records',
    title: 'List policies and pending purchases',
    description:
      'Lists the policies of a product family, newest first, and its purchases that were initiated and not yet verified, without making a call that counts. Use it to see what was really bought, for example after a response was lost.',
    input: inputObject({
      ...RecordQuery().shape,
      full: z
        .boolean()
        .meta({ description: 'Whether to show all fields, as JSON. Default: false.' })
        .optional(),
      key,
    }),
    annotations: READS,
    async run({ key, full = false, family, ...filters }, caller) {
      const query = { ...filters, family: family as Family };
      const { data, total, page, last_page } = await caller.overWorld(
        key,
        'GET /_sandbox/records',
        { query },
      );
      const { data: purchases } = await caller.overWorld(key, 'GET /_sandbox/purchases');
      const initiate = anyFamilies.find((each) => each.key === family)?.initiateOperation;
      const pending = purchases.filter(({ operation }) => operation === initiate);
      return [
        `${counted(total, 'policy', 'policies')}, page ${page} of ${last_page}.`,
        ...data.map((record) => recordText(record, full)),
        ...(pending.length > 0 ? [`${counted(pending.length, 'pending purchase')}:`] : []),
        ...pending.map((purchase) => purchaseText(purchase, full)),
      ].join('\n');
    },
  }),
  defineTool({
    name: 'rewind',
    title: 'Rewind a World',
    description:
      'Takes a World back to the moment before a call: records, purchases, tokens, faults, calls and the time. Use it to send a refused or lost call again, mended, as if it had never been made. It cannot be undone.',
    input: inputObject({ ...Rewind().shape, key }),
    annotations: DESTROYS,
    async run({ key, ...body }, caller) {
      const clock = await caller.overWorld(key, 'POST /_sandbox/rewind', { body });
      return `The World is as it was before ${printable(body.to)}. ${clockText(clock)}`;
    },
  }),
  defineTool({
    name: 'reset',
    title: 'Reset a World',
    description:
      'Puts a World back to its start: records, clock, faults and calls. With records it starts with those instead. Use it before you repeat an experiment. It cannot be undone.',
    input: inputObject({ ...Reset().shape, key }),
    annotations: { ...DESTROYS, idempotentHint: true },
    async run({ key, ...body }, caller) {
      const { name, clock } = await caller.overWorld(key, 'POST /_sandbox/reset', { body });
      return `The World of ${quoted(name)} is as at its start. ${clockText(clock)}`;
    },
  }),
  defineTool({
    name: 'explain_assumption',
    title: 'Explain an assumption',
    description:
      'Explains an assumption by its id: the question that the specification leaves open, what this sandbox does, and what a profile can change. Use it for the ids in the header Sandbox-Assumptions, in x-assumptions and in list_calls.',
    input: inputObject({
      id: z.string().meta({
        description: 'The id of an assumption.',
        examples: ['token-boundary'],
      }),
      key,
    }),
    annotations: READS,
    async run({ id, key }, caller) {
      const { data } = await caller.overWorld(key, 'GET /_sandbox/assumptions');
      const found = data.find((each) => each.id === id);
      if (found) return assumptionText(found);
      const ids = data.map((each) => each.id);
      throw new Refused(`No assumption has the id ${truncate(id)}${didYouMean(id, ids)}`);
    },
  }),
];

/** An assumption with what a profile can set. */
function assumptionText({ question, decision, basis, count, ...option }: AssumptionCount): string {
  const lines = [
    question,
    decision,
    `Basis: ${basis}. ${count} responses of this World rest on it.`,
  ];
  if ('setting' in option) {
    lines.push(
      `Set to ${quoted(option.setting)}; a profile can set ${quoted(option.alternatives)}.`,
    );
  }
  return lines.map(printable).join('\n');
}
