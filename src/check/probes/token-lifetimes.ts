import type { Settings } from '../../core/settings.ts';
import { MINUTE_MS, SECOND_MS } from '../../core/time.ts';
import type { Probe, Purchase } from '../probe.ts';
import { initiatedName, initiates, sendToken, verifies } from './purchases.ts';
import { refusing } from './refusals.ts';

const LIFETIME_MS = 15 * MINUTE_MS;

const USED = { refused: 'token_used', assumptions: ['token-used'] } as const;
const EXPIRED = { refused: 'token_expired', assumptions: ['token-expired'] } as const;

/** What becomes of a token as time passes; needs a clock that can be moved. */
export function tokenLifetimes(given: Purchase, { tokenBoundary }: Settings): Probe[] {
  const purchase = { ...given, saveAs: `${given.saveAs}_timed` };
  const initiate = (why: string): Probe => ({
    ...initiates(`initiates a purchase ${why}`, purchase, {}),
    needs: 'clock',
  });
  const verify = (name: string, advanceBy: number, more: Partial<Probe> = {}): Probe => {
    const { timed: _timed, ...probe } = verifies(name, purchase, {});
    return { ...probe, needs: 'clock', advanceBy, ...more };
  };
  return [
    initiate('to verify late'),
    verify('verifies in the last millisecond of 15 minutes', LIFETIME_MS - 1),
    verify('still knows a used token when its 15 minutes are over', 2, USED),
    initiate('to verify when 15 minutes are over'),
    verify('takes the moment 15:00.000 as it is supposed to', LIFETIME_MS, {
      assumptions: ['token-boundary'],
      shows: { assumption: 'token-boundary', ifRefused: 'exclusive', ifAccepted: 'inclusive' },
      refused: tokenBoundary === 'exclusive' ? 'token_expired' : undefined,
    }),
    initiate('to let expire'),
    verify('refuses a token that expired', LIFETIME_MS + 1, EXPIRED),
    verify('goes on refusing it', 0, EXPIRED),
  ];
}

/** How far from the fifteenth minute a token is tried: requests take their time, and clocks go apart. */
const SLACK_MS = 20 * SECOND_MS;

/** The same where no clock can be moved: tokens are initiated first of all, and verified when time has passed. */
export function waitedLifetimes(given: Purchase): Probe[] {
  const late = { ...given, saveAs: `${given.saveAs}_late` };
  const expired = { ...given, saveAs: `${given.saveAs}_expired` };
  const { timed: _timed, ...verify } = verifies('verifies late in the 15 minutes', late, {});
  return [
    { ...initiates('initiates a purchase to verify late', late, {}), early: true },
    { ...initiates('initiates a purchase to let expire', expired, {}), early: true },
    {
      ...verify,
      after: {
        saved: initiatedName(late),
        ms: LIFETIME_MS - 2 * SLACK_MS,
        before: LIFETIME_MS - SLACK_MS,
      },
    },
    {
      ...verify,
      name: 'refuses a token that expired',
      request: sendToken(expired),
      after: { saved: initiatedName(expired), ms: LIFETIME_MS + SLACK_MS },
      ...EXPIRED,
    },
    {
      ...verify,
      name: 'still knows a used token when its 15 minutes are over',
      after: { saved: initiatedName(late), ms: LIFETIME_MS + SLACK_MS },
      ...USED,
    },
  ];
}

/** A token that another merchant tries. */
export function foreignToken(given: Purchase): Probe[] {
  const purchase = { ...given, saveAs: `${given.saveAs}_pending` };
  return [
    initiates('initiates a purchase that another merchant tries to verify', purchase, {}),
    {
      ...refusing(purchase.verify)(
        "answers another merchant's token as one nobody was given",
        sendToken(purchase),
        'token_unknown',
        'foreign-policy',
      ),
      needs: 'other',
    },
  ];
}
