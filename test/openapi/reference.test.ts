import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { controlDocument, merchantDocument } from '../../src/openapi/documents.ts';
import { jsonTokens } from '../../src/ui/layout/client/json.ts';
import { annotate } from '../../src/ui/reference/client/annotate.ts';
import { contentsOf, type ReferenceDocument } from '../../src/ui/reference/reference-contents.ts';
import { operations } from '../support/client.ts';
import { get, withProfile } from '../support/served-documents.ts';

const contents = (document: object) => contentsOf(document as ReferenceDocument);

describe('the contents of a reference page', () => {
  test('have every operation once, under its heading', () => {
    const listed = contents(merchantDocument).flatMap((chapter) => chapter.operations);
    expect(listed.map(({ id }) => id)).toEqual(operations.map(({ operationId }) => operationId));
    const control = contents(controlDocument).map(({ tag }) => tag);
    expect(control).toEqual(['World', 'Sandbox']);
  });

  test.each([
    ['a field of the body', 'initiateMotorPolicy', 'chasis_no'],
    [
      'a field of the answer, by way of named schemas',
      'listMicroHealthSubscriptions',
      'beneficiary',
    ],
    ['a parameter', 'listMicroHealthSubscriptions', 'per_page'],
    ['a part of a path', 'validateMicroHealthPolicy', 'policy_no'],
  ])('know %s of an operation', (_what, id, field) => {
    const all = contents(merchantDocument).flatMap((chapter) => chapter.operations);
    expect(all.find((operation) => operation.id === id)?.fields).toContain(field);
  });

  test('take nothing of an example for a field', () => {
    const fields = contents(controlDocument).flatMap(({ operations: all }) =>
      all.flatMap((each) => each.fields),
    );
    expect(fields).not.toContain('first_name');
  });
});

describe('what a document says of assumptions', () => {
  const ids = new Set(['phone-digits', 'token-used']);

  test('stands in the description beside it, as links to their rows', () => {
    const { description } = annotate(
      { description: 'A phone.', 'x-assumptions': ['phone-digits'] },
      ids,
    );
    expect(description).toBe('A phone.\n\nAssumptions: [`phone-digits`](#phone-digits)');
  });

  test('is told where there was no description', () => {
    const { properties } = annotate(
      { properties: { token: { type: 'string', 'x-assumptions': ['token-used'] } } },
      ids,
    );
    expect(properties).toEqual({
      token: { type: 'string', description: 'Assumptions: [`token-used`](#token-used)' },
    });
  });

  test('is linked where a description names one, and nowhere else', () => {
    const { description } = annotate({ description: 'Once (`token-used`), as `token` says.' }, ids);
    expect(description).toBe('Once ([`token-used`](#token-used)), as `token` says.');
  });

  test('leaves alone what is data, and a property that is named as a keyword', () => {
    const document = {
      properties: { description: { type: 'string' }, examples: { type: 'array' } },
      example: { description: 'says `token-used`' },
      examples: [{ 'x-assumptions': ['token-used'] }],
    };
    expect(annotate(document, ids)).toEqual(document);
  });

  test('is all there for the published document', () => {
    const text = JSON.stringify(annotate(merchantDocument as Record<string, unknown>, ids));
    expect(text).not.toContain('"x-assumptions":[');
  });

  test('has a row each on the page, that says what a profile sets otherwise', async () => {
    const rowsOf = async (options: object) => {
      const page = await (await get(createSandbox(options), '/docs')).text();
      const table = /<tbody>(.*)<\/tbody>/s.exec(page)?.[1] ?? '';
      return new Map(
        [...table.matchAll(/<tr id="([\w-]+)">(.*?)<\/tr>/gs)].map(([, id, row]) => [id, row]),
      );
    };
    const rows = await rowsOf({});
    expect([...rows.keys()]).toEqual(
      Object.keys((merchantDocument as ReferenceDocument)['x-assumptions'] ?? {}),
    );
    expect([...rows.values()].join()).not.toContain('Set otherwise here');
    const other = await rowsOf(withProfile({ 'list-order': 'newest-first' }));
    expect(other.get('list-order')).toContain(
      'Set otherwise here:</strong> <code>&quot;newest-first&quot;',
    );
  });
});

describe('JSON in colours', () => {
  test.each(['{"a": [1, -2.5e3, true, null], "b\\"": "c: 1"}', 'no JSON: "at" all', ''])(
    'is the text it was: %s',
    (text) => {
      expect(
        jsonTokens(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text);
    },
  );

  test('tells keys, texts and the rest apart', () => {
    const kinds = jsonTokens('{"a": "b: 2", "c": -1}').filter(({ kind }) => kind !== undefined);
    expect(kinds).toEqual([
      { text: '"a"', kind: 'key' },
      { text: '"b: 2"', kind: 'text' },
      { text: '"c"', kind: 'key' },
      { text: '-1', kind: 'literal' },
    ]);
  });
});
