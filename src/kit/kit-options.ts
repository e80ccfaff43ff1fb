/* The options of the sandboxes of all test kits. */

/** Every run is the same: the clock stands until a test moves it. */
export const KIT_START = { now: '2026-01-31T10:00:00Z', clock: 'frozen' } as const;
