import { closest } from 'fastest-levenshtein';
import * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import { formProblems } from '../core/form.ts';
import type { Settings } from '../core/settings.ts';
import { ALTERNATIVES, type Alternative } from './alternatives.ts';
import { ControlError } from './problems.ts';

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
    const alternative = Object.hasOwn(ALTERNATIVES, id)
      ? ALTERNATIVES[id as AssumptionId]
      : undefined;
    if (!alternative) {
      problems.push(unknownDecision(id));
      continue;
    }
    const read = z.safeParse(alternative.form(), value);
    if (read.success) applied = alternative.apply(applied, read.data as never);
    else problems.push(...misreadings(id, value, alternative, read.error));
  }
  if (problems.length > 0) refuse(problems);
  return applied;
}

function unknownDecision(id: string): string {
  const ids = Object.keys(ALTERNATIVES);
  return `decisions.${id}: no decision of this name has alternatives; did you mean "${closest(id, ids)}"? Known: ${ids.join(', ')}`;
}

/** What is wrong with the value of a decision, each with its place and with what is allowed. */
const misreadings = (
  id: string,
  value: unknown,
  { allowed }: Alternative,
  error: z.core.$ZodError,
): string[] =>
  formProblems(value, error).map((line) => {
    const problem = line.startsWith('the document: ')
      ? line.replace('the document', id)
      : `${id}.${line}`;
    return `decisions.${problem}; allowed: ${JSON.stringify(allowed)}`;
  });

function refuse(problems: readonly string[]): never {
  throw new ControlError(422, `The profile can not be used: ${problems[0]}`, { errors: problems });
}
