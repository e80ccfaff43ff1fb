/* Calls the merchant API with the key of the chosen merchant, and reads in the journal what came of it. */

import { control, merchantHeaders } from './api.ts';
import { isCall, type JournalCall } from './items.ts';

/** The journal entry of the call, whatever response arrived; undefined if the sandbox is away. */
export async function merchantCall(path: string, body: unknown): Promise<JournalCall | undefined> {
  const headers = merchantHeaders();
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  let id: string | null = null;
  try {
    const response = await fetch(path, init);
    id = response.headers.get('sandbox-request-id');
    await response.text();
  } catch {
    // The journal tells what the call did.
  }
  try {
    return id === null
      ? (
          await control<{ data: JournalCall[] }>('journal', { query: { limit: 1 }, headers })
        ).data.find(isCall)
      : await control<JournalCall>(`journal/${encodeURIComponent(id)}`, { headers });
  } catch {
    return undefined;
  }
}
