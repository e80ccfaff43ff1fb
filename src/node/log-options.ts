import type { Output } from './line-writer.ts';

/** What a log has of every call: a line, its bodies besides, or an object of JSON. */
export const LOG_MODES = ['calls', 'bodies', 'json'] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** A log of requests that is wanted. */
export interface LogOptions {
  readonly mode: LogMode;
  readonly output: Output;
  readonly colours: boolean;
}
