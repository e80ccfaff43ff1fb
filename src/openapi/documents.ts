import control from '../../openapi/control-plane.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import type { Settings } from '../world/settings.ts';
import { changedSettings } from './changed-settings.ts';
import { createMerchantDocument, type Edition } from './merchant.ts';

/*
 * The published documents, written when the project is built. The app imports this module when somebody asks for
 * one, so that a sandbox that serves no document does not load them.
 */

export const merchantDocument: object = merchant;
export const merchantDocument30: object = merchant30;
export const controlDocument: object = control;

/** The documents of sandboxes with a profile. */
const profiled = new WeakMap<Settings, Map<Edition, object>>();

/**
 * The document of the merchant API as a sandbox with these settings serves it: the published one, or under a profile
 * one that says what the profile changes.
 */
export function servedDocument(edition: Edition, version: string, settings: Settings): object {
  if (changedSettings(settings).size === 0) {
    return edition === '3.0' ? merchantDocument30 : merchantDocument;
  }
  const editions = profiled.get(settings) ?? new Map<Edition, object>();
  const document = editions.get(edition) ?? createMerchantDocument(edition, version, settings);
  profiled.set(settings, editions.set(edition, document));
  return document;
}
