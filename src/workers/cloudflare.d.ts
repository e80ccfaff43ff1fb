/** What is used of the module that the engine brings along. */
declare module 'cloudflare:workers' {
  /** A class whose objects are called by name: over `fetch`, and over its methods. */
  export class DurableObject<Env = unknown> {
    protected readonly ctx: import('./engine.ts').ObjectContext;
    protected readonly env: Env;
    constructor(ctx: import('./engine.ts').ObjectContext, env: Env);
  }
}
