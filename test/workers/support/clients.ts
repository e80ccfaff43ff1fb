import { createSandbox, type NewMerchant } from '../../../src/index.ts';
import {
  BASE,
  callOperation,
  type Fetcher,
  type JourneyClient,
  START,
} from '../../support/client.ts';
import { type ControlInit, control } from '../../support/control.ts';
import { ADMIN_TOKEN } from './engine.ts';

/** A merchant of a sandbox that is only reachable by requests. */
export interface RemoteClient extends JourneyClient {
  readonly sandbox: Fetcher;
  readonly apiKey: string;
  /** Sends a control request for its World. */
  control(operationId: string, init?: ControlInit): ReturnType<typeof control>;
}

/** Sends a control request for the whole sandbox. */
export const adminCall = (sandbox: Fetcher, operationId: string, init: ControlInit = {}) =>
  control(sandbox, operationId, { key: ADMIN_TOKEN, ...init });

export async function mint(sandbox: Fetcher, wanted: NewMerchant = {}): Promise<RemoteClient> {
  const { status, body, text } = await adminCall(sandbox, 'createMerchant', { body: wanted });
  if (status !== 201) throw new Error(`No merchant was created: ${text}`);
  return remoteClient(sandbox, body.id, body.api_key);
}

/** The same merchant in its own in-process sandbox, which never restarts. */
export function twinOf({ merchant: { id }, apiKey }: RemoteClient): RemoteClient {
  const sandbox = createSandbox({ now: START, clock: 'frozen', seed: 7, publicUrl: BASE });
  while (sandbox.createMerchant().id < id);
  return remoteClient(sandbox, id, apiKey);
}

export function remoteClient(sandbox: Fetcher, id: number, apiKey: string): RemoteClient {
  const overWorld = (operationId: string, init: ControlInit = {}) =>
    control(sandbox, operationId, { key: apiKey, ...init });
  return {
    sandbox,
    apiKey,
    control: overWorld,
    call: (operationId, input, init) =>
      callOperation((request) => sandbox.fetch(request), BASE, apiKey, operationId, input, init),
    merchant: {
      id,
      clock: {
        async advance(by) {
          const body = typeof by === 'string' ? { by } : by;
          return (await overWorld('advanceClock', { body })).body;
        },
      },
      snapshot: async () => (await overWorld('getSnapshot')).body,
      async show() {
        const { data } = (await adminCall(sandbox, 'listMerchants')).body;
        return data.find((each: { id: number }) => each.id === id);
      },
    },
  };
}

/** Waits 1.5 seconds without requests: by then a World has saved its journal. */
export async function rest({ control }: RemoteClient): Promise<void> {
  const { status } = await control('awaitJournal', { body: { count: 999, timeout: 'PT1.5S' } });
  if (status !== 408) throw new Error(`Expected the wait to time out, got ${status}.`);
}
