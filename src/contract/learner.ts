import type { Operation } from '../api/operation.ts';
import type { Prices } from './catalogue.ts';
import type { ReceivedResponse } from './client.ts';

/** How a check asks what is sold. */
export interface Learner {
  /** Whether purchases may be initiated. */
  readonly buys: boolean;
  /** A purchase that is valid but for its product and amount. */
  readonly purchase: Readonly<Record<string, unknown>>;
  ask(operation: Operation, input: object): Promise<ReceivedResponse>;
}

/** The prices of a product: `not sold`, or undefined where the server does not quote at all. */
export type Learn = (learner: Learner, id: number) => Promise<Prices | 'not sold' | undefined>;

/** Whether a server refuses a quote for its product. */
export const refusesProduct = ({ status, text }: ReceivedResponse): boolean =>
  status < 500 && /product/i.test(text);
