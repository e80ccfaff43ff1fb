import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { families } from '../src/products/index.ts';
import { ASSUMPTIONS } from '../src/products/world.ts';

describe('the assumptions', () => {
  test('say in their text whether they rest on evidence', () => {
    const wrong = Object.entries(ASSUMPTIONS)
      .filter(
        ([, { question, decision, basis }]) =>
          `${question} ${decision}`.includes('*evidence') !== (basis === 'evidence'),
      )
      .map(([id]) => id);
    expect(wrong, 'the basis of these is not the one of their text').toEqual([]);
  });

  test.each(['catalogue', 'token-format', 'error-code-type'] as const)(
    'name every product family in %s',
    (id) => {
      const { decision } = ASSUMPTIONS[id];
      const missing = families
        .map(({ key }) => key.replaceAll('_', '-'))
        .filter((name) => !new RegExp(name.replaceAll('-', '[- ]'), 'i').test(decision));
      expect(missing, `${id} of src/world/assumptions.ts says nothing of these`).toEqual([]);
    },
  );

  test('are all used in the code', () => {
    const source = sourceFiles('src')
      .filter((file) => !file.endsWith('assumptions.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    const unnamed = Object.keys(ASSUMPTIONS).filter((id) => !source.includes(id));
    expect(unnamed, 'no route, schema or rule names these: nothing rests on them').toEqual([]);
  });
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? sourceFiles(path) : [path];
  });
}
