import { bearerKey } from '../../src/api/request.ts';
import type { ClusterCalls } from '../../src/control/host.ts';
import {
  accountsOn,
  createMerchant,
  findMerchant,
  showMerchant,
} from '../../src/control/merchants.ts';
import { type OpenSandbox, openSandbox } from '../../src/sandbox/open-sandbox.ts';
import type { SandboxOptions } from '../../src/types/public.ts';
import { removeMerchant, resetWorld, rotateKey } from '../../src/world/merchants.ts';

/** A hosted sandbox whose Worlds are in another part of this process. */
export interface HostedSandbox {
  /** The part with the merchants, like the objects of a Worker. */
  readonly worlds: OpenSandbox;
  /** Responds like a Worker: forwards requests with a merchant's key to its World. */
  fetch(request: Request): Response | Promise<Response>;
}

export function openHosted(options: SandboxOptions = {}): HostedSandbox {
  const worlds = openSandbox(options, { cluster: {} });
  const { store } = worlds;
  const merchant = (id: string) => findMerchant(store, id);
  const calls: ClusterCalls = {
    'GET /_sandbox/merchants': ({ query: { page = 1 } }) =>
      accountsOn(store, page).map(showMerchant),
    'POST /_sandbox/merchants': ({ body = {} }) => showMerchant(createMerchant(store, body)),
    'DELETE /_sandbox/merchants/{id}': ({ params: { id } }) => removeMerchant(store, merchant(id)),
    'POST /_sandbox/merchants/{id}/rotate_key'({ params: { id } }) {
      rotateKey(store, merchant(id));
      return showMerchant(merchant(id));
    },
    'POST /_sandbox/reset_all'({ query: { page = 1 } }) {
      for (const account of accountsOn(store, page)) resetWorld(store, account);
      return accountsOn(store, page).map(showMerchant);
    },
    'GET /_sandbox/journal/all': ({ query: { merchant: id } }, request) => forward(id, request),
    'GET /_sandbox/events': ({ query: { merchant: id } }, request) => forward(id, request),
  };
  const forward = async (id: number | undefined, request: Request) => {
    merchant(String(id));
    return worlds.handle(request, {});
  };
  const front = openSandbox(options, { cluster: { calls } });
  return {
    worlds,
    fetch(request) {
      const key = bearerKey(request.headers.get('authorization') ?? undefined);
      const isMerchant = key !== undefined && store.byKey.has(key);
      return (isMerchant ? worlds : front).handle(request, {});
    },
  };
}
