import { z } from '@hono/zod-openapi';
import { parseJson, stripEmpty } from '../../api/request.ts';
import { date, gender, text } from '../../api/request-fields.ts';
import { phoneIn, type RequestForms } from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { assumed, exampleOf, namedRequest, withExample } from '../named-schemas.ts';

/** How many members a policy may insure (`group-life-members`). */
const MAX_MEMBERS = 5_000;

const DEMAND = `must be an array of 1 to ${MAX_MEMBERS} members, or a JSON text of one.`;

const KIN = 'Sade Ade';

const person = () => ({
  full_name: text(withExample('Full name of the member.', 'Bola Ade')),
  gender: gender(withExample('female or male.', 'female')),
  occupation: text(withExample('What the member works as.', 'Tailor')),
  date_of_birth: date({
    description: 'Y-m-d, not after today.',
    examples: ['1992-08-03'],
    'x-documented': ['time-zone'],
  }),
});
const phoneNumber = (forms: RequestForms) =>
  phoneIn(forms, withExample('11 digits.', '08067654321'));

/** A member as the contract shows it. */
const memberRequest = (forms: RequestForms) =>
  namedRequest(
    'GroupLifeMemberRequest',
    assumed('A person to insure.', 'group-life-members'),
    {
      ...person(),
      next_of_kiln: text(
        withExample('Full name of the next of kin. Required, unless next_of_kin is sent.', KIN),
      ).optional(),
      next_of_kin: text(
        withExample('Taken for next_of_kiln where that is not sent.', KIN),
      ).optional(),
      phone_number: phoneNumber(forms),
    },
    ['next_of_kin'],
  );

export const GroupLifeMemberRequest = memberRequest(SHARED_SETTINGS);

/** A member as it is read, its next of kin under one name. */
const member = (forms: RequestForms) =>
  z.object(
    { ...person(), next_of_kiln: text(), phone_number: phoneNumber(forms) },
    { error: 'must be an object.' },
  );
type MemberInput = z.output<ReturnType<typeof member>>;

/**
 * The members of a purchase: an array, or a JSON text of one (`group-life-members`). A union of the two could say only
 * that neither fits. So a reader names every problem by its place first, and what it reads passes through the schema
 * that documents show.
 */
export const members = (forms: RequestForms) => {
  const shown = z.union([
    z.array(memberRequest(forms)).min(1).max(MAX_MEMBERS),
    z.string().min(1).meta({ description: 'The same array as JSON text.' }),
  ]);
  const reader = z.array(member(forms));
  const read = z.transform((sent: unknown, context): z.input<typeof shown> => {
    const list = listOf(sent);
    const parsed = isCountable(list) ? reader.safeParse(list.map(withNextOfKin)) : undefined;
    if (parsed?.success) return parsed.data;
    const message = sent === undefined ? 'is required.' : DEMAND;
    const issues = parsed?.error.issues ?? [{ code: 'custom', message, path: [] }];
    context.issues.push(...(issues as z.core.$ZodRawIssue[]));
    return [];
  });
  // A transform looks optional in documents.
  const required = z.nonoptional(z.pipe(read, shown));
  const example = exampleOf(GroupLifeMemberRequest);
  return z
    .pipe(
      required,
      z.transform((valid) => valid as MemberInput[]),
    )
    .meta({
      description: `The people to insure: an array of 1 to ${MAX_MEMBERS}, or a JSON text of one.`,
      examples: [[example], JSON.stringify([example])],
      'x-assumptions': ['group-life-members'],
    });
};

/** The date of birth of each of some members, among which something is malformed; undefined if it is that itself. */
export function birthsAmong(sent: unknown): (string | undefined)[] {
  const list = listOf(sent);
  const schema = date();
  if (!isCountable(list)) return [];
  return list.map((each) => schema.safeParse(Object(each).date_of_birth).data);
}

const isCountable = (list: unknown): list is unknown[] =>
  Array.isArray(list) && list.length >= 1 && list.length <= MAX_MEMBERS;

/** What was sent, or the value of its JSON text. */
function listOf(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent;
  try {
    return stripEmpty(parseJson(sent));
  } catch {
    return undefined;
  }
}

function withNextOfKin(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  if ('next_of_kiln' in sent || !('next_of_kin' in sent)) return sent;
  return { ...sent, next_of_kiln: sent.next_of_kin };
}
