import { afterEach, expect, test, vi } from 'vitest';
import { Tables } from '../../src/world/tables.ts';
import { type Client, createClient, operations } from '../support/client.ts';
import { acceptedInput } from '../support/requests.ts';

const writing = operations.filter(({ readOnly }) => !readOnly).map((each) => each.operationId);

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(writing)(
  '%s that fails at any of its writes leaves the World as it was',
  async (call) => {
    const undisturbed = createClient();
    const input = await acceptedInput(undisturbed, call);
    const writes = failAtWrite(Number.POSITIVE_INFINITY);
    const expected = await undisturbed.call(call, input);
    const count = writes();
    expect(count).toBeGreaterThan(1);

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
  },
);

/** Has the rules that run from now on fail before one of their writes. Answers how many there were. */
function failAtWrite(failing: number): () => number {
  let writes = 0;
  const { note } = Tables.prototype;
  vi.spyOn(Tables.prototype, 'note').mockImplementation(function (this: Tables, ...row) {
    if (this.isOpen) writes += 1;
    if (this.isOpen && writes === failing) throw new Error('This write fails');
    note.apply(this, row);
  });
  return () => writes;
}

/** All that a World remembers, in its order, but the calls it got. */
function rememberedBy({ merchant }: Client): string {
  const { journal, assumed, sequences, ...world } = merchant.snapshot().world;
  const { request, ...numbering } = sequences as Record<string, number>;
  return JSON.stringify({ ...world, numbering });
}
