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

/** A merchant of a sandbox that is reached by requests alone. */
export interface RemoteClient extends JourneyClient {
  readonly sandbox: Fetcher;
  readonly apiKey: string;
  /** Makes a control call over its World. */
  control(operationId: string, init?: ControlInit): ReturnType<typeof control>;
}

/** Makes a control call over the whole sandbox. */
export const adminCall = (sandbox: Fetcher, operationId: string, init: ControlInit = {}) =>
  control(sandbox, operationId, { key: ADMIN_TOKEN, ...init });

export async function mint(sandbox: Fetcher, wanted: NewMerchant = {}): Promise<RemoteClient> {
  const { status, body, text } = await adminCall(sandbox, 'createMerchant', { body: wanted });
  if (status !== 201) throw new Error(`No merchant was created: ${text}`);
  return remoteClient(sandbox, body.id, body.api_key);
}

/** The same merchant of a sandbox in this process, which is never stopped and has nobody else to serve. */
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

/** Gives a World a second and a half in which nothing happens: then its journal is written down. */
export async function rest({ control }: RemoteClient): Promise<void> {
  const { status } = await control('awaitJournal', { body: { count: 999, timeout: 'PT1.5S' } });
  if (status !== 408) throw new Error(`It was answered ${status} what never comes.`);
}
