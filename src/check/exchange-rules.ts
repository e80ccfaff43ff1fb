import type { Instant } from '../core/time.ts';
import type { Assertion, Json } from './assertions.ts';
import type { Observation } from './probe.ts';

/** A purchase whose initiate was seen: what it read from its request, and the data of its answer. */
export interface SeenPurchase {
  readonly sent: Json;
  /** The same where white space around texts is kept. */
  readonly untrimmed: Json;
  readonly answered: Json;
}

/** What is known of an exchange that somebody else made, besides the data of its answer. */
export interface SeenExchange {
  /** What the operation reads from the request; undefined where the contract refuses it. */
  readonly sent: Json | undefined;
  /** Of a verify, the purchase that it completes. */
  readonly purchase: SeenPurchase | undefined;
  /** Numbers of the policies that were seen to be bought, in their order. */
  readonly bought: readonly string[];
  /** The moments that an answer was written between, if that is known. */
  readonly between: readonly [Instant, Instant] | undefined;
}

/** What is held against the exchanges of an operation, whoever made them: nothing that only the service knows. */
export interface ExchangeRules {
  /** The fields that the service may refuse for what it sells or remembers, or for the day it is. */
  readonly refusable?: RegExp;
  /** What an accepted answer says besides having its declared form. */
  assertions?(data: Json, exchange: SeenExchange): readonly Assertion[];
  /** What an accepted answer shows of an assumption that a profile can set. */
  observe?(data: Json, exchange: SeenExchange): readonly Observation[];
}

/** The rules of a family's operations, by operationId. */
export type FamilyExchanges = Readonly<Record<string, ExchangeRules>>;
