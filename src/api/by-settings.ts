import type { z } from '@hono/zod-openapi';
import type { Settings } from '../world/settings.ts';

declare module 'zod' {
  interface GlobalMeta {
    /** What a document of a sandbox with these settings says instead; it is in no document itself. */
    'x-by-settings'?: (settings: Settings) => z.GlobalMeta;
  }
}

/**
 * What a document says of a field that a profile decides: as published, and how a document of other settings
 * comes to say otherwise.
 */
export const bySettings = <S extends object>(
  published: S,
  say: (settings: S) => z.GlobalMeta,
): z.GlobalMeta => ({
  ...say(published),
  'x-by-settings': (settings) => say(settings as unknown as S),
});
