import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { listed, streamed } from '../core/json-pieces.ts';
import { MAX_PER_PAGE } from '../http/pagination.ts';
import { anyFamilies, stateOf, type World } from '../products/world.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { EXAMPLE } from './examples.ts';
import { problems } from './problems.ts';
import { inputObject, readNumbers } from './request.ts';
import { done, streamJson } from './responses.ts';

const PER_PAGE = 15;

const whole = (description: string) => z.int().min(1).meta({ description });

/** Which policies are asked for. */
export const RecordQuery = inputObject({
  family: z
    .enum(anyFamilies.map(({ key }) => key))
    .meta({ description: 'The product family.', examples: [EXAMPLE.familyKey] }),
  policy_number: z
    .string()
    .meta({ description: 'Only policies whose number contains this.' })
    .optional(),
  page: whole('Page to answer; 1 unless given.').optional(),
  per_page: whole(`Policies on a page; ${PER_PAGE} unless given.`).max(MAX_PER_PAGE).optional(),
});
export type RecordQuery = z.output<typeof RecordQuery>;

export const RecordPage = z
  .strictObject({
    data: z
      .array(z.record(z.string(), z.unknown()))
      .meta({ description: 'The policies on the page, newest first.' }),
    page: whole('The page asked for.'),
    per_page: whole('How many policies a page holds at most.'),
    last_page: whole('How many pages there are; 1 where there is no policy.'),
    total: z.int().min(0).meta({ description: 'How many policies there are on all pages.' }),
  })
  .openapi('RecordPage')
  .meta({
    description: 'Some policies of one family.',
    examples: [{ data: [EXAMPLE.policy], page: 1, per_page: 15, last_page: 1, total: 1 }],
  });
export type RecordPage = z.output<typeof RecordPage>;

/** The policies of a World, to look at. */
export const records = () =>
  new OpenAPIHono<ControlEnv>().openapi(
    createRoute({
      operationId: 'listRecords',
      summary: 'Look at the policies of a World, newest first',
      description:
        'Each as the fullest answer of the merchant API shows it: as in the details of a policy, or where there are none as in the list. Looking is no call of the merchant: it is in no journal and counts for nothing.',
      method: 'get',
      path: '/records',
      ...overWorld(readNumbers('page', 'per_page')),
      request: { query: RecordQuery },
      responses: { 200: done(RecordPage), ...problems(401, 422) },
    }),
    (c) => {
      const { data, ...page } = pageOf(c.var.merchant.world, c.req.valid('query'));
      return streamJson<RecordPage>(streamed({ data: listed(data), ...page }));
    },
  );

/** One page of the policies of a family, newest first. */
export function listRecords(world: World, query: RecordQuery): RecordPage {
  const { data, ...page } = pageOf(world, query);
  return { data: [...data()], ...page };
}

/** The same with elements that are made while they are gone through: a policy may have thousands of members. */
function pageOf(world: World, query: RecordQuery) {
  const { family: key, policy_number: part, page = 1, per_page = PER_PAGE } = query;
  const family = anyFamilies.find((each) => each.key === key) as (typeof anyFamilies)[number];
  const { list, positions } = family.policiesOf(stateOf(world, family));
  const chosen = part === undefined ? list : numbered(list, positions, part);
  const end = Math.max(0, chosen.length - (page - 1) * per_page);
  const policies = chosen.slice(Math.max(0, end - per_page), end).reverse();
  function* data() {
    for (const policy of policies) {
      yield family.presentPolicy(world, policy) as RecordPage['data'][number];
    }
  }
  const last_page = Math.max(1, Math.ceil(chosen.length / per_page));
  return { data, page, per_page, last_page, total: chosen.length };
}

/** The records whose number contains a text, oldest first, as they are kept. */
function numbered<R>(
  list: readonly R[],
  positions: ReadonlyMap<string, number>,
  part: string,
): readonly R[] {
  const found: R[] = [];
  for (const [number, position] of positions) {
    if (number.includes(part)) found.push(list[position] as R);
  }
  return found;
}
