import { debounce } from '../../layout/client/browser-time.ts';
import { answerOf, asAdmin, type CallError, control, hasToken } from './api.ts';
import { getState, notify, setState } from './store.ts';

/* The merchants of the sandbox, and what happens where it does not let this page see them. */

export async function readMerchants(): Promise<void> {
  try {
    const { data } = await answerOf(control.merchants.$get({ query: {} }, asAdmin()));
    setState({ merchants: data, gate: { kind: 'open' } });
  } catch (error) {
    showRefusal(error as CallError);
  }
}

/** With thousands of merchants that come at once the list is read now and then. */
export const refreshMerchants = debounce(300, () => void readMerchants());

/** Puts what is needed between a person and the sandbox: the admin token, or an explanation. */
export function showRefusal({ status, message }: CallError): void {
  if (status === 401) setState({ gate: { kind: 'token', wrong: hasToken() } });
  else if (status === 403) setState({ gate: { kind: 'forbidden', detail: message } });
  else if (getState().merchants.length === 0) {
    setState({ gate: { kind: 'unreachable', detail: message } });
  }
}

/** Does something a person asked for, and says what the sandbox says against it. */
export async function attempt<Answer>(act: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act;
  } catch (error) {
    const { message, places = [], status } = error as CallError;
    // The key was changed, the merchant removed, or the admin token is another one: the list tells.
    if (status === 401) refreshMerchants();
    notify('bad', message, places);
    return undefined;
  }
}
