import type { Settings } from '../world/settings.ts';

type Meta = Record<string, unknown>;

/**
 * What the library wrote, with what our own words of a schema mean: each says what it says in a sandbox with
 * these settings, names every assumption behind it, and leaves out the keywords that are not published.
 */
export function applyMeta<Written>(written: Written, settings: Settings): Written {
  return apply(written) as Written;

  function apply(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(apply);
    if (typeof value !== 'object' || value === null) return value;
    const applied = Object.entries(ownMeta(value as Meta)).map(([key, each]) => [key, apply(each)]);
    return Object.fromEntries(applied);
  }

  function ownMeta(value: Meta): Meta {
    const {
      'x-by-settings': say,
      'x-documented': documented,
      'x-issued': _issued,
      'x-key': _key,
      'x-provider': _provider,
      ...meta
    } = value;
    if (typeof say === 'function') Object.assign(meta, say(settings));
    if (Array.isArray(documented)) {
      const ids = [...((meta['x-assumptions'] as string[] | undefined) ?? []), ...documented];
      meta['x-assumptions'] = [...new Set(ids)];
    }
    const { 'x-unpublished': keywords } = meta;
    if (Array.isArray(keywords)) {
      for (const keyword of [...keywords, 'x-unpublished']) delete meta[keyword];
    }
    return meta;
  }
}
