/** What stands where a key was. */
const HIDDEN = '[key]';

/** Hides secrets in every text of a value, in the forms a server may echo them. */
export type Redact = <T>(value: T) => T;

/** Hides secrets; `secrets` may grow while a check runs. */
export function createRedact(secrets: ReadonlySet<string>): Redact {
  let known = 0;
  let pattern = /(?!)/;
  const clean = (text: string): string => {
    if (known !== secrets.size) {
      known = secrets.size;
      pattern = new RegExp([...secrets].flatMap(formsOf).map(escaped).join('|'), 'gi');
    }
    return text.replace(pattern, HIDDEN);
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

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
