import { DEFAULT_MAX_MERCHANTS } from '../api/merchant.ts';

export const PROGRAM = 'micro-insurance-sandbox';
export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** What a log has of every call: a line, its bodies besides, or an object of JSON. */
export const LOG_MODES = ['calls', 'bodies', 'json'] as const;
export type LogMode = (typeof LOG_MODES)[number];

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

export const PORT_OPTION: OptionRow = [
  '-p, --port <N>',
  'where it listens; 0 takes a free one',
  `${DEFAULT_PORT}`,
  'SANDBOX_PORT',
  'PORT',
];

export const START_OPTIONS: OptionGroups = {
  'Where it listens, and to whom': [
    PORT_OPTION,
    [
      '--host <H>',
      'the address it listens on; 0.0.0.0 for all of them',
      DEFAULT_HOST,
      'SANDBOX_HOST',
    ],
    [
      '--public-url <URL>',
      'base of the page URLs in lists',
      'from the request',
      'SANDBOX_PUBLIC_URL',
    ],
    [
      '--cors <ORIGIN>',
      'whose pages may call the merchant API from a browser, such as http://localhost:5173; * for all',
      'off',
      'SANDBOX_CORS',
    ],
    [
      '--admin-token <T>',
      'asked for by calls over all merchants; without one, these come from this machine only',
      'none',
      'SANDBOX_ADMIN_TOKEN',
    ],
  ],
  'What it knows': [
    [
      '--fixtures <DIR>',
      'fixture files; what DIR lacks comes from the built-in ones',
      'built in',
      'SANDBOX_FIXTURES',
    ],
    [
      '--watch',
      'read fixture files again when they change: resets and new merchants take them, running ones stay as they are',
      'off',
      'SANDBOX_WATCH',
    ],
    [
      '--profile <FILE>',
      'decisions to take otherwise than published; check --write-profile writes it',
      'none',
      'SANDBOX_PROFILE',
    ],
    [
      '--amount-check <exact|ignore>',
      'whether amounts must be those of the quote',
      'exact',
      'SANDBOX_AMOUNT_CHECK',
    ],
    [
      '--state <FILE>',
      'keeps everything there across stops and crashes, with a log beside it',
      'off',
      'SANDBOX_STATE',
    ],
  ],
  'Time and chance': [
    [
      '--now <INSTANT>',
      'where every clock starts, such as 2026-01-31T10:00:00Z; each key has its own',
      'real time',
      'SANDBOX_NOW',
    ],
    ['--freeze', 'clocks stand still until they are moved', 'running', 'SANDBOX_FREEZE'],
    [
      '--seed <N>',
      'what numbers, tokens and chance start from; the same seed, the same answers',
      '1',
      'SANDBOX_SEED',
    ],
  ],
  Merchants: [
    [
      '--auto-merchants',
      'an unknown key opens a fresh sandbox of its own instead of 401',
      'off',
      'SANDBOX_AUTO_MERCHANTS',
    ],
    [
      '--max-merchants <N>',
      'how many merchants there may be; nobody is added beyond',
      `${DEFAULT_MAX_MERCHANTS}`,
      'SANDBOX_MAX_MERCHANTS',
    ],
  ],
  'Looking at it': [
    [
      `--log <${['off', ...LOG_MODES].join('|')}>`,
      'a line for each call, with its bodies, or as JSON',
      'calls on a terminal, else off',
      'SANDBOX_LOG',
    ],
    [
      '--no-redact',
      'journal and log keep keys and identity numbers as they were sent',
      'off',
      'SANDBOX_NO_REDACT',
    ],
    ['--open', 'open the inspector in the default browser', 'off', 'SANDBOX_OPEN'],
    ['--json', 'say where it listens in one line of JSON', 'off', 'SANDBOX_JSON'],
    ['--quiet', 'say nothing but errors', 'off', 'SANDBOX_QUIET'],
  ],
};

/** The environment variables that mean the same as an option of `start`. */
export const START_VARIABLES: readonly string[] = Object.values(START_OPTIONS)
  .flat()
  .flatMap(([_flags, _description, _byDefault, ...variables]) => variables);
