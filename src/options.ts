import { ControlError } from './control/problems.ts';
import { isBaseUrl } from './core/base-url.ts';
import { shortly } from './core/form.ts';
import { LAST_SEED } from './core/random.ts';
import type { SandboxOptions } from './public.ts';

type Demand = readonly [holds: (value: unknown) => boolean, demand: string];

const oneOf = (...words: readonly string[]): Demand => [
  (value) => words.includes(value as string),
  words.map((word) => `"${word}"`).join(' or '),
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** What each option must be; `undefined` where whoever uses it says so. */
const DEMANDS: Readonly<Record<keyof SandboxOptions, Demand | undefined>> = {
  now: undefined,
  clock: oneOf('running', 'frozen'),
  seed: [
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= LAST_SEED,
    `a whole number from 0 to ${LAST_SEED}`,
  ],
  fixtures: undefined,
  autoMerchants: [(value) => typeof value === 'boolean', 'true or false'],
  amountCheck: oneOf('exact', 'ignore'),
  profile: undefined,
  publicUrl: [
    (value) => isText(value) && isBaseUrl(value),
    'a URL like https://sandbox.example, without ? and #',
  ],
  adminToken: [
    (value) => isText(value) && /^\S+$/.test(value),
    'a text without blanks, and not empty',
  ],
};

/**
 * Refuses options that would be ignored or misread. Compilers see most of them; a test in JavaScript
 * would wonder why its clock does not stand still, and a token that is a number would let anybody in.
 */
export function refuseUnfit(options: SandboxOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(DEMANDS, name)) {
      const known = Object.keys(DEMANDS).join(', ');
      throw new ControlError(422, `There is no option ${shortly(name)}; known: ${known}.`);
    }
    const [holds, demand] = DEMANDS[name as keyof SandboxOptions] ?? [];
    if (value === undefined || !holds || holds(value)) continue;
    // A secret is not repeated, not even a bad one.
    const got = name === 'adminToken' ? '' : `; got ${shortly(value)}`;
    throw new ControlError(422, `${name} must be ${demand}${got}.`);
  }
}
