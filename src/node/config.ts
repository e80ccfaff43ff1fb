import { DEFAULT_MAX_MERCHANTS } from '../api/activity.ts';
import type { SandboxOptions } from '../public.ts';
import { MAX_SEED } from '../world/random.ts';
import {
  atLeastOne,
  type CommandLine,
  type Environment,
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
import { DEFAULT_HOST, DEFAULT_PORT, START_FLAGS } from './start-flags.ts';

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
  readonly redact: boolean;
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
  /** Reads the fixtures again whenever they change. */
  readonly watch: boolean;
  /** The flag or the variable that an option of the sandbox was said by. */
  sourceOf(option: string): string;
}

/** The configuration a command line and the environment make. Throws `UsageError`. */
export function readConfig(args: readonly string[], environment: Environment): Config {
  const line = readCommandLine(START_FLAGS, args, environment);
  const [unexpectedArg] = line.positionals;
  if (unexpectedArg !== undefined)
    throw new UsageError(
      `start takes no "${unexpectedArg}"; a command stands before its flags, and --help shows both.`,
    );
  const watch = isOn(line, 'watch');
  if (watch) requireWatchable(line);
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
    redact: !isOn(line, 'no-redact'),
    state: text(line, 'state'),
    adminToken: token(line, 'admin-token'),
    log: oneOf(line, 'log', ['off', ...LOG_MODES]),
    open: isOn(line, 'open'),
    json: isOn(line, 'json'),
    quiet: isOn(line, 'quiet'),
    watch,
    sourceOf: (option) => {
      const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return line.options.get(flag)?.source ?? option;
    },
  };
}

/** Refuses to watch where there is nothing to watch, or where changes would not fit what is kept. */
function requireWatchable({ options }: CommandLine): void {
  const watch = options.get('watch')?.source;
  const state = options.get('state')?.source;
  if (state !== undefined) {
    throw new UsageError(
      `${watch} can not go with ${state}: what is kept belongs to the fixtures it began with.`,
    );
  }
  if (options.has('fixtures')) return;
  throw new UsageError(`${watch} needs --fixtures DIR: the built-in fixtures do not change.`);
}
