import { MAX_SEED } from '../core/random.ts';
import { DEFAULT_MAX_MERCHANTS } from '../http/merchant.ts';
import type { SandboxOptions } from '../public.ts';
import {
  atLeastOne,
  type Environment,
  type Flag,
  isOn,
  oneOf,
  readCommandLine,
  text,
  token,
  UsageError,
  webAddress,
  wholeNumber,
} from './flags.ts';
import { LOG_MODES, type LogMode } from './log-options.ts';

export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** Everything the command can be told. Read once, here, and passed in. */
export interface Config
  extends Required<Pick<SandboxOptions, 'clock' | 'seed' | 'autoMerchants' | 'maxMerchants'>> {
  /** What the profile says, unless it is said here. */
  readonly amountCheck: SandboxOptions['amountCheck'];
  readonly port: number;
  readonly host: string;
  /** A folder of fixture files. */
  readonly fixtures: string | undefined;
  readonly now: string | undefined;
  readonly publicUrl: string | undefined;
  readonly cors: string | undefined;
  readonly state: string | undefined;
  /** A profile file. */
  readonly profile: string | undefined;
  readonly adminToken: string | undefined;
  /** Undefined where it depends on what standard output is. */
  readonly log: LogMode | 'off' | undefined;
  readonly open: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** The flags of `start`. */
export const START_FLAGS: readonly Flag[] = [
  {
    name: 'port',
    value: 'N',
    env: ['SANDBOX_PORT', 'PORT'],
    default: `${DEFAULT_PORT}`,
    description: 'where it listens; 0 takes a free one',
  },
  {
    name: 'host',
    value: 'H',
    env: ['SANDBOX_HOST'],
    default: DEFAULT_HOST,
    description: 'the address it listens on; 0.0.0.0 for all of them',
  },
  {
    name: 'fixtures',
    value: 'DIR',
    env: ['SANDBOX_FIXTURES'],
    default: 'built in',
    description: 'fixture files; what DIR lacks comes from the built-in ones',
  },
  {
    name: 'now',
    value: 'INSTANT',
    env: ['SANDBOX_NOW'],
    default: 'real time',
    description: 'where every clock starts, such as 2026-01-31T10:00:00Z; each key has its own',
  },
  {
    name: 'freeze',
    env: ['SANDBOX_FREEZE'],
    default: 'running',
    description: 'clocks stand still until they are moved',
  },
  {
    name: 'seed',
    value: 'N',
    env: ['SANDBOX_SEED'],
    default: '1',
    description: 'what numbers, tokens and chance start from; the same seed, the same answers',
  },
  {
    name: 'auto-merchants',
    env: ['SANDBOX_AUTO_MERCHANTS'],
    default: 'off',
    description: 'an unknown key opens a fresh sandbox of its own instead of 401',
  },
  {
    name: 'max-merchants',
    value: 'N',
    env: ['SANDBOX_MAX_MERCHANTS'],
    default: `${DEFAULT_MAX_MERCHANTS}`,
    description: 'how many merchants there may be; nobody is added beyond',
  },
  {
    name: 'amount-check',
    value: 'exact|ignore',
    env: ['SANDBOX_AMOUNT_CHECK'],
    default: 'exact',
    description: 'whether amounts must be those of the quote',
  },
  {
    name: 'profile',
    value: 'FILE',
    env: ['SANDBOX_PROFILE'],
    default: 'none',
    description: 'decisions to take otherwise than published; check --write-profile writes it',
  },
  {
    name: 'public-url',
    value: 'URL',
    env: ['SANDBOX_PUBLIC_URL'],
    default: 'from the request',
    description: 'base of the page URLs in lists',
  },
  {
    name: 'cors',
    value: 'ORIGIN',
    env: ['SANDBOX_CORS'],
    default: 'off',
    description: 'whose pages may call the merchant API, such as http://localhost:5173; * for all',
  },
  {
    name: 'state',
    value: 'FILE',
    env: ['SANDBOX_STATE'],
    default: 'off',
    description: 'keeps everything there over stops and crashes, with a log beside it',
  },
  {
    name: 'admin-token',
    value: 'T',
    env: ['SANDBOX_ADMIN_TOKEN'],
    default: 'none',
    description:
      'asked for by calls over all merchants; without one, these come from this machine only',
  },
  {
    name: 'log',
    value: ['off', ...LOG_MODES].join('|'),
    env: ['SANDBOX_LOG'],
    default: 'calls on a terminal, else off',
    description: 'a line for each call, with its bodies, or as JSON',
  },
  {
    name: 'open',
    env: ['SANDBOX_OPEN'],
    default: 'off',
    description: 'open the inspector in the default browser',
  },
  {
    name: 'json',
    env: ['SANDBOX_JSON'],
    default: 'off',
    description: 'say where it listens in one line of JSON',
  },
  {
    name: 'quiet',
    env: ['SANDBOX_QUIET'],
    default: 'off',
    description: 'say nothing but errors',
  },
];

/** The configuration a command line and the environment make. Throws `UsageError`. */
export function readConfig(args: readonly string[], environment: Environment): Config {
  const line = readCommandLine(START_FLAGS, args, environment);
  const [unexpectedArg] = line.positionals;
  if (unexpectedArg !== undefined)
    throw new UsageError(
      `start takes no "${unexpectedArg}"; a command stands before its flags, and --help shows both.`,
    );
  return {
    port: wholeNumber(line, 'port', DEFAULT_PORT, 65_535),
    host: text(line, 'host') ?? DEFAULT_HOST,
    fixtures: text(line, 'fixtures'),
    now: text(line, 'now'),
    clock: isOn(line, 'freeze') ? 'frozen' : 'running',
    seed: wholeNumber(line, 'seed', 1, MAX_SEED),
    autoMerchants: isOn(line, 'auto-merchants'),
    maxMerchants: atLeastOne(line, 'max-merchants', DEFAULT_MAX_MERCHANTS),
    amountCheck: oneOf(line, 'amount-check', ['exact', 'ignore']),
    profile: text(line, 'profile'),
    publicUrl: webAddress(line, 'public-url'),
    cors: text(line, 'cors'),
    state: text(line, 'state'),
    adminToken: token(line, 'admin-token'),
    log: oneOf(line, 'log', ['off', ...LOG_MODES]),
    open: isOn(line, 'open'),
    json: isOn(line, 'json'),
    quiet: isOn(line, 'quiet'),
  };
}
