import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { anyFamilies, settledNow, stateOf, type World } from '../products/world.ts';
import { TOKEN_LIFETIME_MS } from '../world/tokens.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { EXAMPLE, shownMoment } from './fields.ts';
import { doneList, streamList } from './json.ts';
import { problems } from './problems.ts';

export const PendingPurchase = z
  .strictObject({
    operation: z.string().meta({ description: 'The operation that initiated it.' }),
    token: z.string(),
    initiated_at: shownMoment('When it was initiated.'),
    expires_at: shownMoment('When its fifteen minutes are over.'),
  })
  .openapi('PendingPurchase')
  .meta({
    description: 'A purchase that was initiated and not yet verified.',
    examples: [
      {
        operation: EXAMPLE.initiate,
        token: EXAMPLE.token,
        initiated_at: EXAMPLE.now,
        expires_at: EXAMPLE.later,
      },
    ],
  });
export type PendingPurchase = z.output<typeof PendingPurchase>;

/** The purchases of a World that wait for their verify. */
export const purchases = () =>
  new OpenAPIHono<ControlEnv>().openapi(
    createRoute({
      operationId: 'listPurchases',
      summary: 'List the pending purchases of a World',
      description:
        'In the order they will expire. Looking is no call of the merchant: it is in no journal and counts for nothing.',
      method: 'get',
      path: '/purchases',
      ...overWorld(),
      responses: { 200: doneList('PendingPurchaseList', PendingPurchase), ...problems(401) },
    }),
    (c) => {
      const pending = listPurchases(c.var.merchant.world);
      return streamList<PendingPurchase>(() => pending);
    },
  );

/** The pending purchases of all families, the first to expire first. */
export function listPurchases(world: World): PendingPurchase[] {
  settledNow(world);
  return anyFamilies
    .flatMap((family) =>
      [...stateOf(world, family).tokens.pending.entries()].map(([token, { initiated_at }]) => ({
        operation: family.initiateOperation,
        token,
        initiated_at,
      })),
    )
    .toSorted((a, b) => a.initiated_at - b.initiated_at)
    .map(({ initiated_at: at, ...purchase }) => ({
      ...purchase,
      initiated_at: new Date(at).toISOString(),
      expires_at: new Date(at + TOKEN_LIFETIME_MS).toISOString(),
    }));
}
