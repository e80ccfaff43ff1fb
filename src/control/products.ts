/* The catalogue of a World: its products and their prices. */

import { z } from '@hono/zod-openapi';
import { catalogueOf, type PriceList } from '../products/catalogue.ts';
import { families } from '../products/index.ts';
import { anyFamilies, type World } from '../products/world.ts';
import type * as wire from '../types/control-wire.ts';
import { worldCall } from './call.ts';
import { EXAMPLE, namedOutput } from './fields.ts';

/** What each family says of the prices of its products. A product has the fields of its own family. */
const priceFields = () =>
  Object.assign(
    {},
    ...families.map((family) => z.object(family.priceFields()).partial().shape),
  ) as Partial<z.ZodRawShape>;

const Product = namedOutput(
  'Product',
  'A product of the catalogue of a World, with its prices.',
  () => ({
    id: z.int(),
    family: z.enum(families.map(({ key }) => key)).describe('The product family.'),
    name: z.string(),
    enabled: z.boolean().describe('Whether it can be bought.'),
    ...priceFields(),
  }),
  {
    id: 2,
    family: EXAMPLE.familyKey,
    name: 'Example Plan',
    enabled: true,
  },
);

/** The call that lists the catalogue of a World. */
export const productCalls = {
  products: worldCall({
    operationId: 'listProducts',
    summary: 'List the products of a World',
    description:
      'Returns the catalogue of the World, ordered by id: what can be bought, and what it costs. Adds no journal entry.',
    route: 'GET /products',
    output: Product,
    list: 'ProductList',
    run: (_, { world }) => listProducts(world),
  }),
};

/** The products of a price list, as a World with it lists them. */
export const productsOf = ({ products, prices }: PriceList): wire.Product[] =>
  listProducts({ ...catalogueOf(products), ...prices } as object as World);

/** The catalogue of a World, ordered by id. */
const listProducts = (world: World): wire.Product[] =>
  [...world.products.values()]
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, family: key, name, enable: enabled }) => {
      const family = anyFamilies.find((each) => each.key === key);
      return {
        id,
        family: key,
        name,
        enabled,
        ...family?.pricesOf(world, id),
      } as wire.Product;
    });
