import { LAST_SEED } from '../core/random.ts';
import type { SandboxOptions } from '../public.ts';
import { isOn, oneOf, text, webAddress, wholeNumber } from './flag-values.ts';
import { type CommandLine, type Environment, type Flag, readCommandLine } from './flags.ts';
import { DEFAULT_HOST, DEFAULT_PORT } from './serve.ts';
import { UsageError } from './usage.ts';

/** Everything the command can be told. Read once, here, and passed in. */
export interface Config extends Required<Pick<SandboxOptions, 'clock' | 'seed' | 'autoMerchants'>> {
  /** What the profile says, unless it is said here. */
  readonly amountCheck: SandboxOptions['amountCheck'];
  readonly port: number;
  readonly host: string;
  /** A folder of fixture files. */
  readonly fixtures: string | undefined;
  readonly now: string | undefined;
  readonly publicUrl: string | undefined;
  readonly state: string | undefined;
  /** A profile file. */
  readonly profile: string | undefined;
  readonly adminToken: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The flags of `start`. */
export const START_FLAGS: readonly Flag[] = [
  {
    name: 'port',
    value: 'N',
    twins: ['SANDBOX_PORT', 'PORT'],
    standard: `${DEFAULT_PORT}`,
    description: 'where it listens; 0 takes a free one',
  },
  {
    name: 'host',
    value: 'H',
    twins: ['SANDBOX_HOST'],
    standard: DEFAULT_HOST,
    description: 'the address it listens on; 0.0.0.0 for all of them',
  },
  {
    name: 'fixtures',
    value: 'DIR',
    twins: ['SANDBOX_FIXTURES'],
    standard: 'built in',
    description: 'fixture files; what DIR lacks comes from the built-in ones',
  },
  {
    name: 'now',
    value: 'INSTANT',
    twins: ['SANDBOX_NOW'],
    standard: 'real time',
    description: 'where every clock starts, such as 2026-01-31T10:00:00Z; each key has its own',
  },
  {
    name: 'freeze',
    twins: ['SANDBOX_FREEZE'],
    standard: 'running',
    description: 'clocks stand still until they are moved',
  },
  {
    name: 'seed',
    value: 'N',
    twins: ['SANDBOX_SEED'],
    standard: '1',
    description: 'what numbers, tokens and chance start from; the same seed, the same answers',
  },
  {
    name: 'auto-merchants',
    twins: ['SANDBOX_AUTO_MERCHANTS'],
    standard: 'off',
    description: 'an unknown key opens a fresh sandbox of its own instead of 401',
  },
  {
    name: 'amount-check',
    value: 'exact|ignore',
    twins: ['SANDBOX_AMOUNT_CHECK'],
    standard: 'exact',
    description: 'whether amounts must be those of the quote',
  },
  {
    name: 'profile',
    value: 'FILE',
    twins: ['SANDBOX_PROFILE'],
    standard: 'none',
    description: 'decisions to take otherwise than published; check --write-profile writes it',
  },
  {
    name: 'public-url',
    value: 'URL',
    twins: ['SANDBOX_PUBLIC_URL'],
    standard: 'from the request',
    description: 'base of the page URLs in lists',
  },
  {
    name: 'state',
    value: 'FILE',
    twins: ['SANDBOX_STATE'],
    standard: 'off',
    description: 'restored at the start if it exists, saved at a clean stop',
  },
  {
    name: 'admin-token',
    value: 'T',
    twins: ['SANDBOX_ADMIN_TOKEN'],
    standard: 'none',
    description:
      'asked for by calls over all merchants; without one, these come from this machine only',
  },
  {
    name: 'json',
    twins: ['SANDBOX_JSON'],
    standard: 'off',
    description: 'say where it listens in one line of JSON',
  },
  {
    name: 'quiet',
    twins: ['SANDBOX_QUIET'],
    standard: 'off',
    description: 'say nothing but errors',
  },
];

/** The configuration a command line and the environment make. Throws `UsageError`. */
export function readConfig(args: readonly string[], environment: Environment): Config {
  const line = readCommandLine(START_FLAGS, args, environment);
  const [surplus] = line.positionals;
  if (surplus !== undefined)
    throw new UsageError(
      `start takes no "${surplus}"; a command stands before its flags, and --help shows both.`,
    );
  return {
    port: wholeNumber(line, 'port', DEFAULT_PORT, 65_535),
    host: text(line, 'host') ?? DEFAULT_HOST,
    fixtures: text(line, 'fixtures'),
    now: text(line, 'now'),
    clock: isOn(line, 'freeze') ? 'frozen' : 'running',
    seed: wholeNumber(line, 'seed', 1, LAST_SEED),
    autoMerchants: isOn(line, 'auto-merchants'),
    amountCheck: oneOf(line, 'amount-check', ['exact', 'ignore']),
    profile: text(line, 'profile'),
    publicUrl: webAddress(line, 'public-url'),
    state: text(line, 'state'),
    adminToken: token(line, 'admin-token'),
    json: isOn(line, 'json'),
    quiet: isOn(line, 'quiet'),
  };
}

function token(line: CommandLine, name: string): string | undefined {
  const given = line.said.get(name);
  if (!given || /^\S+$/.test(String(given.value))) return text(line, name);
  throw new UsageError(`${given.source} must be a text without blanks.`);
}
