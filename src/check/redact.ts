/** What stands where a key was. */
export const HIDDEN = '[key]';

/** Hides secrets in every text of a value, in the forms a server may echo them. */
export type Redact = <T>(value: T) => T;

/** Hides secrets; `secrets` may grow while a check runs. */
export function createRedact(secrets: ReadonlySet<string>): Redact {
  const clean = (text: string): string => {
    let cleaned = text;
    for (const secret of secrets) {
      for (const form of formsOf(secret)) {
        cleaned = cleaned.replace(new RegExp(escaped(form), 'gi'), HIDDEN);
      }
    }
    return cleaned;
  };
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [clean(key), redact(held)]),
    );
  };
  return redact as Redact;
}

const formsOf = (secret: string): ReadonlySet<string> =>
  new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
