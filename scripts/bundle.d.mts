import type { Plugin } from 'vitest/config';

/** See `bundle.mjs`. */
export const bundledTextForVite: Plugin;
