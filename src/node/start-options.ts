import { DEFAULT_MAX_MERCHANTS } from '../api/activity.ts';
import type { SandboxOptions } from '../public.ts';

export const PROGRAM = 'micro-insurance-sandbox';
export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** What a log has of every call: a line, its bodies besides, or an object of JSON. */
export const LOG_MODES = ['calls', 'bodies', 'json'] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** The options of a sandbox over a socket. */
export interface ServerOptions extends SandboxOptions {
  /** 0 takes a free one; 4015 unless given. */
  readonly port?: number;
  /** 127.0.0.1 unless given: this machine only. */
  readonly host?: string;
  /** A file that keeps everything across stops and crashes, with a log beside it; `close()` saves it. */
  readonly state?: string;
  /**
   * Writes a line of every call to standard output, as the command's `--log` does: `calls`, `bodies` with what was
   * sent and answered, or `json`, an object a line. `off` unless given.
   */
  readonly log?: LogMode | 'off';
}

/**
 * An option of a command: how it is written, what it does, what holds without it, and the environment variables that
 * mean the same, of which the first set one counts.
 */
export type OptionRow = readonly [
  flags: string,
  description: string,
  byDefault?: string | undefined,
  ...variables: string[],
];

/** The options of a command, in the groups of its help. */
export type OptionGroups = Readonly<Record<string, readonly OptionRow[]>>;

/** The same options with a variable for each, which is named for the flag: `SANDBOX_PUBLIC_URL` for `--public-url`. */
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
  'Where it listens, and to whom': [
    ['-p, --port <N>', 'where it listens; 0 takes a free one', `${DEFAULT_PORT}`, 'PORT'],
    ['--host <H>', 'the address it listens on; 0.0.0.0 for all of them', DEFAULT_HOST],
    ['--public-url <URL>', 'base of the page URLs in lists', 'from the request'],
    [
      '--cors <ORIGIN>',
      'whose pages may call the merchant API from a browser, such as http://localhost:5173; * for all',
      'off',
    ],
    [
      '--admin-token <T>',
      'asked for by calls over all merchants; without one, these come from this machine only',
      'none',
    ],
  ],
  'What it knows': [
    ['--fixtures <DIR>', 'fixture files; what DIR lacks comes from the built-in ones', 'built in'],
    [
      '--watch',
      'read fixture files again when they change: resets and new merchants take them, running ones stay as they are',
      'off',
    ],
    [
      '--profile <FILE>',
      'decisions to take otherwise than published; check --write-profile writes it',
      'none',
    ],
    ['--amount-check <exact|ignore>', 'whether amounts must be those of the quote', 'exact'],
    [
      '--state <FILE>',
      'keeps everything there across stops and crashes, with a log beside it',
      'off',
    ],
  ],
  'Time and chance': [
    [
      '--now <INSTANT>',
      'where every clock starts, such as 2026-01-31T10:00:00Z; each key has its own',
      'real time',
    ],
    ['--freeze', 'clocks stand still until they are moved', 'running'],
    [
      '--seed <N>',
      'what numbers, tokens and chance start from; the same seed, the same answers',
      '1',
    ],
  ],
  Merchants: [
    ['--auto-merchants', 'an unknown key opens a fresh sandbox of its own instead of 401', 'off'],
    [
      '--max-merchants <N>',
      'how many merchants there may be; nobody is added beyond',
      `${DEFAULT_MAX_MERCHANTS}`,
    ],
  ],
  'Looking at it': [
    [
      `--log <${['off', ...LOG_MODES].join('|')}>`,
      'a line for each call, with its bodies, or as JSON',
      'calls on a terminal, else off',
    ],
    ['--no-redact', 'journal and log keep keys and identity numbers as they were sent', 'off'],
    ['--open', 'open the inspector in the default browser', 'off'],
    ['--json', 'say where it listens in one line of JSON', 'off'],
    ['--quiet', 'say nothing but errors', 'off'],
  ],
});

/** The environment variables that mean the same as an option of `start`. */
export const START_VARIABLES: readonly string[] = Object.values(START_OPTIONS)
  .flat()
  .flatMap(([_flags, _description, _byDefault, ...variables]) => variables);
