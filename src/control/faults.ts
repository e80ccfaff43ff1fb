/* The faults of a World: lists, adds and removes them. */

import { z } from '@hono/zod-openapi';
import type * as wire from '../types/control-wire.ts';
import { changeWorld } from '../world/activity.ts';
import { FAULT_KINDS, FAULT_STAGES, FaultEffect } from '../world/fault-kinds.ts';
import { MAX_FAULT_RULES, noEffectReason, tooLongReason } from '../world/faults.ts';
import { grouped } from '../world/grouped.ts';
import { recordOf } from '../world/input-object.ts';
import { truncate } from '../world/problem-texts.ts';
import { nextId } from '../world/tables.ts';
import { nowOf, type WorldCore } from '../world/world.ts';
import { shownRule, type WorldHappening } from '../world/world-events.ts';
import { worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE, namedInput, namedOutput, operationName } from './fields.ts';
import { jsonOf } from './json.ts';
import type { MerchantStore } from './merchant-store.ts';

const EXAMPLE_FAULT = {
  match: { operation: EXAMPLE.verify, body: { token: EXAMPLE.token } },
  stage: 'after',
  effect: { kind: 'drop' },
};

const FaultMatch = namedInput(
  'FaultMatch',
  'Which calls the rule matches. Without fields it matches all.',
  () => ({
    operation: operationName().optional(),
    body: recordOf(z.string(), z.unknown())
      .describe('Fields and values that the request body must have, at any depth.')
      .optional(),
    query: recordOf(z.string(), z.string())
      .meta({
        description:
          'Parameters that the query must have, with their values as texts. Of a repeated parameter the last value counts.',
        examples: [{ page: '2' }],
      })
      .optional(),
  }),
  EXAMPLE_FAULT.match,
);

const probability = () => z.number().min(0).max(1);

const running = FAULT_KINDS.filter(({ before }) => before !== undefined)
  .map(({ name }) => `\`${name}\``)
  .join(' and ');

export const NewFault = namedInput(
  'NewFault',
  'A new fault rule.',
  () => ({
    match: FaultMatch().optional(),
    stage: z
      .enum(FAULT_STAGES)
      .describe(
        `\`before\`: the fault acts first, and the operation then runs only for ${running}. \`after\`: the operation runs, and the fault acts on its response.`,
      ),
    effect: FaultEffect(),
    skip: z
      .int()
      .min(0)
      .describe(
        'How many calls that reach the rule pass first. No random number is drawn for them. Default: 0.',
      )
      .optional(),
    times: z.int().min(1).describe('How many times the rule acts. Default: 1.').optional(),
    probability: probability()
      .describe(
        'Probability that the rule acts on a matching call, from 0 to 1, drawn from the random state of the World. Default: 1.',
      )
      .optional(),
  }),
  EXAMPLE_FAULT,
);

export const Fault = namedOutput(
  'FaultRule',
  'A fault rule that can still act.',
  () => ({
    id: z.string(),
    match: FaultMatch(),
    stage: z.enum(FAULT_STAGES),
    effect: FaultEffect(),
    skip: z.int().min(0).describe('How many calls that reach the rule still pass first.'),
    times: z.int().min(1).describe('How many times the rule can still act.'),
    probability: probability().describe(
      'Probability that the rule acts on a matching call, from 0 to 1.',
    ),
  }),
  { id: 'fault-1', ...EXAMPLE_FAULT, skip: 0, times: 1, probability: 1 },
);

/** The calls over the fault rules of a World. */
export const faultCalls = {
  'faults.list': worldCall({
    operationId: 'listFaults',
    summary: 'List the fault rules of a World',
    description:
      'Returns the rules in the order they are tried. A rule that has acted `times` times is gone.',
    route: 'GET /faults',
    output: Fault,
    list: 'FaultList',
    run: (_, { world }) => structuredClone([...world.faults.values()]),
  }),
  'faults.add': worldCall({
    operationId: 'addFault',
    summary: 'Add a fault rule',
    description:
      'The first rule that matches a call acts on it, once by default. The request header `Sandbox-Fault: after; drop` does the same for one request. While a World has a rule that ends connections, its responses carry `Connection: close`, so that no client sends a lost call again by itself. A World has at most 1,000 rules with 16,000,000 characters of JSON together.',
    route: 'POST /faults',
    body: NewFault,
    output: Fault,
    status: 201,
    argument: (fault) => jsonOf(fault),
    run({ body: { match = {}, effect, ...fault } }, merchant, store) {
      refuseEffect(store, merchant.world, { effect, ...fault });
      refuseMore(merchant.world, { match, effect });
      return changeWorld(store, merchant, (world) => {
        const added: wire.FaultRule = structuredClone({
          id: `fault-${nextId(world, 'fault')}`,
          match,
          stage: fault.stage,
          effect,
          skip: fault.skip ?? 0,
          times: fault.times ?? 1,
          probability: fault.probability ?? 1,
        });
        world.faults.put(added.id, added);
        const happened = [{ kind: 'fault_added', rule: shownRule(added) } as const];
        return { result: structuredClone(added), happened };
      });
    },
  }),
  'faults.clear': worldCall({
    operationId: 'clearFaults',
    summary: 'Remove all fault rules of a World',
    description: 'Faults that already act on a running call stay.',
    route: 'DELETE /faults',
    run: (_, merchant, store) =>
      changeWorld(store, merchant, ({ faults }) => ({
        result: undefined,
        happened: [...faults.values()].map((rule) => remove(faults, rule)),
      })),
  }),
  'faults.remove': worldCall({
    operationId: 'removeFault',
    summary: 'Remove a fault rule',
    description: 'A fault that already acts on a running call stays.',
    route: 'DELETE /faults/{id}',
    params: () =>
      z.object({
        id: z.string().meta({ description: 'The id of a fault rule.', examples: ['fault-1'] }),
      }),
    refusals: [404],
    run: ({ params: { id } }, merchant, store) =>
      changeWorld(store, merchant, ({ faults }) => {
        const rule = faults.get(id);
        if (!rule) throw new ControlError(404, `No fault rule has the id ${truncate(id)}.`);
        return { result: undefined, happened: [remove(faults, rule)] };
      }),
  }),
};

/** The size limit of the rules of a World together, in characters of JSON. */
const MAX_FAULTS_LENGTH = 16_000_000;

/** Throws 422 if a World has no room for one more rule. A list of them is one answer. */
function refuseMore({ faults }: WorldCore, added: Pick<wire.FaultRule, 'match' | 'effect'>): void {
  const rules = [...faults.values(), added];
  const isFull = rules.length > MAX_FAULT_RULES;
  if (!isFull && JSON.stringify(rules).length <= MAX_FAULTS_LENGTH) return;
  const most = isFull
    ? `${grouped(MAX_FAULT_RULES)} fault rules`
    : `${grouped(MAX_FAULTS_LENGTH)} characters of fault rules`;
  throw new ControlError(422, `A World can have at most ${most}. Remove rules first.`);
}

/** Throws 422 if an effect does nothing at its stage, or lasts longer than the clock. */
export function refuseEffect(
  { breaksConnections }: Pick<MerchantStore, 'breaksConnections'>,
  world: WorldCore,
  fault: Pick<wire.NewFault, 'stage' | 'effect'>,
): void {
  const refusalReason = noEffectReason(fault, breaksConnections);
  if (refusalReason !== undefined) throw new ControlError(422, `effect.kind: ${refusalReason}`);
  const tooLong = tooLongReason(fault.effect, nowOf(world));
  if (tooLong !== undefined) throw new ControlError(422, `effect.${tooLong}`);
}

function remove(faults: WorldCore['faults'], rule: wire.FaultRule): WorldHappening {
  faults.delete(rule.id);
  return { kind: 'fault_removed', rule: shownRule(rule) };
}
