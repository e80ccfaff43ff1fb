import type { Environment } from './flags.ts';

/** The environment of this process: nothing else reads it. */
export const readEnvironment = (): Environment => process.env;
