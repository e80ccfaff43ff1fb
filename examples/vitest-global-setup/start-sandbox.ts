import { startSandbox } from 'micro-insurance-sandbox/node';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
  }
}

/** One sandbox for the whole run. What this returns is called at its end. */
export default async function startForAll(project: TestProject) {
  const server = await startSandbox({ port: 0, autoMerchants: true, clock: 'frozen' });
  project.provide('sandboxUrl', server.url);
  return () => server.close();
}
