/* What the command loads when somebody asks for a check. */

export { differencesOf, type Report, toJUnit, toText } from './report.ts';
export { type CheckOptions, check, DEFAULT_TIMEOUT_MS } from './runner.ts';
