import control from '../../openapi/control-plane.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import { documentedControlApp } from '../control/app.ts';
import type { Settings } from '../world/settings.ts';
import { CONTACT, changedSettings, LICENSE, publish, SERVERS, SORTED } from './document.ts';
import { createMerchantDocument, type Edition } from './merchant.ts';
import { normalizeSchema } from './schemas.ts';

/** The document of the control plane, made of its routes. */
export function createControlDocument(version: string): object {
  const app = documentedControlApp();
  app.openAPIRegistry.registerComponent('securitySchemes', 'merchantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a merchant.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'adminToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'The token the sandbox was started with, if it was.',
  });
  const head = {
    openapi: '3.1.0',
    info: {
      title: 'Micro-insurance sandbox control plane',
      version,
      summary: 'Move time, break calls, look at what was asked, start again.',
      description: DESCRIPTION,
      contact: CONTACT,
      license: LICENSE,
    },
    servers: SERVERS,
    tags: [
      { name: 'World', description: 'The World of the merchant whose key is sent.' },
      { name: 'Sandbox', description: 'All merchants of the sandbox.' },
    ],
  };
  return publish(app.getOpenAPI31Document(head, SORTED), normalizeSchema);
}

const DESCRIPTION = `
Calls over one World carry the API key of its merchant. Calls over the sandbox carry the admin token if
the sandbox was started with one; without one they are answered to this machine only. Moments and
durations are ISO 8601 texts. A call that is refused has changed nothing and answers a problem document.
Control calls are in no journal, and no fault touches them.
`.trim();

/*
 * The published documents, written when the project is built. The app imports this module when somebody asks for
 * one, so that a sandbox that serves no document does not load them.
 */

export const merchantDocument: object = merchant;
export const merchantDocument30: object = merchant30;
export const controlDocument: object = control;

/** The documents of sandboxes with a profile. */
const profiled = new WeakMap<Settings, Map<Edition, object>>();

/** The document of the merchant API under these settings: the published one, or one that says what a profile changes. */
export function servedDocument(edition: Edition, version: string, settings: Settings): object {
  if (changedSettings(settings).size === 0) {
    return edition === '3.0' ? merchantDocument30 : merchantDocument;
  }
  const editions = profiled.get(settings) ?? new Map<Edition, object>();
  const document = editions.get(edition) ?? createMerchantDocument(edition, version, settings);
  profiled.set(settings, editions.set(edition, document));
  return document;
}
