import { expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import {
  cellText,
  columnsOf,
  type PolicyRecord,
  policyNumberOf,
} from '../../src/ui/inspector/client/records.tsx';
import { createContract } from '../../src/ui/inspector/contract.ts';

const { families } = createContract({ host: {}, breaksConnections: true });

test.each(families)(
  'a table of $tag policies shows number, who or what, and until when',
  async ({ key }) => {
    const response = await createSandbox().fetch(
      new Request(`http://sandbox/_sandbox/records?family=${key}`, {
        headers: { authorization: 'Bearer sk_sandbox_demo' },
      }),
    );
    const { data } = (await response.json()) as { data: PolicyRecord[] };
    const columns = columnsOf(data);
    expect(columns.map(({ title }) => title)).toEqual([
      'Policy number',
      // A motor policy names whom to ask about the vehicle, not who holds it.
      data.every((record) => 'contact_person_name' in record) ? 'Contact' : 'Holder',
      'Kind',
      'Begins',
      'Ends',
    ]);
    for (const record of data) {
      expect(cellText(columns[0]?.read(record))).toBe(policyNumberOf(record));
      expect(cellText(columns.at(-1)?.read(record))).toMatch(/^(\d{4}-\d\d-\d\d|–)$/);
    }
  },
);

test.each(families)('$tag purchases are completed by a call there is', (family) => {
  expect(family.verifyPath).toMatch(/^\/api\/merchant\/.*verify/);
});
