/* The tab of the World as a whole: contents, snapshot and reset. */

/** @jsxImportSource hono/jsx/dom */
import { useRef, useState } from 'hono/jsx/dom';
import { type CallError, control, merchantHeaders, request } from './api.ts';
import { attempt } from './merchants.ts';
import { ActButton, Button, Dialog, sentence, UserText } from './parts.tsx';
import {
  chosenMerchant,
  contract,
  go,
  isServerAway,
  type LoadedMerchant,
  notify,
  setState,
  useStore,
} from './store.ts';
import { readWorld } from './world.ts';

const QUESTIONS = {
  reset: {
    title: (name: string) => sentence`Reset the World of ${name}?`,
    action: 'Reset',
    text: 'Records, clock and faults become as they were when the merchant was new, and its calls go. This cannot be undone.',
    done: 'Reset the World.',
    act: () => control.reset.$post(),
  },
  clear: {
    title: (name: string) => sentence`Clear the calls of ${name}?`,
    action: 'Clear',
    text: 'This empties the journal. Records, clock and faults stay.',
    done: 'Cleared the calls.',
    act: () => control.journal.$delete(),
  },
};

export function WorldView() {
  const merchant = useStore(chosenMerchant) as LoadedMerchant;
  const isAway = useStore(isServerAway);
  const [asked, ask] = useState<keyof typeof QUESTIONS | undefined>(undefined);
  const [refusal, setRefusal] = useState<CallError | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | undefined>(undefined);
  const choose = () => {
    setRefusal(undefined);
    setFile(input.current?.files?.[0]);
  };
  const putDown = () => {
    setFile(undefined);
    // Otherwise the same file could not be chosen again.
    if (input.current) input.current.value = '';
  };
  const upload = async (chosen: File) => {
    putDown();
    setRefusal(await putBack(chosen));
  };
  return (
    <div class="sheet two">
      <section aria-label="Contents">
        <h2>Contents</h2>
        <Counts />
      </section>
      <section aria-label="Snapshot and reset">
        <h2>Snapshot</h2>
        <p>A JSON file with all records, the clock, pending purchases, faults and calls.</p>
        <div class="actions">
          <ActButton onClick={() => attempt(() => download(merchant))}>Download</ActButton>
          <label class="button" aria-disabled={String(isAway)}>
            Upload…
            <input
              ref={input}
              class="unseen"
              type="file"
              accept="application/json,.json"
              disabled={isAway}
              onChange={choose}
            />
          </label>
        </div>
        {refusal ? <Refusal refusal={refusal} /> : null}
        <h2>Rewind</h2>
        <p>An opened call takes the World back to the moment before it.</p>
        <div class="actions">
          <Button onClick={() => go({ tab: 'calls' })}>Choose a call</Button>
        </div>
        <h2>Reset</h2>
        <p>
          The World becomes as it was when the merchant was new: its first records, clock and
          faults.
        </p>
        <div class="actions">
          <ActButton class="danger" onClick={() => ask('reset')}>
            Reset the World…
          </ActButton>
        </div>
        <h2>Calls</h2>
        <p>Empties the list of calls. Everything else stays.</p>
        <div class="actions">
          <ActButton onClick={() => ask('clear')}>Clear the calls…</ActButton>
        </div>
      </section>
      {file ? (
        <Dialog
          key="replace"
          title={sentence`Replace the World of ${merchant.name} with ${file.name}?`}
          action="Replace"
          danger
          onSubmit={() => upload(file)}
          onClose={putDown}
        >
          <p>
            Records, clock, pending purchases, faults and calls become those of the snapshot. This
            cannot be undone.
          </p>
        </Dialog>
      ) : null}
      {asked ? (
        <Dialog
          key={asked}
          title={QUESTIONS[asked].title(merchant.name)}
          action={QUESTIONS[asked].action}
          danger
          onSubmit={() => {
            ask(undefined);
            void answer(asked);
          }}
          onClose={() => ask(undefined)}
        >
          <p>{QUESTIONS[asked].text}</p>
        </Dialog>
      ) : null}
    </div>
  );
}

const answer = (asked: keyof typeof QUESTIONS) =>
  attempt(async () => {
    const { act, done } = QUESTIONS[asked];
    await act();
    await showChanged(done);
  });

/** Loads a replaced World and says so. */
async function showChanged(text: Parameters<typeof notify>[1]): Promise<void> {
  notify('ok', text);
  setState({ calls: undefined });
  await readWorld();
}

function Counts() {
  const policies = useStore((state) => state.policies);
  const purchases = useStore((state) => state.purchases);
  const faults = useStore((state) => state.faults);
  const calls = useStore((state) => state.calls);
  const counts = {
    ...Object.fromEntries(
      contract.families.map(({ key, tag }) => [`${tag} policies`, policies[key]]),
    ),
    'Pending purchases': purchases?.length,
    Faults: faults?.length,
    'Calls in the journal': calls?.filter(({ merchant }) => merchant !== null).length,
  };
  return (
    <dl class="counts">
      {Object.entries(counts).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="mono">{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

const MAX_PLACES = 100;

function Refusal({ refusal }: { refusal: CallError }) {
  const { message, places } = refusal;
  return (
    <div class="refusal" role="alert">
      <p>The snapshot is invalid. Nothing changed.</p>
      <ul>
        {(places.length > 0 ? places : [message]).slice(0, MAX_PLACES).map((place) => (
          <li class="mono">
            <UserText whole text={place} />
          </li>
        ))}
      </ul>
    </div>
  );
}

const SNAPSHOT = '/_sandbox/snapshot';

async function download({ id }: LoadedMerchant): Promise<void> {
  const snapshot = await request(SNAPSHOT, { headers: merchantHeaders() });
  const address = URL.createObjectURL(await snapshot.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `world-${id}.json`;
  link.click();
  URL.revokeObjectURL(address);
}

/** Restores the World from a file. Returns the refusal, if any. */
async function putBack(file: File): Promise<CallError | undefined> {
  const headers = { ...merchantHeaders(), 'content-type': 'application/json' };
  try {
    await request(SNAPSHOT, { method: 'PUT', headers, body: file });
  } catch (error) {
    return error as CallError;
  }
  await showChanged(sentence`Restored ${file.name}.`);
  return undefined;
}
