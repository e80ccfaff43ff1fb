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
        disabled={isDisabled}
        popovertarget={id}
      >
        {label}
        <span class="chevron" aria-hidden="true" />
      </Button>
      <div id={id} popover="auto" onBeforetoggle={place}>
        {items.map(({ label, hint, act }, index) => (
          <Button
            key={index}
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
