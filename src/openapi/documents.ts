/* The OpenAPI documents, made from the routes. */

import { OpenAPIHono } from '@hono/zod-openapi';
import control from '../../openapi/control-plane.json' with { type: 'json' };
import merchant from '../../openapi/merchant-api.json' with { type: 'json' };
import merchant30 from '../../openapi/merchant-api-3.0.json' with { type: 'json' };
import { CONTROL_PATH } from '../control/access.ts';
import { controlRoutes } from '../control/route.ts';
import type { ServedFamilies } from '../products/index.ts';
import { changedSettings, type Edition, publish, writeDocument } from './document.ts';
import { createMerchantDocument } from './merchant.ts';
import {
  downgrade30,
  type JsonObject,
  keepNamed,
  normalizeSchema,
  type SchemaUse,
} from './schemas.ts';
import { shareFailures } from './shared-failures.ts';

/** Creates the OpenAPI document of the control plane from its routes. */
export function createControlDocument(edition: Edition, version: string): object {
  const app = new OpenAPIHono().basePath(CONTROL_PATH);
  for (const route of controlRoutes()) app.openAPIRegistry.registerPath(route);
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
  const written = writeDocument(app, edition, {
    title: 'Micro-insurance sandbox control plane',
    version,
    summary: SUMMARY,
    description: DESCRIPTION,
    tags: [
      {
        name: 'World',
        description: "Operations on one World. The merchant's API key selects it.",
      },
      { name: 'Sandbox', description: 'Admin operations on the whole sandbox.' },
    ],
  });
  const edit30 = (schema: JsonObject, place: SchemaUse) =>
    downgrade30(normalizeSchema(schema), place, keepNamed);
  return shareFailures(publish(written, edition === '3.0' ? edit30 : normalizeSchema));
}

const SUMMARY = 'Move the clock, inject faults, read the journal, reset and snapshot Worlds.';

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

let control30: object | undefined;

/** The document of the control plane for OpenAPI 3.0. Few ask for it, so that no build carries it. */
export function controlDocument30(version: string): object {
  control30 ??= createControlDocument('3.0', version);
  return control30;
}

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
