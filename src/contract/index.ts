/* What the command loads when somebody asks for a check. */

export { type CheckOptions, check, DEFAULT_TIMEOUT_MS } from './check.ts';
export { type Report, toJUnit, toText } from './report.ts';
