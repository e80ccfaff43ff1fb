/* The calls of a run that went wrong, as lines of text: those around its failure and those that bought. */

import { entryLines } from '../../control/journal-text.ts';
import type { EndedCall } from './ledger.ts';
import type { Failure } from './public.ts';

/** How many calls of the same merchant are shown before and after one that failed. */
const BEFORE = 2;
const AFTER = 3;
/** How many are shown of a run in which none failed. */
const LATEST = 8;

/**
 * @param calls all calls of the run
 * @param isWrong whether a call bought something else than in the undisturbed run
 */
export function callLines(
  calls: readonly EndedCall[],
  failure: Failure,
  isWrong: (call: EndedCall) => boolean,
): string[] {
  const shown = shownOf(calls, isWrong);
  const lines: string[] = [];
  let skipped = 0;
  const tellSkipped = () => {
    if (skipped > 0) lines.push(`… ${skipped} ${skipped === 1 ? 'call' : 'calls'}`);
    skipped = 0;
  };
  for (const [place, { entry, isDisturbed }] of calls.entries()) {
    if (!shown.has(place)) {
      skipped++;
      continue;
    }
    tellSkipped();
    const [first = '', ...details] = entryLines(entry);
    lines.push(`${isDisturbed ? '▸' : ' '} ${first}`, ...details.map((line) => `  ${line}`));
    if (isDisturbed && failure === 'killed') {
      lines.push('    killed   the program got no response, and was started again');
    }
  }
  tellSkipped();
  return lines;
}

/** The places of the calls to show. */
function shownOf(
  calls: readonly EndedCall[],
  isWrong: (call: EndedCall) => boolean,
): ReadonlySet<number> {
  const shown = new Set<number>();
  const add = (places: readonly number[]) => {
    for (const place of places) shown.add(place);
  };
  for (const [place, call] of calls.entries()) {
    if (isWrong(call)) add([place]);
    if (!call.isDisturbed) continue;
    const merchant = call.entry.merchant?.id;
    const own = [...calls.keys()].filter((each) => calls[each]?.entry.merchant?.id === merchant);
    const at = own.indexOf(place);
    add(own.slice(Math.max(0, at - BEFORE), at + AFTER + 1));
  }
  if (shown.size === 0) add([...calls.keys()].slice(-LATEST));
  return shown;
}
