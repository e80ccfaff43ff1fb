import type { Fetcher, ObjectNamespace } from 'cloudflare:workers';
import { ControlError } from '../control/control-error.ts';
import type { Host } from '../control/host.ts';
import type { MerchantRow } from '../control/sandbox-tables.ts';
import { START_VARIABLES } from '../node/start-options.ts';
import { type OpenSandbox, openSandbox } from '../open-sandbox.ts';
import { OptionError, validateOptions } from '../options.ts';
import type { MerchantState, SandboxOptions } from '../public.ts';
import { nearest, truncate } from '../world/problem-texts.ts';

/** What a deployment binds, besides its variables. */
export interface Bindings {
  /** The objects of keys, each named as its key. */
  readonly WORLDS: ObjectNamespace<WorldCalls>;
  /** Has one object, which lists the merchants. */
  readonly MERCHANTS: ObjectNamespace<MerchantsCalls>;
  /** The documents and the reference pages. */
  readonly ASSETS?: Fetcher;
}

/** A merchant in the list. */
export interface MerchantRecord extends MerchantRow {
  /** The merchant's first key, whose object holds its World. */
  readonly home: string;
}

/** The result of a call to an object. Errors lose their class between objects. */
export type Outcome<Result> =
  | { readonly result: Result }
  | { readonly refused: { readonly status: number; readonly detail: string } };

/** The methods of the object of a key. */
export interface WorldCalls extends Fetcher {
  /** Holds the World of a merchant from now on, if it does not already, and shows it. */
  open(merchant: MerchantRecord): Promise<Outcome<MerchantState>>;
  reset(merchant: MerchantRecord): Promise<Outcome<MerchantState>>;
  /** Gives its merchant another key and blocks the one before. */
  giveKey(merchant: MerchantRecord, apiKey: string): Promise<Outcome<MerchantState>>;
  /** Deletes its World and everything stored, then stores where its key leads, if anywhere. */
  become(lead: Lead | undefined): Promise<void>;
}

/** What a key does that opens no World in its own object. */
export type Lead =
  /** Leads to the object of its merchant's first key. */
  | { readonly kind: 'pointer'; readonly home: string }
  /** Opens nothing, ever. */
  | { readonly kind: 'blocked' };

/** The methods of the object that lists the merchants. */
export interface MerchantsCalls extends Fetcher {
  /** The merchant whose key this is; undefined if the key opens no World. */
  admit(apiKey: string): Promise<MerchantRecord | undefined>;
}

export const merchantsOf = ({ MERCHANTS }: Bindings): MerchantsCalls =>
  MERCHANTS.get(MERCHANTS.idFromName('merchants'));

/** The object of a key. */
export const objectOf = ({ WORLDS }: Bindings, key: string): WorldCalls =>
  WORLDS.get(WORLDS.idFromName(key));

/** What the variables and secrets of a deployment say. */
export interface Deployment {
  readonly options: SandboxOptions;
  /** Whether the built-in merchants exist. */
  readonly hasDemo: boolean;
}

interface Variable {
  /** The option it sets; undefined if it is no option of a sandbox. */
  readonly option?: keyof SandboxOptions;
  /** Reads a value. A value it cannot read stays as it is, and the rules of the option refuse it. */
  read(value: unknown): unknown;
}

const asIs = (value: unknown): unknown => value;
const onOr =
  <On, Off>(on: On, off: Off) =>
  (value: unknown): unknown => {
    const text = String(value);
    if (text === '1' || text === 'true') return on;
    return text === '0' || text === 'false' ? off : value;
  };
const number = (value: unknown): unknown =>
  /^\d{1,15}$/.test(String(value)) ? Number(value) : value;

/** A variable may hold JSON itself, or its text. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const PREFIX = 'SANDBOX_';

/** By name, which is that of the command's variable of the same meaning. */
const VARIABLES: Readonly<Record<string, Variable>> = {
  SANDBOX_ADMIN_TOKEN: { option: 'adminToken', read: asIs },
  SANDBOX_AUTO_MERCHANTS: { option: 'autoMerchants', read: onOr(true, false) },
  SANDBOX_MAX_MERCHANTS: { option: 'maxMerchants', read: number },
  SANDBOX_NOW: { option: 'now', read: asIs },
  SANDBOX_FREEZE: { option: 'clock', read: onOr('frozen', 'running') },
  SANDBOX_SEED: { option: 'seed', read: number },
  SANDBOX_AMOUNT_CHECK: { option: 'amountCheck', read: asIs },
  SANDBOX_PROFILE: { option: 'profile', read: json },
  SANDBOX_PUBLIC_URL: { option: 'publicUrl', read: asIs },
  SANDBOX_CORS: { option: 'cors', read: asIs },
  SANDBOX_NO_REDACT: { option: 'redact', read: onOr(false, true) },
  SANDBOX_DEMO: { read: onOr(true, false) },
};

/** Reads the variables of a deployment. Throws `ControlError`, or `OptionError`, for the first that is wrong. */
export function readVars(env: object): Deployment {
  const options: Record<string, unknown> = {};
  let hasDemo = false;
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || value === '') continue;
    const variable = VARIABLES[name];
    if (!variable) throw unknownVariable(name);
    const meant = variable.read(value);
    if (variable.option) options[variable.option] = meant;
    else if (typeof meant === 'boolean') hasDemo = meant;
    else throw new ControlError(422, `${name} must be 1 or 0; got ${truncate(value)}.`);
  }
  validateOptions(options);
  return { options, hasDemo };
}

const endOf = (name: string): string => name.slice(PREFIX.length);

function unknownVariable(name: string): ControlError {
  const isOfCommand = START_VARIABLES.includes(name);
  const ends = Object.keys(VARIABLES).map(endOf);
  const meant = isOfCommand ? undefined : nearest(endOf(name), ends);
  const hint = meant === undefined ? '' : ` Did you mean ${PREFIX}${meant}?`;
  const known = Object.keys(VARIABLES).join(', ');
  return new ControlError(422, `${name} means nothing to a Worker.${hint} Known are ${known}.`);
}

const deployments = new WeakMap<object, Deployment>();

/** What the variables of a deployment say. Throws `ControlError` (503) if one is wrong. */
export function deploymentOf(env: object): Deployment {
  const known = deployments.get(env) ?? orMisconfigured(() => readVars(env));
  deployments.set(env, known);
  return known;
}

/** Opens one part of a hosted sandbox, without merchants. Throws `ControlError` (503). */
export const openPart = (
  env: object,
  { autoMerchants = false, ...host }: Omit<Host, 'closing'> & { readonly autoMerchants?: boolean },
): OpenSandbox => {
  const { options, hasDemo } = deploymentOf(env);
  const warn = (line: string) => console.warn(line);
  return orMisconfigured(() =>
    openSandbox({ ...options, autoMerchants }, { warn, isHosted: true, hasDemo, ...host }),
  );
};

const emptySandboxes = new WeakMap<object, OpenSandbox>();

/** The sandbox that answers callers without a World: it has no merchants and stores nothing. */
export function emptySandboxOf(env: object): OpenSandbox {
  const known = emptySandboxes.get(env) ?? openPart(env, {});
  emptySandboxes.set(env, known);
  return known;
}

/** A wrong variable is no mistake of the caller: 503, naming the variable. */
function orMisconfigured<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = mistakeOf(error as Error);
    throw new ControlError(503, `This sandbox is set up wrongly. ${reason}`);
  }
}

function mistakeOf(error: Error): string {
  if (!(error instanceof OptionError)) return error.message;
  const [name] = Object.entries(VARIABLES).find(([, { option }]) => option === error.option) ?? [];
  return name === undefined ? error.message : `${name}: ${error.message}`;
}
