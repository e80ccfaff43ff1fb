import type { Settings } from '../world/settings.ts';
import { changedSettings } from './ledger.ts';

const BOUNDARIES = {
  exclusive: 'The moment 15:00.000 itself is too late',
  inclusive: 'The moment 15:00.000 itself is not too late yet',
} as const;

const TRIMS = {
  keep: 'White space around a text is kept',
  trim: 'White space around a text is dropped first, so that patterns and formats are those of what is left',
} as const;

const ENVELOPE = `has \`success: false\`, the first
problem as its message, its status as its \`response_code\`, and every problem in \`data.error\`
(\`error-envelope\`, \`error-code-type\`). Three forms of it exist, one for each form of success:
\`MessageFailure\`, \`CodedFailure\` and \`StatusFailure\`.`;

const REFUSALS = {
  envelope: `a refusal ${ENVELOPE}`,
  laravel: `the refusal
of a token or of an unknown policy ${ENVELOPE} Every other refusal is in no envelope: \`ValidationFailure\`
has the first problem as its message and every problem by field in \`errors\`, \`MessageOnlyFailure\` has a message alone.`,
} as const;

/** What the document of a sandbox with these settings says before it describes single calls. */
export const describeApi = (settings: Settings): string => {
  const { statuses, tokenBoundary, textTrim, errorEnvelope } = settings;
  return `
A merchant signs its customers up for micro-insurance and reads the policies back. The calls stand by
product family. This is the API as the sandbox serves it.

**Key.** Every call carries \`Authorization: Bearer <API key>\`, every POST also
\`Content-Type: application/json\`. A merchant reaches its own records only; what belongs to another is
answered exactly as what does not exist (\`foreign-policy\`). A fresh sandbox knows the key \`sk_sandbox_demo\`.

**Buying takes two calls.** An initiate call remembers the details and answers a token; the verify call
with that token, within 15 minutes, turns them into a policy. After 15 minutes the details are deleted
and the purchase must be initiated again. ${BOUNDARIES[tokenBoundary]}
(\`token-boundary\`). A token serves once (\`token-used\`).

**Requests.** Null, and text of white space only, count as missing (\`text-and-numbers\`). ${TRIMS[textTrim]}
(\`text-trim\`). A text with control characters or lone surrogates is refused; addresses may have line
breaks and tabs (\`encoding\`). Fields this document does not name are ignored (\`unknown-fields\`). Where a number
is asked for, its decimal digits as a text are accepted too (\`text-and-numbers\`).

**Answers.** Everything is JSON. A success is 200 (\`http-status\`); ${REFUSALS[errorEnvelope]} A path that does not exist is ${statuses.route_unknown} and a wrong
method ${statuses.method_not_allowed} with \`Allow\`, both only with a valid key (\`unknown-route\`). Timestamps are UTC (\`time-zone\`)
with six decimals, amounts naira (\`currency\`). Fields may be added to answers: ignore what you do not know.

**Assumptions.** The published contract leaves some questions open, and a sandbox has to answer all of
them. Each assumption it makes has an id: \`x-assumptions\` names it wherever this document rests on it, the
list of the same name at the end says what was open and what is done, and the \`Sandbox-Assumptions\` header
of an answer names those that shaped it. What carries no id is the contract's own word.
${profileNote(settings)}`.trim();
};

function profileNote(settings: Settings): string {
  const ids = [...changedSettings(settings).keys()].map((id) => `\`${id}\``);
  if (ids.length === 0) return '';
  return `
**Profile.** This sandbox takes some assumptions otherwise than published, and this document says what it
does: ${ids.join(', ')}. Each has a \`setting\` in the list at the end.
`;
}

/** What the 3.0 edition says besides. */
export const DESCRIPTION_30 = `
This is the edition for client generators that read OpenAPI 3.0. Where a field of a request may have one
of several types it names one; where a field of an answer may, it names none, and the description says
which may come. The OpenAPI 3.1 edition names all of them.
`;
