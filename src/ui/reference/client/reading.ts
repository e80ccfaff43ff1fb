/* Where a person reads is marked in the contents. */

/** How far below the top of the window something is read. */
const READ_PX = 120;

/** Marks, from now on, the operation that is at the top of the window. */
export function followReading(): void {
  let waits = false;
  const follow = () => {
    waits = false;
    mark(readOperation());
  };
  const onScroll = () => {
    if (!waits) requestAnimationFrame(follow);
    waits = true;
  };
  addEventListener('scroll', onScroll, { passive: true });
  follow();
}

/** The last operation that begins above the place where one reads, unless all of it is above. */
function readOperation(): string | undefined {
  let last: Element | undefined;
  for (const block of document.querySelectorAll('.opblock')) {
    if (block.getBoundingClientRect().top > READ_PX) break;
    last = block;
  }
  if (!last || last.getBoundingClientRect().bottom < 0) return undefined;
  return last.id.slice(last.id.lastIndexOf('-') + 1);
}

function mark(operation: string | undefined): void {
  const list = document.querySelector('aside details');
  const before = list?.querySelector('[aria-current]');
  const now =
    operation === undefined ? null : list?.querySelector(`[data-operation="${operation}"] a`);
  if (before === now) return;
  before?.removeAttribute('aria-current');
  now?.setAttribute('aria-current', 'location');
  if (!list || !now) return;
  const { top, bottom } = now.getBoundingClientRect();
  const frame = list.getBoundingClientRect();
  if (top < frame.top || bottom > frame.bottom)
    list.scrollTop += top - frame.top - frame.height / 2;
}
