/* What the command loads when somebody asks for a check. */

export { toJUnit } from './junit.ts';
export { differencesOf, type Report } from './report.ts';
export { type CheckOptions, check, DEFAULT_TIMEOUT_MS } from './run.ts';
export { toText } from './text.ts';
