import { createControlDocument } from './control.ts';
import { createMerchantDocument } from './merchant.ts';

const print = (document: object) => `${JSON.stringify(document, null, 2)}\n`;

/** The published documents as they are committed: texts by file name. */
export const documentFiles = (version: string): Record<string, string> => ({
  'merchant-api.json': print(createMerchantDocument('3.1', version)),
  'merchant-api-3.0.json': print(createMerchantDocument('3.0', version)),
  'control-plane.json': print(createControlDocument(version)),
});
