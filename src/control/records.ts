/* The records of a World: its policies by page, and its pending purchases. */

import { z } from '@hono/zod-openapi';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies, settledNow, stateOf } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { momentText } from '../world/clock.ts';
import { inputObject } from '../world/input-object.ts';
import { MAX_PAGE_SIZE, PAGE_SIZE, TOKEN_MINUTES } from '../world/limits.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { TOKEN_LIFETIME_MS } from '../world/tokens.ts';
import { worldCall } from './call.ts';
import {
  EXAMPLE,
  familyKey,
  initiateName,
  namedOutput,
  purchaseToken,
  shownMoment,
} from './fields.ts';

export const PendingPurchase = namedOutput(
  'PendingPurchase',
  'A purchase that was initiated and not yet verified.',
  () => ({
    operation: initiateName(),
    token: purchaseToken(),
    product_id: z.int().describe('The product that is bought.'),
    holder: z.string().describe('Who it is for: a name that policies have too.'),
    premium: z
      .number()
      .nullable()
      .describe('The premium in naira. Null for a product without prices.'),
    initiated_at: shownMoment('When it was initiated.'),
    expires_at: shownMoment(`When it expires: ${TOKEN_MINUTES} minutes after \`initiated_at\`.`),
  }),
  {
    operation: EXAMPLE.initiate,
    token: EXAMPLE.token,
    product_id: EXAMPLE.policy.product_id,
    holder: 'Balogun Traders',
    premium: null,
    initiated_at: EXAMPLE.now,
    expires_at: EXAMPLE.later,
  },
);

/** The call that lists the pending purchases of a World. */
export const purchaseCalls = {
  purchases: worldCall({
    operationId: 'listPurchases',
    summary: 'List the pending purchases of a World',
    description: 'Those that expire soonest come first. Adds no journal entry.',
    route: 'GET /purchases',
    output: PendingPurchase,
    list: 'PendingPurchaseList',
    run(_, { world }) {
      settledNow(world);
      const purchases = anyFamilies.flatMap((family) => {
        const { pending } = stateOf(world, family).tokens;
        return [...pending.entries()].map(([token, purchase]) => ({ family, token, ...purchase }));
      });
      return purchases
        .toSorted((a, b) => a.initiated_at - b.initiated_at)
        .map(({ family, token, initiated_at, details }) => ({
          operation: family.initiateOperation,
          token,
          product_id: details.product_id,
          holder: family.tellingFields.who.map((field) => Reflect.get(details, field)).join(' '),
          premium: family.pendingPremium(world, details),
          initiated_at: momentText(initiated_at),
          expires_at: momentText(initiated_at + TOKEN_LIFETIME_MS),
        }));
    },
  }),
};

const whole = (description: string) => z.int().min(1).meta({ description });

export const RecordQuery = onFirstUse(() =>
  inputObject({
    family: familyKey(),
    policy_number: z
      .string()
      .describe('Returns only policies whose number contains this text.')
      .optional(),
    search: z
      .string()
      .describe(
        'Returns only policies whose number or whose holder contains this text, in any case.',
      )
      .optional(),
    page: whole('The page to return. Default: 1.').optional(),
    per_page: whole(`Policies per page. Default: ${PAGE_SIZE}.`).max(MAX_PAGE_SIZE).optional(),
  }),
);

export const RecordPage = namedOutput(
  'RecordPage',
  'A page of policies of one family.',
  () => ({
    data: z
      .array(z.record(z.string(), z.unknown()))
      .describe(
        'The policies of the page, newest first, each with all fields that the merchant API returns for it.',
      ),
    page: whole('The requested page.'),
    per_page: whole('The highest number of policies on a page.'),
    last_page: whole('The number of pages; 1 if there are no policies.'),
    total: z.int().min(0).describe('The number of policies on all pages.'),
  }),
  { data: [EXAMPLE.policy], page: 1, per_page: PAGE_SIZE, last_page: 1, total: 1 },
);

/** The call that lists the policies of a World. */
export const recordCalls = {
  records: worldCall({
    operationId: 'listRecords',
    summary: 'List the policies of a World',
    description:
      'Returns policies of one family, newest first. Each has the fields of the details response of its family or, if the family has none, of its list. Adds no journal entry.',
    route: 'GET /records',
    query: RecordQuery,
    output: RecordPage,
    run({ query }, { world }): wire.RecordPageJson {
      const {
        family: key,
        policy_number: part = '',
        search = '',
        page = 1,
        per_page = PAGE_SIZE,
      } = query;
      const family = anyFamilies.find((each) => each.key === key) as ProductFamily;
      const { policies } = stateOf(world, family);
      const sought = search.toLowerCase();
      const isWanted = (policy: object) => {
        const number = policies.keyOf(policy);
        const texts = [number, family.holderOf(policy)];
        return number.includes(part) && texts.some((text) => text.toLowerCase().includes(sought));
      };
      const isAll = part === '' && search === '';
      const chosen = isAll ? policies.list : policies.list.filter(isWanted);
      const end = Math.max(0, chosen.length - (page - 1) * per_page);
      const shown = chosen.slice(Math.max(0, end - per_page), end).reverse();
      return {
        data: shown.map((policy) =>
          family.presentPolicy(world, policy),
        ) as wire.RecordPageJson['data'],
        page,
        per_page,
        last_page: Math.max(1, Math.ceil(chosen.length / per_page)),
        total: chosen.length,
      };
    },
  }),
};
