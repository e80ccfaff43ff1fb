import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { families } from '../src/products/index.ts';
import { ASSUMPTIONS } from '../src/products/world.ts';
import type { Assumption } from '../src/world/assumptions.ts';
import { operations } from './support/client.ts';

const published = readFileSync(new URL('../docs/decisions.md', import.meta.url), 'utf8');
const rows = new Map(
  [...published.matchAll(/^\| `([a-z-]+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, id, question, decision]) => [id as string, { question, decision }],
  ),
);
const registry = new Map<string, Assumption>(Object.entries(ASSUMPTIONS));
const MESSAGES = 'success-messages';

describe('the published decisions', () => {
  test('have a row for every assumption of the code, and no other', () => {
    const ids = [...registry.keys()].filter((id) => id !== MESSAGES);
    expect(
      ids.filter((id) => !rows.has(id)),
      'docs/decisions.md lacks rows `| id | question | what the sandbox does |`',
    ).toEqual([]);
    expect(
      [...rows.keys()].filter((id) => !registry.has(id)),
      'docs/decisions.md has rows of no assumption: no assumptions.ts has these ids',
    ).toEqual([]);
    expect(published).toContain(`(id: \`${MESSAGES}\`)`);
  });

  test.each([...rows].filter(([id]) => registry.has(id)))(
    'say of %s what the registry says',
    (id, { question, decision }) => {
      expect(registry.get(id)).toMatchObject({ question, decision });
      const basis = `${question} ${decision}`.includes('*evidence') ? 'evidence' : 'judgement';
      expect(registry.get(id)?.basis).toBe(basis);
    },
  );

  test.each(['catalogue', 'token-format', 'error-code-type'])(
    'tell in %s of every family there is',
    (id) => {
      const { decision = '' } = registry.get(id) ?? {};
      const missing = families
        .map(({ key }) => key.replaceAll('_', '-'))
        .filter((name) => !new RegExp(name.replaceAll('-', '[- ]'), 'i').test(decision));
      expect(missing, `${id} of src/world/assumptions.ts says nothing of these`).toEqual([]);
    },
  );

  test.each(operations)('list the message of $operationId', ({ envelope }) => {
    const isListed = published.includes(`\`${envelope.message}\``);
    expect(isListed, `"Messages" of docs/decisions.md lacks \`${envelope.message}\``).toBe(true);
  });

  test('are each named somewhere in the code', () => {
    const source = sourceFiles('src')
      .filter((file) => !file.endsWith('assumptions.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const unnamed = [...registry.keys()].filter((id) => !source.includes(id));
    expect(unnamed, 'no route, schema or rule names these: nothing rests on them').toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sourceFiles(path) : [path];
  });
}
