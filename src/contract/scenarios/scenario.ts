import type { Operation } from '../../api/operation.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import type { Catalogue, LearntPrices, Prices } from '../catalogue.ts';
import type { ReceivedResponse } from '../client.ts';
import type { Json } from '../json.ts';

/** A value from the answer of an earlier step of the same scenario. */
export interface Reference {
  /** The name of the step. */
  readonly $step: string;
  /** A place in the answer's `data`: keys and positions joined by dots. */
  readonly $at: string;
}

/** Takes a value from an earlier answer: `from('initiated', 'token')`. */
export const from = (step: string, at: string): Reference => ({ $step: step, $at: at });

export const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && '$step' in value;

/** Fields of a request by their wire names; values may be references. */
export type Input = Readonly<Record<string, unknown>>;

/** A call of an operation; `call` makes one. */
export interface Call {
  readonly operation: Operation;
  /** What it shows, in words that follow the operation: `with a phone number of ten digits`. */
  readonly shows: string;
  /** The body of a POST, the query or path fields of a GET. */
  readonly input: Input;
  /** A name for the answer, for references of later steps. */
  readonly as?: string;
  /** The fields it is about. */
  readonly about?: readonly string[];
  /** Assumptions that no other call shows. */
  readonly rests?: readonly AssumptionId[];
  /** Who sends it: the merchant of the check unless it says `other`. */
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
  /** Sent only to a sandbox: another service could take it for something else. */
  readonly sandboxOnly?: true;
}

export const call = (
  operation: Operation,
  shows: string,
  input: Input = {},
  more: Omit<Partial<Call>, 'operation' | 'shows' | 'input'> = {},
): Call => ({ operation, shows, input, ...more });

/** Lets that many milliseconds pass. */
export interface Advance {
  readonly advance: number;
}

/** Gives the merchant a new key. */
export interface RotateKey {
  readonly rotateKey: true;
}

export type Step = Call | Advance | RotateKey;

export const isCall = (step: Step): step is Call => 'operation' in step;

/** A short list of calls that make sense together, in the order they are sent. */
export interface Scenario {
  /** What happens, as a heading: `A token expires`. */
  readonly name: string;
  readonly steps: readonly Step[];
  /**
   * `clock`: a clock that can be moved. `wait`: the time that steps let pass is waited for. `records`: a merchant that
   * has some already.
   */
  readonly needs?: 'clock' | 'wait' | 'records';
}

/** Of the server that is checked, what its scenarios are written for. */
export interface CheckRun {
  /** Tells one check from another, in e-mail addresses. */
  readonly run: string;
  /** Today by the clock of the server, `Y-m-d`. */
  readonly today: string;
}

/** How a check asks what is sold. */
export interface Learner {
  /** Whether purchases may be initiated. */
  readonly buys: boolean;
  readonly run: CheckRun;
  ask(operation: Operation, input: Input): Promise<ReceivedResponse>;
}

/** Whether a server refuses a quote for its product. */
export const refusesProduct = ({ status, text }: ReceivedResponse): boolean =>
  status < 500 && /product/i.test(text);

/** What a check knows of a family. */
export interface FamilyScenarios {
  readonly family: string;
  /** None where no product is known. */
  scenarios(catalogue: Catalogue, run: CheckRun): Scenario[];
  /** Learns the prices of a product; absent where it has none that a quote tells. */
  learn?(learner: Learner, id: number): Promise<LearntPrices>;
  /** When the cover of a record ends, as the rest of it says, and the assumption behind that. */
  endOf(record: Json): readonly [end: string, assumption: AssumptionId] | undefined;
  /** Other prices that would explain what answers hold. */
  pricesFrom?(data: readonly Json[], known: Prices): readonly Prices[];
}
