import * as z from 'zod/mini';
import { describe, type Meta } from '../../core/schema.ts';

/*
 * The control plane's wire. Moments are ISO 8601 with an offset or Z, durations ISO 8601; both are
 * given and answered as texts.
 */

const MOMENT: Meta = { examples: ['2026-01-31T10:00:00.000Z'], format: 'date-time' };
/** A moment as it is answered: UTC, to the millisecond. */
export const shown = (description: string) =>
  describe(z.iso.datetime({ precision: 3 }), { description, ...MOMENT });
/** A moment as it may be sent; what it says is read by `momentOf`, which knows where clocks end. */
export const moment = (description: string) => describe(z.string(), { description, ...MOMENT });
export const duration = (description: string, example: string) =>
  describe(z.string(), { description, examples: [example], format: 'duration' });
export const mode = () =>
  describe(z.enum(['running', 'frozen']), { description: 'Whether time passes by itself.' });
export const wholeFrom = (low: number, high = Number.MAX_SAFE_INTEGER) =>
  z.int().check(z.gte(low), z.lte(high));
