import type { Settings } from '../core/settings.ts';

/** What the library wrote, each field saying what it says in a sandbox with these settings. */
export function applySettings<Written>(written: Written, settings: Settings): Written {
  return apply(written) as Written;

  function apply(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== 'object' || value === null) return value;
    const { 'x-by-settings': say, ...said } = value as Record<string, unknown>;
    const told = typeof say === 'function' ? { ...said, ...say(settings) } : said;
    return Object.fromEntries(Object.entries(told).map(([key, each]) => [key, apply(each)]));
  }
}
