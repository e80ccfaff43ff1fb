import { closest } from 'fastest-levenshtein';
import * as z from 'zod/mini';
import { ALTERNATIVES, type Alternative } from './control/alternatives.ts';
import { ControlError } from './control/problems.ts';
import { formProblems } from './core/form.ts';
import type { Settings } from './core/settings.ts';

/** Settings with the decisions of a profile taken. Refuses what it does not know, with what is allowed. */
export function applyProfile(settings: Settings, profile: unknown): Settings {
  const form = z.strictObject({
    $schema: z.optional(z.string()),
    version: z.literal(1),
    decisions: z.record(z.string(), z.unknown()),
  });
  const parsed = z.safeParse(form, profile);
  if (!parsed.success) refuse(formProblems(profile, parsed.error));

  const problems: string[] = [];
  let applied = settings;
  for (const [id, value] of Object.entries(parsed.data.decisions)) {
    const known = (ALTERNATIVES as Readonly<Record<string, Alternative>>)[id];
    if (!known || !Object.hasOwn(ALTERNATIVES, id)) {
      const ids = Object.keys(ALTERNATIVES);
      problems.push(
        `decisions.${id}: no decision of this name has alternatives; did you mean "${closest(id, ids)}"? Known: ${ids.join(', ')}`,
      );
      continue;
    }
    const read = z.safeParse(known.form(), value);
    if (read.success) applied = known.apply(applied, read.data as never);
    else {
      for (const line of formProblems(value, read.error)) {
        const place = line.replace(/^the document: /, ': ');
        const allowed = JSON.stringify(known.allowed);
        problems.push(
          `decisions.${id}${place.startsWith(':') ? '' : '.'}${place}; allowed: ${allowed}`,
        );
      }
    }
  }
  if (problems.length > 0) refuse(problems);
  return applied;
}

function refuse(problems: readonly string[]): never {
  throw new ControlError(422, `The profile can not be used: ${problems[0]}`, { errors: problems });
}
