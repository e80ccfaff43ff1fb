/* What a scenario is: a list of calls as data, which may refer to earlier responses. */

import type { Operation } from '../api/operation.ts';
import type { ReceivedResponse } from '../kit/receive.ts';
import type { AssumptionId } from '../world/assumptions.ts';
import type { LearntPrices, Prices, ServerCatalogue } from './catalogue.ts';

/** A value from the response of an earlier step in the same scenario. */
export interface Reference {
  /** The name of the step. */
  readonly $step: string;
  /** A path in the response's `data`: keys and positions joined by dots. */
  readonly $at: string;
  /** Takes a value of the same form that was not issued; this one if the response has none. */
  readonly $unlike?: string;
}

/** Takes a value from an earlier response: `from('initiated', 'token')`. */
export const from = (step: string, at: string): Reference => ({ $step: step, $at: at });

/** A token or number like that of an earlier response, but never issued: `unlike('initiated', 'token', '0000')`. */
export const unlike = (step: string, at: string, otherwise: string): Reference => ({
  ...from(step, at),
  $unlike: otherwise,
});

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && '$step' in value;

/** Fields of a request by their wire names; values may be references. */
export type Input = Readonly<Record<string, unknown>>;

/** A request to an operation; created with `call`. */
export interface ScenarioCall {
  readonly operation: Operation;
  /** A description that follows the operation: `with a phone number of a digit less`. */
  readonly shows: string;
  /** The body of a POST, the query or path fields of a GET. */
  readonly input: Input;
  /** A name of the response, for references in later steps. */
  readonly as?: string;
  /** The fields it is about. */
  readonly about?: readonly string[];
  /** Assumptions that no other request can confirm. */
  readonly rests?: readonly AssumptionId[];
  /** The sender: the merchant of the check, unless it is `other`. */
  readonly by?: 'other';
  /** Sent twice at the same time. */
  readonly twice?: true;
  /** Sent instead of a JSON body. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly method?: 'GET' | 'POST';
  readonly contentType?: string;
  /** The Authorization header; `null` sends none, `old key` the key before the last rotation. */
  readonly authorization?: string | null;
  /** The page URL to follow. */
  readonly follow?: Reference;
  /** Sent only to a sandbox, because another service may interpret it differently. */
  readonly sandboxOnly?: true;
}

export const call = (
  operation: Operation,
  shows: string,
  input: Input = {},
  more: Omit<Partial<ScenarioCall>, 'operation' | 'shows' | 'input'> = {},
): ScenarioCall => ({ operation, shows, input, ...more });

/** Lets the given milliseconds pass. */
export interface ClockAdvance {
  readonly advance: number;
}

/** Gives the merchant a new key. */
export interface RotateKey {
  readonly rotateKey: true;
}

export type Step = ScenarioCall | ClockAdvance | RotateKey;

export const isCall = (step: Step): step is ScenarioCall => 'operation' in step;

/** A short list of related requests, in the order in which they are sent. */
export interface Scenario {
  /** A heading: `Tokens expire`. */
  readonly name: string;
  readonly steps: readonly Step[];
  /**
   * `clock`: requires a clock that can be moved. `wait`: waits in real time. `records`: requires a merchant with
   * records.
   */
  readonly needs?: 'clock' | 'wait' | 'records';
}

/** Facts about a check that its scenarios use. */
export interface CheckRun {
  /** Tells one check from another, in e-mail addresses. */
  readonly run: string;
  /** Today by the clock of the server, `Y-m-d`. */
  readonly today: string;
}

/** Used by a check to find products and prices. */
export interface Learner {
  /** Whether purchases may be initiated. */
  readonly buys: boolean;
  readonly run: CheckRun;
  ask(operation: Operation, input: Input): Promise<ReceivedResponse>;
}

/** Whether a server refuses a quote or a purchase because of its product. */
export const refusesProduct = ({ status, text }: ReceivedResponse): boolean =>
  status < 500 && /product/i.test(text);

/** A record of a cover, with the fields of its family. */
export interface DatedRecord extends Readonly<Record<string, unknown>> {
  readonly start_date: string;
}

/** The scenarios of a product family. */
export interface FamilyScenarios {
  readonly family: string;
  /** What programs read of its responses, and how they recover from a lost one, in Markdown. */
  readonly notes?: string;
  /** Empty if no product is known. */
  scenarios(catalogue: ServerCatalogue, run: CheckRun): Scenario[];
  /** Finds out whether a product is sold, and its prices. */
  learn(learner: Learner, id: number): Promise<LearntPrices>;
  /** The end of cover that follows from a record's other fields, and the assumption behind it. */
  endOf(record: DatedRecord): readonly [end: string, assumption: AssumptionId] | undefined;
  /** The prices that the responses show, besides those that quotes show. */
  pricesFrom?(data: readonly unknown[], known: Prices): Prices;
}
