import { ControlError } from '../control/control-error.ts';
import { START_VARIABLES } from '../node/start-options.ts';
import { OptionError, validateOptions } from '../options.ts';
import type { SandboxOptions } from '../public.ts';
import { nearest } from '../world/nearest.ts';
import { truncate } from '../world/zod-issues.ts';

/** What the variables and secrets of a deployment say. */
export interface Deployment {
  readonly options: SandboxOptions;
  /** Whether the built-in merchants exist. */
  readonly hasDemo: boolean;
}

interface Variable {
  /** The option it sets; undefined where it is no option of a sandbox. */
  readonly option?: keyof SandboxOptions;
  /** What a value means. What it can not mean stays as it is, for the rules of the option to refuse. */
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

/** Each by its name, which is that of the command's variable of the same meaning. */
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

/** Reads the variables of a deployment. Throws `ControlError` that names the one which can not be used. */
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

/** What is wrong with a deployment, by the name of the variable that says it. */
export function describeMistake(error: Error): string {
  if (!(error instanceof OptionError)) return error.message;
  const [name] = Object.entries(VARIABLES).find(([, { option }]) => option === error.option) ?? [];
  return name === undefined ? error.message : `${name}: ${error.message}`;
}
