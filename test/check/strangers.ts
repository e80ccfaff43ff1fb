/* Checks of the servers of test/strangers, at a moment that shows month ends, with policies to page through. */

import type { CheckOptions } from '../../src/tools/check/check.ts';
import type { Report } from '../../src/tools/check/report.ts';
import { startDjango } from '../strangers/django.ts';
import { startLaravel } from '../strangers/laravel.ts';
import { startMicroservices } from '../strangers/microservices.ts';
import { startMinimal } from '../strangers/minimal.ts';
import type { Stranger, StrangerOptions } from '../strangers/shared.ts';
import { runCheck } from './support.ts';

const STARTS_AT = Date.parse('2027-01-31T10:00:00.250Z');

interface StrangerToCheck {
  readonly start: (options?: StrangerOptions) => Promise<Stranger>;
  readonly products: CheckOptions['products'];
}

const strangers = {
  laravel: {
    start: startLaravel,
    products: new Map([
      ['micro_health', 11],
      ['motor', 31],
      ['group_life', 21],
    ]),
  },
  microservices: {
    start: startMicroservices,
    products: new Map([
      ['micro_health', 101],
      ['motor', 301],
      ['group_life', 201],
    ]),
  },
  minimal: { start: startMinimal, products: new Map() },
  django: {
    start: startDjango,
    products: new Map([
      ['micro_health', 7],
      ['motor', 8],
      ['group_life', 9],
    ]),
  },
} satisfies Record<string, StrangerToCheck>;

export type StrangerName = keyof typeof strangers;

/** A whole check of a stranger. Time passes only while the check waits. */
export async function checkStranger(
  name: StrangerName,
  options: Partial<CheckOptions> = {},
): Promise<Report> {
  const { start, products } = strangers[name] as StrangerToCheck;
  let waited = 0;
  const now = () => STARTS_AT + waited;
  const { url, key, otherKey, close } = await start({ now, records: 20 });
  const wait = async (ms: number, signal?: AbortSignal) => {
    if (signal) return new Promise<void>(() => undefined);
    waited += ms;
  };
  const fetchThen = async (request: Request) => {
    const response = await fetch(request);
    const headers = new Headers(response.headers);
    headers.set('date', new Date(now()).toUTCString());
    return new Response(response.body, { status: response.status, headers });
  };
  const access = { url, key, otherKey, products, waitExpiry: true, ...options };
  return runCheck(fetchThen, access, { now, wait }).finally(close);
}
