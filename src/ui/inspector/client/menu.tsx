/* A button that opens a menu of actions, by mouse and keyboard. */

/** @jsxImportSource hono/jsx/dom */
import { type Child, useLayoutEffect, useRef, useState } from 'hono/jsx/dom';
import { Button } from './parts.tsx';

export interface MenuItem {
  readonly label: Child;
  /** A second line. */
  readonly hint?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => unknown;
}

interface MenuProps {
  label: Child;
  class?: string;
  title?: string | undefined;
  isDisabled?: boolean;
  items: readonly MenuItem[];
}

export function Menu({ label, items, isDisabled = false, title, ...props }: MenuProps) {
  const { isOpen, setOpen, place } = usePopover();
  const press = (event: KeyboardEvent) => {
    const buttons = [...(place.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    buttons.at(to % buttons.length)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the menu in it
    <div class={`menu ${props.class ?? ''}`} ref={place} onKeyDown={press}>
      <Button
        aria-haspopup="menu"
        aria-expanded={String(isOpen)}
        disabled={isDisabled}
        title={title}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
        <span class="chevron" aria-hidden="true" />
      </Button>
      {isOpen ? (
        <div class="popover" role="menu">
          {items.map(({ label, hint, act, isDanger, isDisabled }, index) => (
            <Button
              key={index}
              role="menuitem"
              class={isDanger ? 'danger' : ''}
              disabled={isDisabled === true}
              autofocus={index === 0}
              onClick={() => {
                setOpen(false);
                act();
              }}
            >
              <span>{label}</span>
              {hint ? <small class="muted">{hint}</small> : null}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Whether a popover is open, and the element with its button. A click elsewhere or Escape closes it. */
export function usePopover() {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    place.current?.querySelector<HTMLElement>('[autofocus], [role=menuitem]')?.focus();
    const leave = (event: Event) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise it would close the open call too.
      event.preventDefault();
      setOpen(false);
      place.current?.querySelector('button')?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', press, { capture: true });
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', press, { capture: true });
    };
  }, [isOpen]);
  return { isOpen, setOpen, place };
}
