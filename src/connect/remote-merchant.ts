/* The methods of a merchant over HTTP. */

import { inputOf, methodsOf, routeNameOf } from '../control/call.ts';
import { atCallersLine, methodsAtCallersLine } from '../control/caller.ts';
import { type MethodsOfCalls, WORLD_CALLS } from '../control/calls.ts';
import { callOperation, fetchWithKey, purchaseMethods } from '../control/merchant-call.ts';
import type { MerchantState } from '../types/control-wire.ts';
import type { CallResult, OperationId, RemoteMerchant, RemoteSandbox } from '../types/public.ts';
import { type ControlClient, type ControlServer, createControlClient } from './control-client.ts';
import { noResponse, ofUnknownKey } from './remote-errors.ts';

/** The sandbox of a merchant. */
interface RemoteHost {
  readonly server: ControlServer;
  /** Sends admin calls. */
  readonly admin: ControlClient;
  readonly fetch: RemoteSandbox['fetch'];
}

/** The methods of a merchant that the sandbox has just shown. */
export function remoteMerchant(
  { server, admin, fetch }: RemoteHost,
  { id, name, api_key }: MerchantState,
): RemoteMerchant {
  const { url } = server;
  let apiKey = api_key;
  const params = { id: String(id) };
  const world: ControlClient = (route, ...input) =>
    ofUnknownKey(apiKey, () => createControlClient({ ...server, token: apiKey })(route, ...input));
  const ownFetch = fetchWithKey(fetch, () => apiKey);
  const call = async (operation: OperationId, input?: unknown): Promise<CallResult> => {
    try {
      return await callOperation(ownFetch, operation, input);
    } catch (error) {
      throw error instanceof TypeError ? noResponse(url, error) : error;
    }
  };
  const methods = methodsOf<MethodsOfCalls<'url'>>(WORLD_CALLS, (name, called) =>
    atCallersLine(async (...given: unknown[]) => {
      const input = inputOf(name, called, given);
      const received = (await world(routeNameOf(called), input as never)) as unknown;
      if (called.isSilent) return undefined;
      return called.list === undefined ? received : (received as { readonly data: unknown }).data;
    }),
  );
  return {
    id,
    name,
    get apiKey() {
      return apiKey;
    },
    ...methods,
    fetch: ownFetch,
    ...methodsAtCallersLine<Pick<RemoteMerchant, 'call' | 'data' | 'buy' | 'rotateKey' | 'remove'>>(
      {
        call: call as RemoteMerchant['call'],
        ...purchaseMethods({ call, ...methods }),
        async rotateKey() {
          const route = 'POST /_sandbox/merchants/{id}/rotate_key';
          const state = await admin(route, { params });
          apiKey = state.api_key;
          return apiKey;
        },
        remove: () => admin('DELETE /_sandbox/merchants/{id}', { params }),
      },
    ),
  };
}
