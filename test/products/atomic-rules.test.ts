import { afterEach, expect, test, vi } from 'vitest';
import { Tables } from '../../src/world/tables.ts';
import { type Client, createClient, operations } from '../support/client.ts';
import { acceptedInput, filesOf } from '../support/requests.ts';
import { withoutCalls } from '../support/snapshots.ts';

const writing = operations.filter(({ readOnly }) => !readOnly).map((each) => each.operationId);

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(writing)('%s leaves the World unchanged when any of its writes fails', async (call) => {
  const undisturbed = createClient();
  const input = await acceptedInput(undisturbed, call);
  const writes = failAtWrite(Number.POSITIVE_INFINITY);
  const expected = await undisturbed.call(call, input);
  const count = writes();
  expect(
    count,
    `the role in ${filesOf(call).routes} says that it changes the World`,
  ).toBeGreaterThan(0);

  for (let write = 1; write <= count; write++) {
    vi.restoreAllMocks();
    const client = createClient();
    await acceptedInput(client, call);
    const before = rememberedBy(client);
    failAtWrite(write);

    expect((await client.call(call, input)).status, `write ${write}`).toBe(500);
    expect(rememberedBy(client), `write ${write}`).toBe(before);

    vi.restoreAllMocks();
    expect((await client.call(call, input)).text, `write ${write}`).toBe(expected.text);
  }
});

/** Makes the given write fail from now on. Returns a function that counts the writes. */
function failAtWrite(failing: number): () => number {
  let writes = 0;
  const { note } = Tables.prototype;
  vi.spyOn(Tables.prototype, 'note').mockImplementation(function (this: Tables, ...row) {
    writes += 1;
    if (writes === failing) throw new Error('This write fails');
    note.apply(this, row);
  });
  return () => writes;
}

/** A World as text, without its journal and request counters. */
const rememberedBy = ({ merchant }: Client): string =>
  JSON.stringify(withoutCalls(merchant.snapshot().world));
