/* The Durable Object of a key: holds the World of a merchant, or points to it. */

import { DurableObject } from 'cloudflare:workers';
import { bearerKey } from '../api/request.ts';
import { ControlError, seenByCaller } from '../control/control-error.ts';
import { showMerchant } from '../control/merchants.ts';
import { builtInFixtures } from '../products/fixtures.ts';
import type { OpenSandbox } from '../sandbox/open-sandbox.ts';
import type { MerchantState } from '../types/public.ts';
import { attachStorage } from '../world/kept-worlds.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { removeMerchant, resetWorld, rotateKey } from '../world/merchants.ts';
import { NotStoredError } from '../world/tables.ts';
import { answer, answerProblem } from './answer.ts';
import {
  type Bindings,
  deploymentOf,
  emptySandboxOf,
  type KeyRole,
  type MerchantRecord,
  merchantsOf,
  type ObjectResult,
  objectOf,
  openPart,
  type WorldCalls,
} from './deployment.ts';
import { type HeldWorld, holdWorld } from './held-world.ts';

const rowOf = ({ home: _, ...row }: MerchantRecord): MerchantRow => row;

/** The role of a known key, as its object stores it. */
type StoredRole = KeyRole | { readonly kind: 'world'; readonly isBuiltIn: boolean };

const KEPT = 'kept';

/** The result of a change. Throws `NotStoredError` if it could not be stored. */
function storedOf<Result>(outcome: ObjectResult<Result>): Result {
  if ('result' in outcome) return outcome.result;
  throw new NotStoredError(outcome.refused.detail);
}

/** A part that opens a World for every key, and can't store it. It refuses in the envelope of the call. */
function unstorable(env: Bindings, failure: NotStoredError): OpenSandbox {
  const part = openPart(env, { autoMerchants: true });
  attachStorage(part.store, {
    write() {
      throw failure;
    },
    requestSave() {},
    problem: () => failure.message,
  });
  return part;
}

/** The object of a key. It holds a World, or points to the object that does. */
export class WorldObject extends DurableObject<Bindings> implements WorldCalls {
  #kept: StoredRole | undefined;
  #isRead = false;
  #held: HeldWorld | undefined;
  /** Raised by each `setRole`. */
  #version = 0;

  async fetch(request: Request): Promise<Response> {
    try {
      const kept = await this.#read();
      if (kept?.kind === 'pointer') return await objectOf(this.env, kept.home).fetch(request);
      const held = await this.#worldFor(request, kept);
      return await answer(held?.opened ?? emptySandboxOf(this.env), request, this.ctx);
    } catch (error) {
      if (!(error instanceof NotStoredError)) return answerProblem(error);
      return answer(unstorable(this.env, error), request, this.ctx);
    }
  }

  async open(merchant: MerchantRecord): Promise<ObjectResult<MerchantState>> {
    return this.#over(merchant, () => {});
  }

  async reset(merchant: MerchantRecord): Promise<ObjectResult<MerchantState>> {
    return this.#over(merchant, ({ opened, merchant }) => resetWorld(opened.store, merchant));
  }

  async giveKey(merchant: MerchantRecord, apiKey: string): Promise<ObjectResult<MerchantState>> {
    return this.#over(merchant, ({ opened, merchant }) =>
      rotateKey(opened.store, merchant, apiKey),
    );
  }

  async setRole(role: KeyRole | undefined): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    this.#isRead = true;
    this.#kept = role;
    this.#version += 1;
    if (held) {
      // Pending requests finish in the old World, and nothing of that is stored.
      held.opened.store.storage = undefined;
      removeMerchant(held.opened.store, held.merchant);
    }
    await this.ctx.storage.deleteAll();
    if (role) await this.ctx.storage.put(KEPT, role);
    await held?.opened.sandbox.close();
  }

  async #read(): Promise<StoredRole | undefined> {
    if (!this.#isRead) this.#kept = await this.ctx.storage.get<StoredRole>(KEPT);
    this.#isRead = true;
    return this.#kept;
  }

  /** The World of a request; undefined if its key opens none. */
  async #worldFor(request: Request, kept: StoredRole | undefined): Promise<HeldWorld | undefined> {
    const { options, hasDemo } = deploymentOf(this.env);
    if (kept?.kind === 'world') return kept.isBuiltIn && !hasDemo ? undefined : this.#hold();
    const key = bearerKey(request.headers.get('authorization') ?? undefined);
    if (kept?.kind === 'blocked' || key === undefined) return undefined;
    const isBuiltIn = builtInFixtures().merchants.some(({ api_key }) => api_key === key);
    if (isBuiltIn ? !hasDemo : !options.autoMerchants) return undefined;
    const version = this.#version;
    const merchant = storedOf(await merchantsOf(this.env).admit(key));
    // The merchant may have been removed in the meantime.
    if (version !== this.#version) return this.#worldFor(request, await this.#read());
    return merchant && this.#hold(merchant);
  }

  /** Loads the World, or creates it for a merchant. */
  #hold(merchant?: MerchantRecord): HeldWorld | undefined {
    this.#held ??= holdWorld(this.ctx, this.env, merchant && rowOf(merchant));
    if (this.#held && merchant && this.#kept?.kind !== 'world') {
      this.#kept = { kind: 'world', isBuiltIn: merchant.config.records === 'own' };
      // The engine holds back later responses until this is stored.
      void this.ctx.storage.put(KEPT, this.#kept);
    }
    return this.#held;
  }

  /** Changes the World of a merchant, then returns its state. */
  async #over(
    merchant: MerchantRecord,
    work: (held: HeldWorld) => void,
  ): Promise<ObjectResult<MerchantState>> {
    try {
      await this.#read();
      const held = this.#hold(merchant);
      if (!held) throw new ControlError(404, 'This key has no World.');
      work(held);
      return { result: showMerchant(held.merchant) };
    } catch (thrown) {
      const error = seenByCaller(thrown);
      if (!(error instanceof ControlError)) throw error;
      // A page shows many merchants, so the message names the one that failed.
      const detail = `Merchant ${merchant.id}: ${error.message}`;
      return { refused: { status: error.status, detail } };
    }
  }
}
