/* Calls that buy or renew a policy with a click, and what the page says of their outcome. */

/** @jsxImportSource hono/jsx/dom */
import { policyOf } from '../../layout/client/lost-call.ts';
import { keepFocus } from './focus.ts';
import { callMerchantApi, problemsOf } from './outcome.ts';
import { Button, UserText } from './parts.tsx';
import { getState, go, notify, setState } from './store.ts';
import { readCounts } from './world.ts';

type ChangedPolicy = NonNullable<ReturnType<typeof policyOf>>;

/** Opens a policy that a call bought or renewed. */
export const OpenPolicy = ({ family, number }: Pick<ChangedPolicy, 'family' | 'number'>) => (
  <Button
    class="quiet"
    onClick={() => go({ tab: 'records', family, policy: '', page: 1, record: number })}
  >
    Open <UserText text={number} />
  </Button>
);

/**
 * Makes a call that buys or renews a policy, and says what came of it. A call without the expected response is opened.
 * Returns the policy of a success.
 */
export async function callAndTell(
  name: string,
  path: string,
  body: Readonly<Record<string, unknown>>,
  aim: 'bought' | 'renewed',
): Promise<ChangedPolicy | undefined> {
  const outcome = await callMerchantApi('POST', path, JSON.stringify(body));
  const { response, id, entry } = outcome;
  const problems = problemsOf(outcome, aim);
  const policy = problems.length === 0 && entry ? policyOf(entry) : undefined;
  const text = policy ? `the policy ${policy.number} is ${aim}.` : problems.join(' ');
  const said = response ? `${name} returned ${response.status}: ${text}` : `${name}: ${text}`;
  notify(
    policy ? 'ok' : 'bad',
    <UserText whole text={said} />,
    policy ? [<OpenPolicy key={policy.number} {...policy} />] : [],
  );
  if (!policy && id) go({ tab: 'calls', call: id });
  await readCounts();
  // A renewal changes a record, and no count.
  setState({ revision: getState().revision + 1 });
  keepFocus();
  return policy;
}
