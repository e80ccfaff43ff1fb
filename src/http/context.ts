import type { Context } from 'hono';
import type { Connection } from './received.ts';

/** What Hono hands on: the connection a server may know of. */
export type SandboxEnv = { Bindings: Connection };
export type SandboxContext = Context<SandboxEnv>;
