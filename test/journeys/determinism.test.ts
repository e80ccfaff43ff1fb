import { describe, expect, test } from 'vitest';
import { createSandbox, type Snapshot } from '../../src/index.ts';
import { START } from '../support/client.ts';
import { playScript } from '../support/script.ts';
import { withoutEvents } from '../support/snapshots.ts';

const create = (options = {}) =>
  createSandbox({ now: START, clock: 'frozen', seed: 7, ...options });

describe('300 mixed requests', () => {
  const play = (options = {}) => playScript(create(options).fetch, 'sk_sandbox_demo', 300);

  test('get identical responses from two sandboxes with the same start and seed', async () => {
    const [one, two] = [await play(), await play()];
    expect(one.answers).toEqual(two.answers);
    expect(one.sha256).toBe(two.sha256);
  });
});

describe('a World', () => {
  const key = 'sk_sandbox_demo';

  test('returns the same responses after a reset as when it was fresh', async () => {
    const sandbox = create();
    const first = await playScript(sandbox.fetch, key, 120);
    expect(sandbox.merchant(key).snapshot()).not.toEqual(create().merchant(key).snapshot());
    sandbox.merchant(key).reset();
    const [reset, fresh] = [sandbox, create()].map((each) => each.merchant(key).snapshot());
    expect(withoutEvents(reset as Snapshot)).toEqual(withoutEvents(fresh as Snapshot));
    expect(ofWorld(await playScript(sandbox.fetch, key, 120))).toEqual(ofWorld(first));
  });

  test('returns the same responses after its snapshot is restored, in any sandbox', async () => {
    const sandbox = create();
    await playScript(sandbox.fetch, key, 120);
    const saved = JSON.parse(JSON.stringify(sandbox.merchant(key).snapshot()));
    const then = await playScript(sandbox.fetch, key, 120, 2);

    sandbox.merchant(key).restore(saved);
    expect(withoutEvents(sandbox.merchant(key).snapshot())).toEqual(withoutEvents(saved));
    expect(ofWorld(await playScript(sandbox.fetch, key, 120, 2))).toEqual(ofWorld(then));

    const other = create({ now: '2025-06-01T00:00:00Z', seed: 99 });
    other.merchant(key).restore(saved);
    expect(ofWorld(await playScript(other.fetch, key, 120, 2))).toEqual(ofWorld(then));
  });

  test('returns the same responses, with its own request ids, when restored for another merchant', async () => {
    const sandbox = create();
    await playScript(sandbox.fetch, key, 60);
    const heir = sandbox.createMerchant();
    heir.restore(sandbox.merchant(key).snapshot());
    const own = ofWorld(await playScript(sandbox.fetch, key, 60, 3));
    const { answers } = await playScript(sandbox.fetch, heir.apiKey, 60, 3);
    // Request ids begin with the merchant's own id, so that they are unique in a sandbox, and entries name the merchant.
    const anyMerchant = (answer: string) =>
      answer
        .replace(/\breq-\d+-/g, 'req-N-')
        .replace(/"merchant":\{"id":\d+,"name":"[^"]*"\}/g, '"merchant":"N"');
    expect(ofWorld({ answers }).map(anyMerchant)).toEqual(own.map(anyMerchant));
    expect(answers.join()).toMatch(new RegExp(`"sandbox-request-id","req-${heir.id}-`));
  });
});

/** All responses except 401s, which the sandbox numbers, not the World. */
const ofWorld = ({ answers }: { readonly answers: readonly string[] }) =>
  answers.filter((answer) => !answer.startsWith('401'));
