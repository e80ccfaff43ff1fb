/* The document of the control plane, in its editions for OpenAPI 3.1 and 3.0. */

import { OpenAPIHono } from '@hono/zod-openapi';
import { CONTROL_PATH } from '../control/access.ts';
import { controlRoutes } from '../control/route.ts';
import { type Edition, publish, writeDocument } from './document.ts';
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
