/**
 * A body without what counts as missing: null, and text of white space only (`text-and-numbers`).
 * What needs no change is the same object.
 */
export function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) {
    const cleared = value.map((element) => withoutBlanks(element));
    return cleared.some((element, place) => element !== value[place]) ? cleared : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let cleared: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const sent = Reflect.get(value, key);
    const kept = isBlank(sent) ? undefined : withoutBlanks(sent);
    if (kept === sent) continue;
    cleared ??= { ...value };
    if (kept === undefined) delete cleared[key];
    else cleared[key] = kept;
  }
  return cleared ?? value;
}

export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
