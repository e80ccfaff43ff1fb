import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { createClient, START } from '../support/client.ts';
import { buy } from '../support/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: a state is broken freely
type Any = any;

describe('a saved sandbox', () => {
  test('is put back whole: merchants, keys, Worlds, blocked keys, numbering', async () => {
    const client = createClient({ autoMerchants: true });
    const old = client.merchant.apiKey;
    client.merchant.rotateKey();
    await buy(client, 'motor');
    client.sandbox.createMerchant().remove();
    const saved = client.sandbox.dump();

    const other = createSandbox({ autoMerchants: true });
    other.load(JSON.parse(JSON.stringify(saved)));
    expect(other.dump()).toEqual(saved);
    expect(() => other.merchant(old)).toThrow('No merchant');
    expect(other.createMerchant().id).toBe(5);
  });

  test('may have more merchants than would be created', () => {
    const saved = createClient().sandbox.dump();
    const other = createSandbox({ maxMerchants: 2 });
    other.load(saved);
    expect(other.merchants()).toHaveLength(3);
    expect(() => other.createMerchant()).toThrow('may have: 2 (--max-merchants)');
  });

  test('resets a merchant to where it began', async () => {
    const client = createClient();
    const minted = client.sandbox.createMerchant({ records: 'demo', now: '2027-01-01T00:00:00Z' });
    const fresh = minted.snapshot();
    await buy(client.as(minted), 'motor', {
      start_date: '2027-02-01',
      inspection_date: '2027-02-03',
    });
    const other = createSandbox();
    other.load(client.sandbox.dump());
    const restored = other.merchant(minted.apiKey);
    restored.reset();
    expect(restored.snapshot()).toEqual(fresh);
  });

  test('goes on with what holds a merchant that is in it, and ends what holds one that is not', async () => {
    const client = createClient();
    const saved = client.sandbox.dump();
    const gone = client.sandbox.createMerchant();
    const waiting = gone.journal.await({});
    await buy(client, 'motor');
    client.sandbox.load(saved);
    expect(client.merchant.show().counts.motor).toBe(0);
    await buy(client, 'motor');
    expect(client.merchant.show().counts.motor).toBe(1);
    await expect(waiting).rejects.toMatchObject({ status: 404 });
    expect(() => gone.clock.show()).toThrow('removed');
  });

  const spoiled: Readonly<Record<string, (state: Any) => void>> = {
    'version: this sandbox reads version 1, got 2': (state) => {
      state.version = 2;
    },
    'version: expected 1, got nothing': (state) => {
      delete state.version;
    },
    'sandbox.merchants.1.api_key: "sk_sandbox_demo" is also that of sandbox.merchants.0': (
      state,
    ) => {
      state.sandbox.merchants[1].api_key = 'sk_sandbox_demo';
    },
    'sandbox.merchants.1.id: 1 is also that of sandbox.merchants.0': (state) => {
      state.sandbox.merchants[1].id = 1;
    },
    'sandbox.last_id: expected at least 3, got 2': (state) => {
      state.sandbox.last_id = 2;
    },
    'sandbox.merchants.2.origin.clock.now: expected': (state) => {
      state.sandbox.merchants[2].origin.clock.now = 1e15;
    },
    'sandbox.merchants.0.snapshot: version: this sandbox reads': (state) => {
      state.sandbox.merchants[0].snapshot.version = 7;
    },
    'sandbox.merchants.0.snapshot: The snapshot is broken, nothing was restored: world.clock.mode':
      (state) => {
        state.sandbox.merchants[0].snapshot.world.clock.mode = 'x';
      },
    'the document: expected object, got "text"': () => undefined,
  };

  test.each(Object.keys(spoiled))('that is damaged changes nothing: %s', (message) => {
    const { sandbox } = createClient();
    const saved = sandbox.dump();
    const damaged = message.includes('"text"') ? 'text' : structuredClone(saved);
    spoiled[message]?.(damaged);
    expect(() => sandbox.load(damaged)).toThrow(message);
    expect(sandbox.dump()).toEqual(saved);
  });

  test('shares nothing with the document', () => {
    const sandbox = createSandbox({ now: START, clock: 'frozen' });
    const effect = { kind: 'respond', status: 500, body: { words: ['one'] } } as const;
    sandbox.merchant('sk_sandbox_demo').faults.add({ stage: 'before', effect });
    const saved = sandbox.dump() as Any;
    const text = JSON.stringify(saved);
    sandbox.load(saved);
    saved.sandbox.merchants[0].snapshot.world.faults[0].effect.body.words.push('two');
    expect(JSON.stringify(sandbox.dump())).toBe(text);
  });
});
