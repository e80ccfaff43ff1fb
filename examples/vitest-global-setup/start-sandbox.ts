import { startSandbox } from 'micro-insurance-sandbox/node';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sandboxUrl: string;
  }
}

/** One sandbox for the whole run. vitest calls the returned function at the end. */
export default async function startForAll(project: TestProject) {
  const server = await startSandbox({ port: 0, autoMerchants: true });
  project.provide('sandboxUrl', server.url);
  return () => server.close();
}
