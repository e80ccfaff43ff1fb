/* The options of commands that start a sandbox, with their flags and environment variables. */

import { LOG_MODES } from '../control/log-line.ts';
import type { SandboxOptions } from '../types/public.ts';
import { DEFAULT_MAX_MERCHANTS } from '../world/merchants.ts';

/** The variable with the folder of the `chaos` run that a program belongs to. */
export const RUN_VARIABLE = 'SANDBOX_CHAOS';

export const PROGRAM = 'micro-insurance-sandbox';
/** Starts the program in a project that has it as a dependency, for command lines to copy. */
export const RUN = `npx ${PROGRAM}`;
export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** The options of a sandbox over a socket. */
export interface ServerOptions extends SandboxOptions {
  /** 4015 by default; 0 picks a free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default: this machine only. */
  readonly host?: string | undefined;
  /** A file that keeps all data across restarts and crashes, together with `FILE.log`. `close()` saves it. */
  readonly state?: string | undefined;
}

/** An option of a command: its flags, description, default and environment variables. The first set variable wins. */
export type OptionRow = readonly [
  flags: string,
  description: string,
  byDefault?: string | undefined,
  ...variables: string[],
];

/** The options of a command, in the groups of its help. */
export type OptionGroups = Readonly<Record<string, readonly OptionRow[]>>;

/** Adds an environment variable to each option, named after its flag: `SANDBOX_PUBLIC_URL` for `--public-url`. */
export const withVariables = (prefix: string, groups: OptionGroups): OptionGroups =>
  Object.fromEntries(
    Object.entries(groups).map(([title, rows]) => [
      title,
      rows.map(([flags, description, byDefault, ...others]) => {
        const [, name = ''] = /--([a-z-]+)/.exec(flags) ?? [];
        const variable = `${prefix}_${name.replaceAll('-', '_').toUpperCase()}`;
        return [flags, description, byDefault, variable, ...others] as const;
      }),
    ]),
  );

/** How every World starts. */
const WORLD_ROWS: readonly OptionRow[] = [
  ['--fixtures <DIR>', 'folder of fixture files; built-in files fill the gaps', 'built-in files'],
  ['--profile <FILE>', 'profile that changes assumptions; check --write-profile writes one'],
  ['--amount-check <exact|ignore>', 'whether amounts must match the premium', 'exact'],
  [
    '--now <INSTANT>',
    "start of every World's clock: a time like 2026-01-31T10:00:00Z, or a day",
    'real time',
  ],
  ['--freeze', 'stop the clocks until a request moves them'],
  ['--seed <N>', 'seed of the random numbers', '1'],
];

const AUTO_MERCHANTS: OptionRow = [
  '--auto-merchants',
  'create a merchant for each unknown key instead of returning 401',
];

/** The options of commands that start a sandbox for themselves. */
export const SANDBOX_OPTIONS = withVariables('SANDBOX', {
  World: WORLD_ROWS,
  Merchants: [AUTO_MERCHANTS],
});

export const START_OPTIONS = withVariables('SANDBOX', {
  Server: [
    ['-p, --port <N>', 'port to listen on; 0 picks a free one', `${DEFAULT_PORT}`, 'PORT'],
    ['--host <H>', 'address to listen on; 0.0.0.0 for all interfaces', DEFAULT_HOST],
    ['--public-url <URL>', 'base of the page URLs in lists', 'taken from the request'],
    [
      '--cors <ORIGIN[,ORIGIN]>',
      'origins of pages that may call it, such as http://localhost:5173; * for all',
    ],
    ['--admin-token <T>', 'token for admin calls; without it they work from this machine only'],
    [
      '--attached',
      'stop when standard input closes, so as not to outlive the program that started it',
    ],
    ['--open', 'open the inspector in the default browser'],
  ],
  World: [...WORLD_ROWS, ['--watch', 'reload changed fixture files for new merchants and resets']],
  Merchants: [
    AUTO_MERCHANTS,
    ['--max-merchants <N>', 'maximum number of merchants', `${DEFAULT_MAX_MERCHANTS}`],
  ],
  State: [['--state <FILE>', 'keep all data in FILE and FILE.log across restarts and crashes']],
  Output: [
    [
      `--log <${['off', ...LOG_MODES].join('|')}>`,
      'log a line for each request, with its bodies, or as JSON',
      'calls on a terminal, otherwise off',
    ],
    ['--no-redact', 'show keys and identity numbers in the journal and the log'],
    ['--json', 'print the address and the key as one line of JSON'],
    ['--quiet', 'print errors only'],
  ],
});

/** The environment variables that set options of `start`. */
export const START_VARIABLES: readonly string[] = Object.values(START_OPTIONS)
  .flat()
  .flatMap(([_flags, _description, _byDefault, ...variables]) => variables);
