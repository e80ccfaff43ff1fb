/** See `needs.mjs`. */
export const CHROMIUM: string;
export function provide(...names: string[]): Promise<void>;
