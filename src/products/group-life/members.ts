/* The members of a group-life purchase: an array or JSON text, each problem with its place. */

import { z } from '@hono/zod-openapi';
import { parseBody, stripEmpty } from '../../api/request.ts';
import { date, gender, otherName, text } from '../../api/request-fields.ts';
import { paddedPhone } from '../../world/limits.ts';
import type { FieldRule } from '../../world/rules.ts';
import type { Settings } from '../../world/settings.ts';
import { assumed, exampleOf, namedRequest, withExample } from '../named-schemas.ts';
import { birthDate, phoneOf } from '../subscriber.ts';

/** The most members that a policy may insure (`group-life-members`). */
export const MAX_MEMBERS = 5_000;

const DEMAND = `must be an array of 1 to ${MAX_MEMBERS} members, or a JSON text of one.`;

const KIN = 'Sade Ade';

const person = () => ({
  full_name: text(withExample('Full name of the member.', 'Bola Ade')),
  gender: gender(withExample('Gender of the member, `female` or `male` in any case.', 'female')),
  occupation: text(withExample('Occupation of the member.', 'Tailor')),
  date_of_birth: birthDate('the member', '1992-08-03'),
});
const phoneNumber = (settings: Settings) =>
  phoneOf(settings, 'the member', paddedPhone('0806', '7654321'));

/** A member as documents show it. */
export const memberRequest = (settings: Settings) =>
  namedRequest(
    'GroupLifeMemberRequest',
    assumed('A person to insure.', 'group-life-members'),
    {
      ...person(),
      next_of_kiln: text(
        withExample(
          'Full name of the next of kin. Required unless `next_of_kin` is sent. The spelling of the field is part of the API.',
          KIN,
        ),
      ).optional(),
      next_of_kin: text({
        ...withExample('Used if `next_of_kiln` is not sent.', KIN),
        'x-accepted': otherName('next_of_kiln'),
      }).optional(),
      phone_number: phoneNumber(settings),
    },
    ['next_of_kin'],
  );

/** A member as it is read, with its next of kin in one field. */
const member = (settings: Settings) =>
  z.object(
    { ...person(), next_of_kiln: text(), phone_number: phoneNumber(settings) },
    { error: 'must be an object.' },
  );
type MemberInput = z.output<ReturnType<typeof member>>;

/**
 * The members of a purchase: an array, or a JSON string of one (`group-life-members`). The error of a union says only
 * that neither form fits. So a reader first reports each problem with its place, and what it reads then passes the
 * published schema.
 */
export const members = (settings: Settings, published: ReturnType<typeof memberRequest>) => {
  const shown = z.union([
    z.array(published).min(1).max(MAX_MEMBERS),
    z.string().min(1).meta({ description: 'The same array as a JSON string.' }),
  ]);
  const reader = z.array(member(settings));
  const read = z.transform((sent: unknown, context): z.input<typeof shown> => {
    const list = listOf(sent);
    const parsed = isCountable(list)
      ? reader.safeParse(list.map(withNextOfKin), { reportInput: true })
      : undefined;
    if (parsed?.success) return parsed.data;
    const message = sent === undefined ? 'is required.' : DEMAND;
    const rule: FieldRule = Array.isArray(list) ? 'length' : 'type';
    const issues = parsed?.error.issues ?? [
      { code: 'custom', message, path: [], params: { rule }, input: sent },
    ];
    context.issues.push(...(issues as z.core.$ZodRawIssue[]));
    return [];
  });
  // A transform looks optional in documents.
  const required = z.nonoptional(z.pipe(read, shown));
  const example = exampleOf(published);
  return z
    .pipe(
      required,
      z.transform((valid) => valid as MemberInput[]),
    )
    .meta({
      description: `The people to insure: an array of 1 to ${MAX_MEMBERS} members, or the same array as a JSON string.`,
      examples: [[example], JSON.stringify([example])],
      'x-assumptions': ['group-life-members'],
      'x-accepted': (sent) =>
        typeof sent === 'string'
          ? 'was sent as a JSON string; the specification has an array'
          : undefined,
    });
};

/** The dates of birth in a malformed list of members, undefined where a date is malformed itself. */
export function birthsAmong(sent: unknown): (string | undefined)[] {
  const list = listOf(sent);
  const schema = date();
  if (!isCountable(list)) return [];
  return list.map((each) => schema.safeParse(Object(each).date_of_birth).data);
}

const isCountable = (list: unknown): list is unknown[] =>
  Array.isArray(list) && list.length >= 1 && list.length <= MAX_MEMBERS;

/** The sent value, parsed if it is JSON text. */
function listOf(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  try {
    return stripEmpty(parseBody(sent));
  } catch {
    return undefined;
  }
}

function withNextOfKin(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  if ('next_of_kiln' in sent || !('next_of_kin' in sent)) return sent;
  return { ...sent, next_of_kiln: sent.next_of_kin };
}
