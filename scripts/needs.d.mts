/** See `needs.mjs`. */
export function provide(...names: string[]): Promise<void>;
