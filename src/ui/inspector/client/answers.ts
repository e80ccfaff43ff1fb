/* What the control plane answers about the chosen World, for the views that show it. */

import { useLayoutEffect, useState } from 'hono/jsx/dom';
import { control, type Query } from './api.ts';
import { attempt } from './merchants.ts';
import { useStore } from './store.ts';

/** An answer, read again when the World has changed; undefined until it is read. */
export function useAnswer<Answer>(path: string, query: Query = {}): Answer | undefined {
  const merchant = useStore(({ address }) => address.merchant);
  const revision = useStore((state) => state.revision);
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  useLayoutEffect(() => {
    let isWanted = true;
    void attempt(async () => {
      const read = await control<Answer>(path, { query });
      if (isWanted) setAnswer(read);
    });
    return () => {
      isWanted = false;
    };
  }, [path, JSON.stringify(query), merchant, revision]);
  return answer;
}
