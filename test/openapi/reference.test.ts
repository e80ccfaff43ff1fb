import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { merchantDocument } from '../../src/openapi/documents.ts';
import { linkAssumptions } from '../../src/ui/reference/client/link-assumptions.ts';
import { get, withProfile } from '../support/served-documents.ts';

/** A document with a description. */
type Called = { readonly call: { readonly description: string } };

describe('assumptions on the reference page', () => {
  const rows = { 'phone-digits': {}, 'token-used': {} };
  const link = (id: string) => `[\`${id}\`](/docs/assumptions#${id})`;
  const linked = (document: object) =>
    linkAssumptions({ 'x-assumptions': rows, paths: document }).paths;

  test('become links at the end of the description', () => {
    const phone = { description: 'A phone.', 'x-assumptions': ['phone-digits'] };
    expect(linked({ phone })).toEqual({
      phone: { description: `A phone.\n\nAssumptions: ${link('phone-digits')}` },
    });
  });

  test('are folded behind their number if there are many', () => {
    const ids = Array.from({ length: 5 }, (_, place) => `phone-${place}`);
    const { description } = (linked({ call: { 'x-assumptions': ids } }) as Called).call;
    expect(description).toMatch(/^<details><summary>5 assumptions<\/summary>/);
    expect(description).toContain(ids.map(link).join(', '));
  });

  test('become links where a description names them, unlike other code', () => {
    expect(linked({ description: 'Once (`token-used`), as `token` says.' })).toEqual({
      description: `Once (${link('token-used')}), as \`token\` says.`,
    });
  });

  test('are all linked in the published document', () => {
    const text = JSON.stringify(linkAssumptions(merchantDocument as Record<string, unknown>));
    expect(text).not.toContain('"x-assumptions"');
  });

  test('have one row each on the assumptions page, with the setting of the profile', async () => {
    const rowsOf = async (options: object) => {
      const page = await (await get(createSandbox(options), '/docs/assumptions')).text();
      const list = /<dl>(.*)<\/dl>/s.exec(page)?.[1] ?? '';
      return new Map(
        [...list.matchAll(/<div id="([\w-]+)">(.*?)<\/div>/gs)].map(([, id, row]) => [id, row]),
      );
    };
    const published = await rowsOf({});
    const { 'x-assumptions': documented } = merchantDocument as { 'x-assumptions'?: object };
    expect([...published.keys()]).toEqual(Object.keys(documented ?? {}));
    expect([...published.values()].join()).not.toContain('Set here');
    const other = await rowsOf(withProfile({ 'list-order': 'newest-first' }));
    expect(other.get('list-order')).toContain('Set here:</strong> <code>&quot;newest-first&quot;');
  });
});
