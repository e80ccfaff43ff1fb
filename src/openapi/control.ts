import { documentedControlApp } from '../control/app.ts';
import { CONTACT, LICENSE, publish, SERVERS, SORTED } from './document.ts';
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
