import type { MerchantRow } from '../control/sandbox-tables.ts';
import type { MerchantState } from '../public.ts';
import type { Fetcher, ObjectNamespace } from './engine.ts';

/* What the parts of a hosted sandbox are to each other. */

/** What a deployment binds, besides its variables. */
export interface Bindings {
  /** The objects of keys, each named as its key is. */
  readonly WORLDS: ObjectNamespace<WorldCalls>;
  /** Has one object, which lists merchants. */
  readonly MERCHANTS: ObjectNamespace<MerchantsCalls>;
  /** The documents and the reference pages. */
  readonly ASSETS?: Fetcher;
}

/** A merchant as the list has it. */
export interface MerchantRecord extends MerchantRow {
  /** The key whose object holds the World: the first that the merchant had. */
  readonly home: string;
}

/** What came of a call to an object. Errors are no errors of this program any more on the other side. */
export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly refused: { readonly status: number; readonly detail: string } };

/** What the object of a key is asked. */
export interface WorldCalls extends Fetcher {
  /** Holds the World of a merchant from now on, if it does not already, and shows it. */
  open(merchant: MerchantRecord): Promise<Outcome<MerchantState>>;
  reset(merchant: MerchantRecord): Promise<Outcome<MerchantState>>;
  /** Gives the merchant of its World another key; the one before is blocked. */
  giveKey(merchant: MerchantRecord, apiKey: string): Promise<Outcome<MerchantState>>;
  /** Lets go of its World, if it has one, and of all that is kept of it; is from now on what is named, if anything. */
  become(lead: Lead | undefined): Promise<void>;
}

/** Where a key leads that opens no World in its own object. */
export type Lead =
  /** To the object of the first key that its merchant had. */
  | { readonly kind: 'pointer'; readonly home: string }
  /** Nowhere, ever: it was given up. */
  | { readonly kind: 'blocked' };

/** What the object that lists merchants is asked. */
export interface MerchantsCalls extends Fetcher {
  /** The merchant whom a key belongs to; undefined where it opens no World. */
  admit(apiKey: string): Promise<MerchantRecord | undefined>;
}

/** The object that lists merchants. */
export const merchantsOf = ({ MERCHANTS }: Bindings): MerchantsCalls =>
  MERCHANTS.get(MERCHANTS.idFromName('merchants'));

/** The object of a key. */
export const objectOf = ({ WORLDS }: Bindings, key: string): WorldCalls =>
  WORLDS.get(WORLDS.idFromName(key));
