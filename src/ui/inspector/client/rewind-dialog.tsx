/* Asks before a World goes back to before a call, and says what goes. */

/** @jsxImportSource hono/jsx/dom */
import { answerOf, bearer, control } from './api.ts';
import { belongsTo, keyOf, type ListedCall, rowText } from './call.ts';
import { momentText } from './clock.tsx';
import { attempt } from './merchants.ts';
import { Dialog, sentence, UserText } from './parts.tsx';
import { type LoadedMerchant, notify, useStore } from './store.ts';
import { readWorld } from './world.ts';

interface RewindDialogProps {
  call: ListedCall;
  merchant: LoadedMerchant;
  /** Whether the call is sent again afterwards. */
  sendsAgain: boolean;
  /** Called when the World is back. */
  onDone: () => void;
  onClose: () => void;
}

/** How many policies are listed. */
const MAX_LISTED = 8;

/** A question that names the calls and policies that a rewind undoes. */
export function RewindDialog({ call, merchant, sendsAgain, onDone, onClose }: RewindDialogProps) {
  const known = useStore((state) => state.calls);
  const undone = undoneBy(call, known ?? []);
  const policies = policiesOf(undone);
  // This call spent a use of them. Whether those of later calls existed before it, nobody knows.
  const faults = call.changes.filter(({ table }) => table === 'faults').map(({ key }) => key);
  const more = policies.length - MAX_LISTED;
  const submit = () => {
    onClose();
    void attempt(async () => {
      const headers = bearer(merchant.api_key);
      await answerOf(control.rewind.$post({ json: { to: call.id } }, { headers }));
      notify('ok', sentence`Rewound ${merchant.name} to before ${call.id}.`);
      onDone();
      await readWorld();
    });
  };
  return (
    <Dialog
      title={sentence`Rewind ${merchant.name} to before ${call.id}?`}
      action={sendsAgain ? 'Rewind and send again…' : 'Rewind'}
      danger
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {undone.length === 1
          ? 'This call goes, with everything it changed.'
          : `This call and the ${undone.length === 2 ? 'one' : undone.length - 1} after it go, with everything they changed.`}{' '}
        The clock shows {momentText(Date.parse(call.at))} again. Changes of faults and clock since
        then go too. This cannot be undone.
      </p>
      {policies.length > 0 ? (
        <section aria-labelledby="changed-back">
          <h3 id="changed-back">Policies</h3>
          <ul>
            {policies.slice(0, MAX_LISTED).map(({ policy, becomes }) => (
              <li key={policy}>
                <UserText whole class="mono" text={policy} /> {becomes}
              </li>
            ))}
            {more > 0 ? <li>and {more} more</li> : null}
          </ul>
        </section>
      ) : null}
      {faults.length > 0 ? (
        <p>
          <b>
            <UserText text={faults.join(' and ')} /> acts again
          </b>{' '}
          on the next call that matches. To prevent that, remove it in the tab Faults after the
          rewind.
        </p>
      ) : null}
    </Dialog>
  );
}

/** The call and those of its merchant that came after it; `known` is newest first. */
export function undoneBy(call: ListedCall, known: readonly ListedCall[]): readonly ListedCall[] {
  const ofMerchant = known.filter((each) => belongsTo(call.merchant?.id ?? 0, each));
  const place = ofMerchant.findIndex((each) => keyOf(each) === keyOf(call));
  return place === -1 ? [call] : ofMerchant.slice(0, place + 1);
}

/** What becomes of a policy if its first change is undone. */
const UNDONE = {
  added: 'is removed',
  changed: 'is as it was before',
  removed: 'comes back',
} as const;

/** What becomes of the policies that calls changed, oldest first. */
export function policiesOf(undone: readonly ListedCall[]) {
  const rows = undone
    .flatMap(({ changes }) => changes.filter(({ table }) => table.endsWith('.policies')))
    .toReversed();
  // The first change of each is the last that is undone.
  const first = new Map(rows.toReversed().map((row) => [rowText(row), UNDONE[row.change]]));
  return [...new Set(rows.map(rowText))].map((policy) => ({ policy, becomes: first.get(policy) }));
}
