import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ASSUMPTIONS, type Assumption } from '../src/core/assumptions.ts';
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
  test('are the registry of the code, both ways', () => {
    expect([...rows.keys(), MESSAGES].toSorted()).toEqual([...registry.keys()].toSorted());
    expect(published).toContain(`(id: \`${MESSAGES}\`)`);
  });

  test.each([...rows])('say of %s what the registry says', (id, { question, decision }) => {
    expect(registry.get(id)).toMatchObject({ question, decision });
    const basis = `${question} ${decision}`.includes('*evidence') ? 'evidence' : 'judgement';
    expect(registry.get(id)?.basis).toBe(basis);
  });

  test.each(operations)('list the message of $operationId', ({ message }) => {
    const words = message.replace(/^Comprehensive motor policy verified/, '... verified');
    expect(published).toContain(`\`${words}\``);
  });

  test('are each named somewhere in the code', () => {
    const source = sourceFiles('src')
      .filter((file) => !file.endsWith('assumptions.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const unnamed = [...registry.keys()].filter((id) => !source.includes(id));
    expect(unnamed).toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sourceFiles(path) : [path];
  });
}
