import groupLife from '../../schemas/group-life.schema.json' with { type: 'json' };
import merchants from '../../schemas/merchants.schema.json' with { type: 'json' };
import microHealth from '../../schemas/micro-health.schema.json' with { type: 'json' };
import motor from '../../schemas/motor.schema.json' with { type: 'json' };
import products from '../../schemas/products.schema.json' with { type: 'json' };

/** The published JSON Schemas of the fixture files, by file name. */
export const fixtureSchemas: Readonly<Record<string, object>> = {
  'merchants.schema.json': merchants,
  'products.schema.json': products,
  'micro-health.schema.json': microHealth,
  'motor.schema.json': motor,
  'group-life.schema.json': groupLife,
};
