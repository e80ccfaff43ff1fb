/* A deployment: its settings, and the objects that its parts call. */

import type { Fetcher, ObjectNamespace } from 'cloudflare:workers';
import { ControlError } from '../control/control-error.ts';
import type { Cluster, HostLimits } from '../control/host.ts';
import { type OpenSandbox, openSandbox } from '../sandbox/open-sandbox.ts';
import { isText, OptionError, splitOrigins, validateOptions } from '../sandbox/options.ts';
import { START_VARIABLES } from '../sandbox/start-options.ts';
import type { MerchantState, SandboxOptions } from '../types/public.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { nearest, truncate } from '../world/problem-texts.ts';

/** The bindings of a deployment, besides its variables. */
export interface Bindings {
  /** One object per key, named like the key. */
  readonly WORLDS: ObjectNamespace<WorldCalls>;
  /** A single object, which lists the merchants. */
  readonly MERCHANTS: ObjectNamespace<MerchantsCalls>;
  /** The documents and the reference pages. */
  readonly ASSETS?: Fetcher;
}

/** A merchant in the list. */
export interface MerchantRecord extends MerchantRow {
  /** The merchant's first key. Its object holds the World. */
  readonly home: string;
}

/** The result of a method call to an object. Errors lose their class between objects. */
export type ObjectResult<Result> =
  | { readonly result: Result }
  | { readonly refused: { readonly status: number; readonly detail: string } };

/** The methods of the object of a key. */
export interface WorldCalls extends Fetcher {
  /** Creates the World of a merchant if it does not exist, and returns its state. */
  open(merchant: MerchantRecord): Promise<ObjectResult<MerchantState>>;
  reset(merchant: MerchantRecord): Promise<ObjectResult<MerchantState>>;
  /** Gives the merchant a new key and blocks the old one. */
  giveKey(merchant: MerchantRecord, apiKey: string): Promise<ObjectResult<MerchantState>>;
  /** Deletes the World and everything stored, then stores the new role of the key, if any. */
  setRole(role: KeyRole | undefined): Promise<void>;
}

/** The role of a key without a World in its own object. */
export type KeyRole =
  /** Points to the object of the merchant's first key. */
  | { readonly kind: 'pointer'; readonly home: string }
  /** Never opens a World. */
  | { readonly kind: 'blocked' };

/** The methods of the object that lists the merchants. */
export interface MerchantsCalls extends Fetcher {
  /** The merchant of a key; undefined if the key opens no World. Refuses with 507 only. */
  admit(apiKey: string): Promise<ObjectResult<MerchantRecord | undefined>>;
}

export const merchantsOf = ({ MERCHANTS }: Bindings): MerchantsCalls =>
  MERCHANTS.get(MERCHANTS.idFromName('merchants'));

/** The object of a key. */
export const objectOf = ({ WORLDS }: Bindings, key: string): WorldCalls =>
  WORLDS.get(WORLDS.idFromName(key));

/** The settings in the variables and secrets of a deployment. */
export interface Deployment {
  readonly options: SandboxOptions;
  /** Whether the built-in merchants exist. */
  readonly hasDemo: boolean;
}

interface Variable {
  /** The sandbox option that it sets, if any. */
  readonly option?: keyof SandboxOptions;
  /** Parses a value. An invalid value stays as it is; the rules of the option refuse it. */
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

/** A variable may contain JSON or a string with JSON. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const PREFIX = 'SANDBOX_';

/** By name, the same as the command's variable. */
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
  SANDBOX_CORS: {
    option: 'cors',
    read: (value) => (isText(value) ? splitOrigins(value) : value),
  },
  SANDBOX_NO_REDACT: { option: 'redact', read: onOr(false, true) },
  SANDBOX_DEMO: { read: onOr(true, false) },
};

/** Reads the variables of a deployment. Throws `ControlError` or `OptionError` for the first invalid one. */
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
  return new ControlError(
    422,
    `${name} is not supported in a Worker.${hint} Supported variables: ${known}.`,
  );
}

const deployments = new WeakMap<object, Deployment>();

/** The settings of a deployment. Throws `ControlError` (503) if a variable is invalid. */
export function deploymentOf(env: object): Deployment {
  const known = deployments.get(env) ?? orMisconfigured(() => readVars(env));
  deployments.set(env, known);
  return known;
}

/** Opens one part of a hosted sandbox, without merchants. Throws `ControlError` (503). */
export const openPart = (
  env: object,
  {
    autoMerchants = false,
    limits,
    ...cluster
  }: Pick<Cluster, 'calls'> & {
    readonly autoMerchants?: boolean;
    readonly limits?: HostLimits;
  } = {},
): OpenSandbox => {
  const { options, hasDemo } = deploymentOf(env);
  return orMisconfigured(() =>
    openSandbox(
      { ...options, autoMerchants },
      {
        warn: (line) => console.warn(line),
        cluster: { hasDemo, ...cluster },
        limits: { maxStartPolicies: MAX_START_POLICIES, ...limits },
      },
    ),
  );
};

const emptySandboxes = new WeakMap<object, OpenSandbox>();

/** They are bought in one request to an object, and stored at once. */
const MAX_START_POLICIES = 5_000;

/** The sandbox for callers without a World. It has no merchants and stores nothing. */
export function emptySandboxOf(env: object): OpenSandbox {
  const known = emptySandboxes.get(env) ?? openPart(env);
  emptySandboxes.set(env, known);
  return known;
}

/** An invalid variable is not the caller's mistake, so it is a 503 that names the variable. */
function orMisconfigured<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = mistakeOf(error as Error);
    throw new ControlError(503, `The configuration of this sandbox is invalid. ${reason}`);
  }
}

function mistakeOf(error: Error): string {
  if (!(error instanceof OptionError)) return error.message;
  const [name] = Object.entries(VARIABLES).find(([, { option }]) => option === error.option) ?? [];
  return name === undefined ? error.message : `${name}: ${error.message}`;
}
