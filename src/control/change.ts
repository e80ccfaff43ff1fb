import type { z } from '@hono/zod-openapi';
import { type ChangeLine, type ChangeLog, NotStoredError } from '../core/change-log.ts';
import { atOneMoment, type Time } from '../core/clock.ts';
import { inChunks, jsonPieces } from '../core/json-pieces.ts';
import { type ActivityFeed, announce, type MerchantsChanged } from '../http/activity.ts';
import type { Merchant } from '../http/merchant.ts';
import { ControlError } from './control-error.ts';

/** What is changed: a sandbox, which may keep a log of its changes. */
interface Changed {
  readonly time: Time;
  readonly log: ChangeLog | undefined;
  readonly activity: ActivityFeed;
}

/** A rule that changes something, by the name under which a log has it. */
export interface LoggedRule {
  readonly name: string;
  /** What it takes, as a log holds it; undefined where it takes nothing. */
  readonly input: z.ZodType | undefined;
  /** The merchant is undefined where the whole sandbox is changed. */
  make(store: unknown, merchant: unknown, input: unknown): unknown;
}

/** What a change takes, if anything. */
type Given<Input> = undefined extends Input ? [input?: Input] : [input: Input];

/** Makes a change at one moment, written down before. Throws `ControlError`; nothing is changed then. */
type Change<Args extends unknown[], Result> = ((...args: Args) => Result) & {
  readonly rule: LoggedRule;
};

/** Declares a change of one merchant's World. */
export const worldChange = <Store extends Changed, Account extends Merchant, Input, Result>(
  name: string,
  input: z.ZodType<Input> | undefined,
  make: (store: Store, merchant: Account, input: Input) => Result,
) =>
  merchantChange(name, input, make, ({ activity }, merchant) => announceWorld(activity, merchant));

/** Declares a change of one merchant that leaves its World as it is. */
export const accountChange = <Store extends Changed, Account extends Merchant, Input>(
  name: string,
  change: MerchantsChanged['change'],
  input: z.ZodType<Input> | undefined,
  make: (store: Store, merchant: Account, input: Input) => void,
) =>
  merchantChange(name, input, make, ({ activity }, merchant) =>
    announce(activity, { kind: 'merchants', merchant, change }),
  );

/** Tells that the control plane changed the World of a merchant. */
export const announceWorld = (activity: ActivityFeed, merchant: Merchant): void =>
  announce(activity, { kind: 'world', merchant });

function merchantChange<Store extends Changed, Account extends Merchant, Input, Result>(
  name: string,
  input: z.ZodType<Input> | undefined,
  make: (store: Store, merchant: Account, input: Input) => Result,
  tell: (store: Store, merchant: Account) => void,
): Change<[store: Store, merchant: Account, ...input: Given<Input>], Result> {
  const change = (store: Store, merchant: Account, ...[given]: Given<Input>) => {
    const result = logged(store, { change: name, merchant: merchant.id, input: given }, () =>
      make(store, merchant, given as Input),
    );
    tell(store, merchant);
    return result;
  };
  return Object.assign(change, { rule: { name, input, make: make as LoggedRule['make'] } });
}

/** Declares a change of the whole sandbox. */
export function sandboxChange<Store extends Changed, Input, Result>(
  name: string,
  input: z.ZodType<Input> | undefined,
  make: (store: Store, input: Input) => Result,
): Change<[store: Store, ...input: Given<Input>], Result> {
  const change = (store: Store, ...[given]: Given<Input>) =>
    logged(store, { change: name, input: given }, () => make(store, given as Input));
  const again = (store: Store, _: unknown, given: Input) => make(store, given);
  return Object.assign(change, { rule: { name, input, make: again as LoggedRule['make'] } });
}

/** Writes a change down and makes it, at one moment. */
export function logged<Result>(
  { time, log }: Changed,
  line: Omit<ChangeLine, 'at'>,
  make: () => Result,
): Result {
  return atOneMoment(time, () => {
    if (log) stored(() => log.append({ at: time.latest, ...line }));
    return make();
  });
}

/** Makes a change that takes a document, which is written down in parts before: it yields after each. */
export function* makeWithDocument(
  changed: Changed,
  line: Omit<ChangeLine, 'at'>,
  document: () => unknown,
  make: () => void,
): Generator<void, void> {
  const { log } = changed;
  if (!log) return logged(changed, line, make);
  const parts = log.openParts();
  try {
    for (const text of inChunks(jsonPieces(document()))) {
      stored(() => log.append({ part: parts, text }));
      yield;
    }
    logged(changed, { ...line, parts }, make);
    log.requestSave();
  } finally {
    log.closeParts(parts);
  }
}

/** What could not be written down is refused as the control plane refuses. */
export function stored(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw error instanceof NotStoredError ? new ControlError(507, error.message) : error;
  }
}
