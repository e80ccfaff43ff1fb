/** Has what is done to the same thing done one after the other, though each of it takes several steps. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(id: string, work: () => Promise<Result>): Promise<Result> => {
    const before = last.get(id);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return work();
    })();
    last.set(id, turn);
    try {
      return await turn;
    } finally {
      if (last.get(id) === turn) last.delete(id);
    }
  };
}
