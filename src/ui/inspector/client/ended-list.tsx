/* The list below a move of the clock of what it ended. */

/** @jsxImportSource hono/jsx/dom */
import { momentText, timeText } from './clock.tsx';
import { Button, UserText } from './parts.tsx';
import { contract, getState, go, setState } from './store.ts';
import { type EndedThing, FOLDED, type WorldChange } from './timeline.ts';
import { choose } from './world.ts';

interface EndedListProps {
  change: WorldChange;
  /** Where the list begins, in pixels. */
  top: number;
}

/** The first few, and a button that shows the others. */
export function EndedList({ change, top }: EndedListProps) {
  const { ended, move, merchant } = change;
  if (!ended || move === undefined) return null;
  const { things, more, isUnfolded } = ended;
  const hidden = things.length - FOLDED;
  const toggle = () =>
    setState({ ended: { ...getState().ended, [move]: { ...ended, isUnfolded: !isUnfolded } } });
  return (
    <ul class="move-ended" aria-label={`${change.text}: what ended`} style={{ top: `${top}px` }}>
      {things.slice(0, isUnfolded ? things.length : FOLDED).map((thing) => (
        <li>
          <Line thing={thing} merchant={merchant.id} />
        </li>
      ))}
      {hidden > 0 ? (
        <li>
          <Button class="link" aria-expanded={String(isUnfolded)} onClick={toggle}>
            {isUnfolded ? 'Show fewer' : `${hidden + more} more`}
          </Button>
          {isUnfolded && more > 0 ? ` and ${more} more that are not listed` : ''}
        </li>
      ) : null}
    </ul>
  );
}

function Line({ thing, merchant }: { thing: EndedThing; merchant: number }) {
  const { at, family, holder, policy } = thing;
  const tag = contract.families.find(({ key }) => key === family)?.tag ?? '';
  const day = momentText(at).split(' ').slice(0, 3).join(' ');
  if (policy === undefined) {
    return (
      <>
        {tag} purchase of <UserText text={holder || 'an unknown holder'} /> expired at{' '}
        {timeText(at)}
      </>
    );
  }
  const open = () => {
    choose(merchant);
    go({ tab: 'records', family, record: policy }, 'replace');
  };
  return (
    <>
      <Button class="link mono" onClick={open}>
        <UserText text={policy} />
      </Button>{' '}
      <UserText text={holder} /> · {tag} cover ended {day}
    </>
  );
}
