import { DEFAULT_MAX_MERCHANTS } from '../api/activity.ts';
import type { SandboxOptions } from '../public.ts';

export const PROGRAM = 'micro-insurance-sandbox';
export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** What the request log prints for a call: a line, the line and the bodies, or a JSON object. */
export const LOG_MODES = ['calls', 'bodies', 'json'] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** The options of a sandbox over a socket. */
export interface ServerOptions extends SandboxOptions {
  /** Port; 0 takes a free one. Default: 4015. */
  readonly port?: number;
  /** Address to listen on. Default: 127.0.0.1, this machine only. */
  readonly host?: string;
  /** File that keeps everything across restarts and crashes, with a log beside it. `close()` saves it. */
  readonly state?: string;
  /**
   * Prints each call to standard output, as `--log` does: a line (`calls`), the line and the bodies (`bodies`), or a
   * JSON object (`json`). Default: `off`.
   */
  readonly log?: LogMode | 'off';
}

/**
 * An option of a command: its flags, description, default, and environment variables, of which the first set one
 * counts.
 */
export type OptionRow = readonly [
  flags: string,
  description: string,
  byDefault?: string | undefined,
  ...variables: string[],
];

/** The options of a command, in the groups of its help. */
export type OptionGroups = Readonly<Record<string, readonly OptionRow[]>>;

/** The same options with an environment variable each: `SANDBOX_PUBLIC_URL` for `--public-url`. */
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

export const START_OPTIONS = withVariables('SANDBOX', {
  Server: [
    ['-p, --port <N>', 'port; 0 takes a free one', `${DEFAULT_PORT}`, 'PORT'],
    ['--host <H>', 'address to listen on; 0.0.0.0 for all', DEFAULT_HOST],
    ['--public-url <URL>', 'base of the page URLs in lists', 'from the request'],
    ['--cors <ORIGIN>', 'allowed CORS origin, such as http://localhost:5173; * for all', 'off'],
    [
      '--admin-token <T>',
      'token for admin calls; without it they work from this machine only',
      'none',
    ],
  ],
  Data: [
    ['--fixtures <DIR>', 'folder of fixture files; missing ones are built in', 'built in'],
    ['--watch', 'reload changed fixture files, for resets and new merchants', 'off'],
    ['--profile <FILE>', 'profile to follow; check --write-profile writes one', 'none'],
    ['--amount-check <exact|ignore>', 'whether amounts must equal the premium', 'exact'],
    ['--state <FILE>', 'keep everything in FILE across restarts and crashes', 'off'],
  ],
  'Time and random numbers': [
    ['--now <INSTANT>', 'start of every clock, such as 2026-01-31T10:00:00Z', 'real time'],
    ['--freeze', 'stop every clock until it is moved', 'running'],
    ['--seed <N>', 'seed of the random numbers', '1'],
  ],
  Merchants: [
    ['--auto-merchants', 'a new key opens an empty World instead of 401', 'off'],
    ['--max-merchants <N>', 'most merchants', `${DEFAULT_MAX_MERCHANTS}`],
  ],
  Output: [
    [
      `--log <${['off', ...LOG_MODES].join('|')}>`,
      'request log: a line a call, with bodies, or as JSON',
      'calls on a terminal, else off',
    ],
    ['--no-redact', 'show keys and identity numbers in journal and log', 'off'],
    ['--open', 'open the inspector in the default browser', 'off'],
    ['--json', 'print the address as one line of JSON', 'off'],
    ['--quiet', 'print errors only', 'off'],
  ],
});

/** The environment variables of `start`. */
export const START_VARIABLES: readonly string[] = Object.values(START_OPTIONS)
  .flat()
  .flatMap(([_flags, _description, _byDefault, ...variables]) => variables);
