/* The story of a purchase in one strip: its calls, what ended it, and what exists now. */

import { contract } from './contract.ts';
/** @jsxImportSource hono/jsx/dom */
import {
  type Item,
  isCall,
  type JournalCall,
  keyOf,
  type Story,
  statusClass,
  statusText,
  titleOf,
} from './items.ts';
import { Button, UserText } from './parts.tsx';
import { callsOf, go } from './store.ts';
import { durationText, timeText } from './times.ts';

interface StoryStripProps {
  story: Story | undefined;
  /** The open call of the story, if one is. */
  of?: JournalCall;
}

export function StoryStrip({ story, of }: StoryStripProps) {
  if (!story || (story.steps.length < 2 && !story.policy && !story.isExpired)) return null;
  const { steps, policy, isExpired } = story;
  const isOpen = (step: Item) => of !== undefined && isCall(step) && keyOf(step) === keyOf(of);
  return (
    <nav class="story" aria-label="The story of this purchase">
      {steps.map((step, place) => (
        <Step
          key={`${step.at} ${place}`}
          step={step}
          before={steps[place - 1]}
          isCurrent={isOpen(step)}
        />
      ))}
      <span class="end">
        {policy ? (
          <>
            <Button
              class="link"
              onClick={() =>
                go({
                  ...callsOf(steps[0]?.merchant?.id),
                  tab: 'records',
                  family: policy.family,
                  record: policy.number,
                })
              }
            >
              policy <UserText text={policy.number} />
            </Button>{' '}
            exists
          </>
        ) : isExpired ? (
          'no policy: it expired'
        ) : (
          'no policy yet'
        )}
      </span>
    </nav>
  );
}

interface StepProps {
  step: Item;
  before: Item | undefined;
  isCurrent: boolean;
}

/** `verify 200`, and how much later than the step before. */
function Step({ step, before, isCurrent }: StepProps) {
  const later = before ? Date.parse(step.at) - Date.parse(before.at) : 0;
  const time = later >= 1000 ? `${durationText(later)} later` : timeText(Date.parse(step.at));
  if (!isCall(step)) {
    return (
      <span class="step">
        <span>expired</span>
        <small class="muted">{time}</small>
      </span>
    );
  }
  const operation = contract.operations.find(({ operationId }) => operationId === step.operation);
  return (
    <Button
      class="step"
      aria-current={isCurrent ? 'step' : undefined}
      onClick={() => go({ tab: 'calls', call: keyOf(step) })}
    >
      <span>
        {operation?.role ?? titleOf(step)}{' '}
        <b class={`status ${statusClass(step)}`}>{statusText(step)}</b>
      </span>
      <small class="muted">{time}</small>
    </Button>
  );
}
