import { DEFAULT_MAX_MERCHANTS } from '../api/activity.ts';
import type { FlagGroup } from './flags.ts';
import { LOG_MODES } from './log-options.ts';

export const DEFAULT_PORT = 4015;
export const DEFAULT_HOST = '127.0.0.1';

/** The flags of `start`, in the order and the groups of its help. */
export const START_FLAGS: readonly FlagGroup[] = [
  {
    title: 'Where it listens, and to whom',
    flags: [
      {
        name: 'port',
        short: 'p',
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
        description:
          'whose pages may call the merchant API from a browser, such as http://localhost:5173; * for all',
      },
      {
        name: 'admin-token',
        value: 'T',
        env: ['SANDBOX_ADMIN_TOKEN'],
        default: 'none',
        description:
          'asked for by calls over all merchants; without one, these come from this machine only',
      },
    ],
  },
  {
    title: 'What it knows',
    flags: [
      {
        name: 'fixtures',
        value: 'DIR',
        env: ['SANDBOX_FIXTURES'],
        default: 'built in',
        description: 'fixture files; what DIR lacks comes from the built-in ones',
      },
      {
        name: 'watch',
        env: ['SANDBOX_WATCH'],
        default: 'off',
        description:
          'read fixture files again when they change: resets and new merchants take them, running ones stay as they are',
      },
      {
        name: 'profile',
        value: 'FILE',
        env: ['SANDBOX_PROFILE'],
        default: 'none',
        description: 'decisions to take otherwise than published; check --write-profile writes it',
      },
      {
        name: 'amount-check',
        value: 'exact|ignore',
        env: ['SANDBOX_AMOUNT_CHECK'],
        default: 'exact',
        description: 'whether amounts must be those of the quote',
      },
      {
        name: 'state',
        value: 'FILE',
        env: ['SANDBOX_STATE'],
        default: 'off',
        description: 'keeps everything there across stops and crashes, with a log beside it',
      },
    ],
  },
  {
    title: 'Time and chance',
    flags: [
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
    ],
  },
  {
    title: 'Merchants',
    flags: [
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
    ],
  },
  {
    title: 'Looking at it',
    flags: [
      {
        name: 'log',
        value: ['off', ...LOG_MODES].join('|'),
        env: ['SANDBOX_LOG'],
        default: 'calls on a terminal, else off',
        description: 'a line for each call, with its bodies, or as JSON',
      },
      {
        name: 'no-redact',
        env: ['SANDBOX_NO_REDACT'],
        default: 'off',
        description: 'journal and log keep keys and identity numbers as they were sent',
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
    ],
  },
];
