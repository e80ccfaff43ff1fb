/*
 * How a report of `check` shows what a server wrote: on one line, without the keys, in every form in which a server may
 * echo them.
 */

import { truncateLine } from '../../world/printable.ts';

/** Replaces a key. */
const HIDDEN = '[key]';

/** Hides keys in a text of a server. */
export type Mask = (text: string) => string;

/** A shorter key may be a word of anybody: it is hidden as a whole word only. */
const MIN_LENGTH = 8;

/** Hides secrets in texts. `secrets` may grow while a check runs. */
export function createMask(secrets: ReadonlySet<string>): Mask {
  let known = 0;
  let pattern = /(?!)/;
  return (text) => {
    if (known !== secrets.size) {
      known = secrets.size;
      pattern = new RegExp([...secrets].flatMap(formsOf).join('|'), 'gi');
    }
    return text.replace(pattern, HIDDEN);
  };
}

/** A value on one line, as JSON. Keys are hidden before it is cut. */
export function showValue(value: unknown, max?: number, mask: Mask = (text) => text): string {
  if (value === undefined) return 'nothing';
  try {
    return truncateLine(mask(JSON.stringify(value)), max);
  } catch {
    // Too deep to write.
    return 'a deeply nested value';
  }
}

/** Patterns for a secret: plain, with escaped characters, in Base64 and in hexadecimal. */
function formsOf(secret: string): string[] {
  if (secret.length < MIN_LENGTH) return [`(?<![\\w-])${escaped(secret)}(?![\\w-])`];
  const bytes = new TextEncoder().encode(secret);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [[...secret].map(characterForms).join(''), ...base64Forms(bytes), hex];
}

/** Patterns for a character: plain, percent-encoded once or twice, and escaped for JSON or HTML. */
function characterForms(character: string): string {
  const code = character.codePointAt(0) as number;
  const percent = [...new TextEncoder().encode(character)]
    .map((byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`)
    .join('');
  const json = `\\\\+u${code.toString(16).padStart(4, '0')}`;
  const entity = `&#(?:0*${code}|x0*${code.toString(16)});`;
  const named = NAMED_ENTITIES[character];
  const literal = `${/["\\/]/.test(character) ? '\\\\*' : ''}${escaped(character)}`;
  return `(?:${[percent, json, entity, ...(named ? [named] : []), literal].join('|')})`;
}

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Patterns for the Base64 characters that depend only on the secret, for each position in a group of three bytes. They
 * include the characters at both ends, which contain a few bits of the secret.
 */
function base64Forms(secret: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = [...new Uint8Array(before), ...secret];
    const text = btoa(String.fromCharCode(...bytes)).replace(/(?<!=)=+$/, '');
    const whole = text.slice(before === 0 ? 0 : before + 1, Math.floor((bytes.length * 8) / 6));
    // A few characters may occur anywhere.
    if (whole.length < MIN_LENGTH) return [];
    const anyAlphabet = [...whole].map((character) =>
      character === '+' ? '[+-]' : character === '/' ? '[/_]' : character,
    );
    return [`[\\w+/-]?${anyAlphabet.join('')}[\\w+/-]?={0,2}`];
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
