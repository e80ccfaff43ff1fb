import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { EXAMPLES } from '../examples.ts';

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
export const SNAPSHOT_VERSION = 1;

// What a snapshot holds is checked in full by the rule that reads it, which can name every place.
export const Snapshot = component(
  'Snapshot',
  () =>
    z.strictObject({
      version: describe(z.int(), {
        description: 'The form of `world`.',
        examples: [SNAPSHOT_VERSION],
      }),
      world: describe(z.record(z.string(), z.unknown()), {
        description: "All the World remembers. What is inside is the sandbox's own affair.",
      }),
    }),
  {
    description: `A whole World as one document, version ${SNAPSHOT_VERSION}.`,
    examples: [EXAMPLES.snapshot],
  },
);
export type Snapshot = Infer<typeof Snapshot>;
