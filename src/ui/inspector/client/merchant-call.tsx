/* Calls that the page makes as the merchant, and what it says of their outcome. */

/** @jsxImportSource hono/jsx/dom */
import type { Child } from 'hono/jsx/dom';
import { callMerchantApi, problemsOfCall } from './api.ts';
import { UserText } from './parts.tsx';
import { getState, go, notify, setState } from './store.ts';
import { readCounts } from './world.ts';

/** Makes a call that changes something, and says what came of it. A call that was refused is opened. */
export async function callAndTell(
  name: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  done: string,
): Promise<void> {
  const response = await callMerchantApi('POST', path, JSON.stringify(body));
  const problems = await problemsOfCall(response);
  const isDone = problems.length === 0;
  const said: Child = (
    <>
      {name} returned {response.status}:{' '}
      <UserText whole text={isDone ? done : problems.join(' ')} />
    </>
  );
  notify(isDone ? 'ok' : 'bad', said);
  const id = response.headers.get('sandbox-request-id');
  if (!isDone && id) go({ tab: 'calls', call: id });
  await readCounts();
  // A renewal changes a record, and no count.
  setState({ revision: getState().revision + 1 });
}
