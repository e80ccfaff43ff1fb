/* The published OpenAPI documents, and those of sandboxes with a profile. Loaded on the first request for a document. */

import control from '../../openapi/control-plane.json' with { type: 'json' };
import control30 from '../../openapi/control-plane-3.0.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import type { ServedFamilies } from '../products/index.ts';
import { changedSettings, type Edition } from './document.ts';
import { createMerchantDocument } from './merchant.ts';

export const merchantDocument: object = merchant;
export const merchantDocument30: object = merchant30;
export const controlDocument: object = control;
export const controlDocument30: object = control30;

/** The documents of sandboxes with a profile. */
const profiled = new WeakMap<ServedFamilies, Map<Edition, object>>();

/** The document of the merchant API of these families: the published one, or that of a profile. */
export function servedDocument(
  edition: Edition,
  version: string,
  families: ServedFamilies,
): object {
  if (changedSettings(families.settings).size === 0) {
    return edition === '3.0' ? merchantDocument30 : merchantDocument;
  }
  const editions = profiled.get(families) ?? new Map<Edition, object>();
  const document = editions.get(edition) ?? createMerchantDocument(edition, version, families);
  profiled.set(families, editions.set(edition, document));
  return document;
}
