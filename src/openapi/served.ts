import type { Settings } from '../world/settings.ts';
import { changedSettings } from './ledger.ts';
import type { Edition } from './merchant.ts';

/** Documents that were made for settings other than the published ones. */
const made = new WeakMap<Settings, Map<Edition, object>>();

/**
 * The document of the merchant API as a sandbox with these settings serves it: the published one, or where a
 * profile decides otherwise one that says so, made when it is first asked for.
 */
export async function servedDocument(
  edition: Edition,
  version: string,
  settings: Settings,
): Promise<object> {
  if (changedSettings(settings).size === 0) {
    const { merchantDocument, merchantDocument30 } = await import('./documents.ts');
    return edition === '3.0' ? merchantDocument30 : merchantDocument;
  }
  const { createMerchantDocument } = await import('./merchant.ts');
  const editions = made.get(settings) ?? new Map<Edition, object>();
  const document = editions.get(edition) ?? createMerchantDocument(edition, version, settings);
  made.set(settings, editions.set(edition, document));
  return document;
}
