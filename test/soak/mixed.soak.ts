import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRandomState, nextFraction } from '../../src/world/random.ts';
import { newFolder } from '../node/command.ts';
import { lists } from '../support/client.ts';
import {
  type FamilyKey,
  familyKeys,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import { Caller, type Reply } from './http.ts';
import { setting, start, tell } from './program.ts';
import { expectStatus } from './traffic.ts';

const ROUNDS = setting('SOAK_ROUNDS', 12);
const SEED = setting('SOAK_SEED', 1);
const MERCHANTS = 10;
/** How long a merchant thinks between two changes: nobody waits for an answer of its then. */
const PAUSE_MS = 600;

/** What a merchant was shown, by the call that showed it. */
type Shown = Readonly<Record<string, unknown>>;

/** A merchant that changes one thing after the other, and looks at everything after each. */
class Life {
  readonly id: number;
  key: string;
  /** Undefined while a change is under way. */
  seen: Shown | undefined;
  /** What must be shown once the change under way was answered. */
  promised: string | undefined;
  requestIds = new Set<string>();
  saved: unknown;
  readonly #tokens: [FamilyKey, string][] = [];
  readonly #policies: string[] = [];
  readonly #random = createRandomState(SEED, 1);

  constructor({ id, api_key }: { readonly id: number; readonly api_key: string }) {
    this.id = id;
    this.key = api_key;
    for (let drawn = 0; drawn < id; drawn++) nextFraction(this.#random);
  }

  pick<Element>(elements: readonly Element[]): Element | undefined {
    return elements[Math.floor(nextFraction(this.#random) * elements.length)];
  }

  async look(caller: Caller): Promise<Shown> {
    const shown: Record<string, unknown> = {};
    for (const path of ['clock', 'purchases', 'faults']) {
      shown[path] = (await this.#control(caller, `/${path}`)).body;
    }
    for (const family of familyKeys) {
      shown[family] = (await this.#control(caller, `/records?family=${family}&per_page=100`)).body;
    }
    for (const { operationId } of lists) {
      shown[operationId] = (await this.#operate(caller, operationId, {})).body;
    }
    const { data } = (await caller.call('/_sandbox/merchants')).body;
    const { api_key, counts } = data.find(({ id }: Life) => id === this.id);
    shown.merchant = { api_key, counts: { ...counts, exchanges: 0 } };
    return shown;
  }

  /** Changes one thing. */
  async change(caller: Caller): Promise<void> {
    this.seen = undefined;
    this.promised = undefined;
    await (this.pick(this.#changes) as (caller: Caller) => Promise<unknown>)(caller);
    this.seen = await this.look(caller);
  }

  readonly #changes: readonly ((caller: Caller) => Promise<unknown>)[] = [
    (caller) => this.#initiate(caller),
    (caller) => this.#initiate(caller),
    (caller) => this.#verify(caller),
    (caller) => this.#verify(caller),
    (caller) => this.#renew(caller),
    (caller) => this.#control(caller, '/clock/advance', { by: this.pick(['PT1S', 'PT3M', 'P1D']) }),
    (caller) => this.#control(caller, '/clock', { mode: this.pick(['running', 'frozen']) }, 'PUT'),
    (caller) =>
      this.#control(caller, '/faults', {
        match: { operation: 'getMotorQuote' },
        stage: this.pick(['before', 'after']),
        effect: { kind: 'respond', status: 503 },
        times: this.pick([1, 2, 5]),
        probability: this.pick([0.3, 1]),
      }),
    (caller) => this.#operate(caller, 'getMotorQuote'),
    (caller) => this.#control(caller, '/faults', undefined, 'DELETE'),
    (caller) => this.#control(caller, '/snapshot').then(({ body }) => (this.saved = body)),
    (caller) => this.#putBack(caller),
    (caller) => this.#reset(caller),
    (caller) => this.#rotate(caller),
    (caller) => caller.call('/_sandbox/merchants', { body: {} }),
  ];

  async #initiate(caller: Caller): Promise<void> {
    const family = this.pick(familyKeys) as FamilyKey;
    const { body } = await this.#operate(caller, initiateOf[family], purchaseOf(family));
    this.promised = body.data.token;
    this.#tokens.push([family, body.data.token]);
  }

  async #verify(caller: Caller): Promise<void> {
    const [family, token] = this.#tokens.pop() ?? [];
    if (family === undefined) return this.#initiate(caller);
    const { body } = await this.#operate(caller, verifyOf[family], { token });
    const number = body.data?.policy_number ?? body.data?.policy_no;
    this.promised = number;
    if (family === 'micro_health' && number !== undefined) this.#policies.push(number);
  }

  async #renew(caller: Caller): Promise<void> {
    const policy_no = this.pick(this.#policies);
    const { amount, subscription_type } = purchaseOf('micro_health');
    const input = { policy_no, amount, subscription_type };
    if (policy_no !== undefined) await this.#operate(caller, 'topUpMicroHealthSubscription', input);
  }

  async #putBack(caller: Caller): Promise<void> {
    if (this.saved === undefined) return;
    // A World that was put back numbers its calls on from the snapshot.
    this.requestIds = new Set();
    await this.#control(caller, '/snapshot', this.saved, 'PUT');
    this.requestIds = new Set();
  }

  async #reset(caller: Caller): Promise<void> {
    this.requestIds = new Set();
    await this.#control(caller, '/reset', {});
    this.requestIds = new Set();
  }

  async #rotate(caller: Caller): Promise<void> {
    const reply = await caller.call(`/_sandbox/merchants/${this.id}/rotate_key`, {
      method: 'POST',
    });
    this.key = expectStatus(reply, 200).body.api_key;
  }

  async #control(caller: Caller, path: string, body?: unknown, method?: string): Promise<Reply> {
    const sent = { key: this.key, body, ...(method !== undefined && { method }) };
    return expectStatus(await caller.call(`/_sandbox${path}`, sent), 200, 201, 204);
  }

  async #operate(caller: Caller, operationId: string, input?: object): Promise<Reply> {
    const reply = await caller.operate(operationId, this.key, input);
    expectStatus(reply, 200, 400, 404, 422, 503);
    const { requestId = '' } = reply;
    expect(this.requestIds.has(requestId), requestId).toBe(false);
    this.requestIds.add(requestId);
    return reply;
  }
}

/** Whether a World is as it was shown; a running clock has run on, and never goes back. */
function expectSame(now: Shown, before: Shown): void {
  const [clock, was] = [now.clock, before.clock] as { now: string; mode: string }[];
  expect(clock?.mode).toBe(was?.mode);
  if (was?.mode === 'frozen') expect(clock?.now).toBe(was.now);
  else expect(String(clock?.now) >= String(was?.now)).toBe(true);
  expect({ ...now, clock: 0 }).toEqual({ ...before, clock: 0 });
}

test(`everything a merchant was shown is there after each of ${ROUNDS} kills, whatever was changed`, async () => {
  const file = join(newFolder(), 'state');
  const args = [
    '--state',
    file,
    '--now',
    '2026-01-31T10:00:00Z',
    '--seed',
    String(SEED),
    '--public-url',
    'http://sandbox',
  ];
  const random = createRandomState(SEED, 0);
  let lives: Life[] = [];
  let compared = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const program = await start(args);
    const caller = new Caller(program.url, MERCHANTS);
    if (round === 0) {
      const minted = Array.from({ length: MERCHANTS }, () =>
        caller.call('/_sandbox/merchants', { body: { records: 'demo' } }),
      );
      lives = (await Promise.all(minted)).map(({ body }) => new Life(body));
    }
    for (const life of lives) {
      const { seen } = life;
      // The key that a rotation gave whose answer was lost is known to nobody here.
      const { data } = (await caller.call('/_sandbox/merchants')).body;
      life.key = data.find(({ id }: Life) => id === life.id).api_key;
      const now = await life.look(caller);
      if (seen) {
        expectSame(now, seen);
        compared++;
      } else if (life.promised !== undefined) {
        expect(JSON.stringify(now)).toContain(life.promised);
      }
      life.seen = now;
    }
    let isOver = false;
    const changing = lives.map(async (life) => {
      while (!isOver) {
        await life.change(caller).catch((error: NodeJS.ErrnoException) => {
          if (!isOver || error.code === undefined) throw error;
        });
        await wait(PAUSE_MS * nextFraction(random));
      }
    });
    const ran = Promise.all(changing);
    ran.catch(() => undefined);
    await Promise.race([wait(1000 + 2000 * nextFraction(random)), ran]);
    isOver = true;
    await program.command.stop('SIGKILL');
    await ran;
    caller.close();
  }
  tell('compared Worlds', String(compared));
  expect(compared).toBeGreaterThan(ROUNDS);
});
