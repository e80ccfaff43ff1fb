/* What a control call did, for the request log. */

import type { Activity } from '../world/activity.ts';
import type { ControlEnv } from './access.ts';
import { eventWords } from './world-event.ts';

/** The context of a control call. */
interface Noted {
  readonly env: ControlEnv['Bindings'];
  set(key: 'did', did: readonly string[]): void;
}

/**
 * Does what a control call asks for, and notes what happened meanwhile: events of Worlds, changes of merchants. Nothing
 * of another call is noted, because only what happens at once is.
 */
export function noting<Result>(c: Noted, work: () => Result): Result {
  const { listeners } = c.env.merchants.activity;
  if (listeners.size === 0) return work();
  const did: string[] = [];
  const note = (happened: Activity) => void did.push(...wordsOf(happened));
  listeners.add(note);
  try {
    return work();
  } finally {
    listeners.delete(note);
    c.set('did', counted(did));
  }
}

function wordsOf(happened: Activity): string[] {
  switch (happened.kind) {
    case 'world':
      return [eventWords(happened.event)];
    case 'cleared':
      return ['journal cleared'];
    case 'merchants': {
      const { merchant, change } = happened;
      return [`merchant ${merchant.id} ${change === 'key' ? 'has a new key' : change}`];
    }
    default:
      return [];
  }
}

/** Each text once, with how often it was there. */
function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} times ${text}`));
}
