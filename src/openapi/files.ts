import { anyFamilies } from '../products/world.ts';
import { createControlDocument } from './control.ts';
import type { Document } from './document.ts';
import { createMerchantDocument } from './merchant.ts';
import { wireTypes } from './wire-types.ts';

const print = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** What is made of the routes and committed: the published documents, and the types of the merchant API. */
export function generatedFiles(version: string): Record<string, string> {
  const merchant = createMerchantDocument('3.1', version);
  return {
    'openapi/merchant-api.json': print(merchant),
    'openapi/merchant-api-3.0.json': print(createMerchantDocument('3.0', version)),
    'openapi/control-plane.json': print(createControlDocument(version)),
    'src/wire.ts': wireTypes(
      merchant as Document,
      anyFamilies.map(({ key }) => key),
    ),
  };
}
