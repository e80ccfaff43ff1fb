/* A button that opens a menu of actions. The browser closes it by Escape and by a click elsewhere. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useRef } from 'hono/jsx/dom';
import { Button } from './parts.tsx';

export interface MenuItem {
  readonly label: Child;
  /** A second line. */
  readonly hint?: string;
  readonly act: () => unknown;
}

interface MenuProps {
  label: string;
  class?: string;
  isDisabled?: boolean;
  items: readonly MenuItem[];
}

export function Menu({ label, items, isDisabled = false, ...props }: MenuProps) {
  const id = `menu-${label}`;
  const button = useRef<HTMLButtonElement>(null);
  const place = ({ target }: Event) => {
    const { bottom = 0, right = 0 } = button.current?.getBoundingClientRect() ?? {};
    (target as HTMLElement).style.inset = `${bottom + 6}px ${innerWidth - right}px auto auto`;
  };
  return (
    <>
      <Button
        ref={button}
        class={`menu ${props.class ?? ''}`}
        aria-haspopup="menu"
        disabled={isDisabled}
        popovertarget={id}
      >
        {label}
        <span class="chevron" aria-hidden="true" />
      </Button>
      <div id={id} popover="auto" role="menu" onBeforetoggle={place} onKeyDown={moveFocus}>
        {items.map(({ label, hint, act }, index) => (
          <Button
            key={index}
            role="menuitem"
            autofocus={index === 0}
            popovertarget={id}
            popovertargetaction="hide"
            onClick={act}
          >
            <span>{label}</span>
            {hint ? <small class="muted">{hint}</small> : null}
          </Button>
        ))}
      </div>
    </>
  );
}

/** The arrow keys move through the items. */
function moveFocus(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
  const to = steps[event.key];
  if (to === undefined) return;
  event.preventDefault();
  buttons.at(to % buttons.length)?.focus();
}
