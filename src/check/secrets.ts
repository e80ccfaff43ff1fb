/** What stands where a key was. */
const HIDDEN = '[key]';

/** Hides secrets in every text of a value. */
export type MaskSecrets = <T>(value: T) => T;

/** Hides secrets in the forms a server may echo them; `secrets` may grow while a check runs. */
export function createMask(secrets: ReadonlySet<string>): MaskSecrets {
  let known = 0;
  let pattern = /(?!)/;
  const maskText = (text: string): string => {
    if (known !== secrets.size) {
      known = secrets.size;
      pattern = new RegExp([...secrets].flatMap(formsOf).map(escaped).join('|'), 'gi');
    }
    return text.replace(pattern, HIDDEN);
  };
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string') return maskText(value);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [maskText(key), mask(held)]),
    );
  };
  return mask as MaskSecrets;
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
];

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
