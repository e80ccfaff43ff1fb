import { createRandomState, nextFraction } from '../../src/world/random.ts';
import {
  type FamilyKey,
  familyKeys,
  initiateOf,
  purchaseOf,
  verifyOf,
} from '../support/requests.ts';
import {
  type Account,
  noteDoubtful,
  noteRequest,
  noteSent,
  noteVerified,
  type Policy,
  retryDoubtful,
} from './accounts.ts';
import { Caller, type Reply } from './http.ts';

/** An action of a client, with its relative frequency. */
export interface Action {
  readonly weight: number;
  act(traffic: Traffic, account: Account): Promise<unknown>;
}

/** The operation and the field to look up a policy of each family. */
const LOOK_UPS: Readonly<Record<FamilyKey, readonly [operation: string, field: string]>> = {
  micro_health: ['validateMicroHealthPolicy', 'policy_no'],
  motor: ['getMotorPolicyDetails', 'policy_number'],
  group_life: ['getGroupLifePolicyDetails', 'policy_number'],
};

const LISTS = ['listMicroHealthSubscriptions', 'listMotorPolicies', 'listGroupLifePolicies'];

/** The documented premium of a subscription, for a renewal. */
const PREMIUM = { subscription_type: 'monthly', amount: 700 };

/** Clients of several merchants that send requests as fast as they get responses. */
export class Traffic {
  readonly caller: Caller;
  readonly accounts: readonly Account[];
  readonly #random;
  #isOver = false;
  #isCut = false;
  #answers = 0;
  #listeners: (() => void)[] = [];

  constructor(url: string, accounts: readonly Account[], seed: number, clients: number) {
    this.caller = new Caller(url, clients);
    this.accounts = accounts;
    this.#random = createRandomState(seed, clients);
  }

  /** A random choice; undefined if there are none. */
  pick<T>(choices: readonly T[]): T | undefined {
    return choices[Math.floor(nextFraction(this.#random) * choices.length)];
  }

  get answers(): number {
    return this.#answers;
  }

  /** Sends requests until it is stopped. Rejects at the first unexpected response. */
  async run(actions: readonly Action[], clients: number): Promise<void> {
    const weighted = actions.flatMap((action) => Array<Action>(action.weight).fill(action));
    const client = async () => {
      while (!this.#isOver) {
        const account = this.pick(this.accounts) as Account;
        try {
          await (this.pick(weighted) as Action).act(this, account);
        } catch (error) {
          if (this.#isCut && (error as NodeJS.ErrnoException).code !== undefined) return;
          this.#isOver = true;
          throw error;
        }
        this.#answers++;
        for (const listener of this.#listeners) listener();
      }
    };
    try {
      await Promise.all(Array.from({ length: clients }, client));
    } finally {
      this.#isOver = true;
      this.caller.close();
    }
  }

  /** Resolves after a number of further actions. */
  answered(times: number): Promise<void> {
    const goal = this.#answers + times;
    return new Promise((resolve) => {
      const listener = () => {
        if (this.#answers < goal) return;
        this.#listeners = this.#listeners.filter((each) => each !== listener);
        resolve();
      };
      this.#listeners.push(listener);
    });
  }

  /** From now on, a connection may end without a response. */
  expectCut(): void {
    this.#isCut = true;
  }

  stop(): void {
    this.#isOver = true;
  }

  async initiate(account: Account): Promise<void> {
    const family = this.pick(familyKeys) as FamilyKey;
    const reply = await this.caller.operate(initiateOf[family], account.key, purchaseOf(family));
    noteRequest(account, expectStatus(reply, 200));
    account.pending.set(reply.body.data.token, family);
  }

  /** Verifies a token, and looks up the policy if there is one. */
  async verify(account: Account, headers = {}): Promise<void> {
    const [token, family] = this.pick([...account.pending]) ?? [];
    if (token === undefined || family === undefined) return this.initiate(account);
    noteSent(account, token, family);
    const reply = await this.caller
      .operate(verifyOf[family], account.key, { token }, headers)
      .catch((error) => {
        noteDoubtful(account, token);
        throw error;
      });
    const policy = noteVerified(account, token, reply);
    if (policy) await this.show(account, policy);
  }

  /** Verifies every pending token, including those with an unknown outcome. */
  async verifyAll(account: Account): Promise<void> {
    retryDoubtful(account);
    while (account.pending.size > 0) await this.verify(account);
  }

  async show(account: Account, policy: Policy): Promise<string> {
    const [operation, field] = LOOK_UPS[policy.family];
    const input = { [field]: policy.number };
    const { text } = expectStatus(await this.caller.operate(operation, account.key, input), 200);
    if (!policy.isBusy) policy.shown = text;
    return text;
  }

  async renew(account: Account): Promise<void> {
    const idle = account.policies.filter(
      ({ family, isBusy }) => family === 'micro_health' && !isBusy,
    );
    const policy = this.pick(idle);
    if (!policy) return this.verify(account);
    policy.isBusy = true;
    policy.shown = undefined;
    account.doubtfulRenewals++;
    const input = { ...PREMIUM, policy_no: policy.number };
    const reply = await this.caller.operate('topUpMicroHealthSubscription', account.key, input);
    noteRequest(account, expectStatus(reply, 200));
    account.doubtfulRenewals--;
    account.renewals++;
    policy.isBusy = false;
    await this.show(account, policy);
  }

  async list(account: Account): Promise<void> {
    const page = String(Math.ceil(nextFraction(this.#random) * 5));
    const operation = this.pick(LISTS) as string;
    expectStatus(await this.caller.operate(operation, account.key, { page }), 200);
  }
}

export function expectStatus(reply: Reply, ...statuses: readonly number[]): Reply {
  if (statuses.includes(reply.status)) return reply;
  throw new Error(`Expected ${statuses}, got ${reply.status}: ${reply.text}`);
}

/** The usual requests of merchants. */
export const PURCHASES: readonly Action[] = [
  { weight: 4, act: (traffic, account) => traffic.initiate(account) },
  { weight: 3, act: (traffic, account) => traffic.verify(account) },
  { weight: 1, act: (traffic, account) => traffic.renew(account) },
  { weight: 1, act: (traffic, account) => traffic.list(account) },
  {
    weight: 1,
    act: async ({ caller }, { key }) =>
      expectStatus(await caller.operate('getMicroHealthQuote', key), 200),
  },
  {
    weight: 1,
    act: async ({ caller }, { key }) =>
      expectStatus(
        await caller.operate('verifyMotorPolicy', key, { token: 'unknown' }),
        400,
        404,
        422,
      ),
  },
];
