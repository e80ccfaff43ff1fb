/* The OpenAPI documents, made from the routes. */

import control from '../../openapi/control-plane.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import { createControlApp } from '../control/app.ts';
import type { ServedFamilies } from '../products/index.ts';
import { CONTACT, changedSettings, LICENSE, publish, SERVERS, SORTED } from './document.ts';
import { createMerchantDocument, type Edition } from './merchant.ts';
import { normalizeSchema } from './schemas.ts';
import { shareFailures } from './shared-failures.ts';

/** Creates the OpenAPI document of the control plane from its routes. */
export function createControlDocument(version: string): object {
  const app = createControlApp();
  app.openAPIRegistry.registerComponent('securitySchemes', 'merchantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of a merchant.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'adminToken', {
    type: 'http',
    scheme: 'bearer',
    description: 'The admin token, if the sandbox was started with one.',
  });
  const head = {
    openapi: '3.1.0',
    info: {
      title: 'Micro-insurance sandbox control plane',
      version,
      summary: 'Move the clock, inject faults, read the journal, reset and snapshot Worlds.',
      description: DESCRIPTION,
      contact: CONTACT,
      license: LICENSE,
    },
    servers: SERVERS,
    tags: [
      {
        name: 'World',
        description: "Operations on one World. The merchant's API key selects it.",
      },
      { name: 'Sandbox', description: 'Admin operations on the whole sandbox.' },
    ],
  };
  return shareFailures(publish(app.getOpenAPI31Document(head, SORTED), normalizeSchema));
}

const DESCRIPTION = `
World operations require the API key of a merchant. Sandbox operations require the admin token if the sandbox was
started with one; without it they work from this machine only. Moments and durations are ISO 8601 texts. A refused
request changes nothing and returns a problem document. Control-plane calls are not in the journal, and faults do not
affect them.
`.trim();

/* The published documents, written by the build. The app imports this module on the first request for a document. */

export const merchantDocument: object = merchant;
export const merchantDocument30: object = merchant30;
export const controlDocument: object = control;

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
