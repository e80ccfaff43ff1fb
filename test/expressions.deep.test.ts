import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { parseSync, Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { redactCall } from '../src/control/journal-entry.ts';
import { printable, truncateLine } from '../src/world/printable.ts';
import { sampleOf } from './support/depth.ts';

/*
 * A client may send a megabyte of one letter, so every regular expression of this project must take linear time. An
 * analyser checks that, and finds a slow text otherwise.
 */

/** The literal expressions in the source, by name. */
function writtenExpressions(): Map<string, RegExp> {
  const found = new Map<string, RegExp>();
  const collect = new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      found.set(`/${pattern}/${flags}`, new RegExp(pattern, flags));
    },
  });
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const path = join('src', file);
    collect.visit(parseSync(path, readFileSync(path, 'utf8')).program);
  }
  return found;
}

/** The expressions that modules build from parts, with their inputs. */
async function composedExpressions(): Promise<Map<string, RegExp>> {
  const found = new Map<string, RegExp>();
  vi.stubGlobal(
    'RegExp',
    new Proxy(RegExp, {
      construct(target, [pattern, flags]) {
        const made = new target(pattern, flags);
        found.set(String(made), made);
        return made;
      },
    }),
  );
  vi.resetModules();
  onTestFinished(() => void vi.unstubAllGlobals());
  await import('../src/control/journal-entry.ts');
  await import('../src/api/request-fields.ts');
  await import('../src/tools/proxy/judge.ts');
  return found;
}

const SOME = { sample: 4, ci: 80, all: Number.POSITIVE_INFINITY };

/** A text of limited length takes limited time. */
const isUnbounded = ({ source }: RegExp): boolean => /[*+]|\{\d+,\}/.test(source);

async function superlinear(expressions: Iterable<RegExp>): Promise<string[]> {
  const told: string[] = [];
  for (const expression of expressions) {
    if (!isUnbounded(expression)) continue;
    const { source, flags } = expression;
    const limits = { timeout: null, attackTimeout: null, randomSeed: 1 };
    const verdict = await check(source, flags, limits);
    if (verdict.status === 'safe') continue;
    const shown = verdict.status === 'vulnerable' ? verdict.attack.pattern : 'nobody knows';
    told.push(`${expression}: ${shown}`);
  }
  return told;
}

describe('every regular expression takes linear time', () => {
  test('literals in the source', async () => {
    const written = writtenExpressions();
    expect(written.size).toBeGreaterThan(100);
    expect(await superlinear(sampleOf([...written.values()], SOME))).toEqual([]);
  });

  test('expressions built from parts', async () => {
    const composed = await composedExpressions();
    expect(composed.size).toBeGreaterThan(10);
    expect(await superlinear(sampleOf([...composed.values()], SOME))).toEqual([]);
  });

  test('with a megabyte of one character', () => {
    const texts = [...'a0 "\\/[@'].map((character) => `${character.repeat(1024 * 1024)}!`);
    const context = createContext({ texts });
    for (const expression of sampleOf([...writtenExpressions().values()], SOME)) {
      // A quadratic one would take hours; the engine stops it.
      const code = `for (const text of texts) text.replace(${expression}, '')`;
      expect(() => runInContext(code, context, { timeout: 20_000 }), `${expression}`).not.toThrow();
    }
  });
});

/** Repeated parts of slow texts: the beginning of each expression, without its end. */
const REPEATED = [
  ...['a', '0', ' ', '"', '\\', '[', '{"', '@', '%40', 'a@', '.', 'a.', 'sk_sandbox_', '_'],
  ...['nin:', 'api_key=[', 'surname', 'next_of_kin_', 'phone: ', '%41', '\\u0041', '\\\\"', '\n'],
];
const KEY = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab';

test.each<[string, (text: string) => unknown]>([
  ['what a journal shows', redactCall(KEY).text],
  ['what it shows to the caller with a key of 16 kB', redactCall(`${'a'.repeat(16_000)}b`).text],
  ['what a report shows', truncateLine],
  ['what a log shows', printable],
])('%s handles any megabyte quickly', (_, show) => {
  for (const repeated of sampleOf(REPEATED, { sample: 2, ci: 6, all: REPEATED.length })) {
    for (const size of [128 * 1024, 1024 * 1024]) {
      const text = repeated.repeat(size / repeated.length);
      const began = performance.now();
      show(text);
      // A quadratic one takes too long even for the shorter text.
      expect(performance.now() - began, `${size} characters of ${repeated}`).toBeLessThan(10_000);
    }
  }
});
