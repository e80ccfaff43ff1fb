/** See `locked.mjs`. */
export function installLocked(folder: string, ...flags: string[]): Promise<void>;
