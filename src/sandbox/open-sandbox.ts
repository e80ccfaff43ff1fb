/* Opens a sandbox with the methods that programs call. */

import type { ServedTools } from '../control/access.ts';
import { methodsAtCallersLine } from '../control/caller.ts';
import { ControlError } from '../control/control-error.ts';
import { createHandle, createMerchantFrom } from '../control/handle.ts';
import type { Host } from '../control/host.ts';
import { listSandboxJournal, readSandboxJournalQuery, watchCalls } from '../control/journal.ts';
import { createLogWriter } from '../control/log-line.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { listAccounts, resetAll } from '../control/merchants.ts';
import type { JournalEntryJson } from '../types/control-wire.ts';
import type { LogMode, Merchant, Sandbox, SandboxOptions } from '../types/public.ts';
import type { ActivityFeed } from '../world/activity.ts';
import { findByKey } from '../world/merchant-keys.ts';
import { isFull, isSendableKey, tooManyMerchants } from '../world/merchants.ts';
import { disposal } from '../world/platform.ts';
import { truncate } from '../world/problem-texts.ts';
import { openCore, type SandboxCore } from './core.ts';
import { createIntercept } from './intercept.ts';

/** A sandbox and its internals. */
export interface OpenSandbox extends SandboxCore {
  readonly sandbox: Sandbox;
}

/** Like `openCore`, with the methods of the control plane. */
export function openSandbox(
  options: SandboxOptions,
  host?: Host,
  tools?: ServedTools,
): OpenSandbox {
  const core = openCore(options, host, tools);
  return { ...core, sandbox: sandboxOf(core, options) };
}

/** Logs each request to a sandbox in this process. */
function logOnConsole({ listeners }: ActivityFeed, mode: LogMode): void {
  const lineOf = createLogWriter(mode);
  listeners.add((happened) => {
    const { kind } = happened;
    if (kind !== 'entry' && kind !== 'control' && kind !== 'page') return;
    console.log(lineOf(happened).trimEnd());
  });
}

/** The merchants behind the sandboxes of this process. Copies of a sandbox share its `fetch`. */
const stores = new WeakMap<Sandbox['fetch'], MerchantStore>();

/** The merchants behind a sandbox, for test kits; undefined if it is none of this process. */
export const storeOf = ({ fetch }: Pick<Sandbox, 'fetch'>): MerchantStore | undefined =>
  stores.get(fetch);

/** The methods of a sandbox. Each does what the control-plane operation of the same meaning does. */
export function sandboxOf(
  { store, fetch, close }: Pick<SandboxCore, 'store' | 'fetch' | 'close'>,
  { onCall, log = 'off' }: SandboxOptions = {},
): Sandbox {
  if (onCall) watchCalls(store.activity, onCall as (entry: JournalEntryJson) => unknown);
  if (log !== 'off') logOnConsole(store.activity, log);
  stores.set(fetch, store);
  const { intercept, end } = createIntercept(fetch);
  const closeAll = () => {
    end();
    return close();
  };
  const handles = new WeakMap<MerchantAccount, Merchant>();
  const handleOf = (merchant: MerchantAccount): Merchant => {
    const handle = handles.get(merchant) ?? createHandle(store, merchant, fetch);
    handles.set(merchant, handle);
    return handle;
  };
  return {
    fetch,
    ...methodsAtCallersLine<Omit<Sandbox, 'fetch' | 'close' | typeof Symbol.asyncDispose>>({
      createMerchant: (wanted = {}) => handleOf(createMerchantFrom(store, wanted)),
      merchant: (apiKey) => {
        if (typeof apiKey !== 'string') {
          throw new ControlError(
            422,
            `merchant() takes an API key, a string; got ${truncate(apiKey)}.`,
          );
        }
        // No request can have another key, so none may create a merchant here.
        if (!store.byKey.has(apiKey) && !isSendableKey(apiKey)) {
          throw new ControlError(
            404,
            `No merchant has the key ${truncate(apiKey)}. A key is printable ASCII without spaces.`,
          );
        }
        const merchant = findByKey(store, apiKey);
        if (!merchant) {
          const why =
            store.defaults.autoMerchants && isFull(store) ? ` ${tooManyMerchants(store)}` : '';
          throw new ControlError(404, `No merchant has the key ${truncate(apiKey)}.${why}`);
        }
        return handleOf(merchant);
      },
      merchants: () => listAccounts(store).map(handleOf),
      journal: ((query: unknown) =>
        listSandboxJournal(store, readSandboxJournalQuery(query))) as Sandbox['journal'],
      resetAll: () => resetAll(store),
      intercept,
    }),
    close: closeAll,
    ...disposal(closeAll),
  };
}
