/** What the document says before it describes single calls. */
export const DESCRIPTION = `
A merchant signs its customers up for micro-insurance and reads the policies back. The calls stand by
product family. This is the API as the sandbox serves it.

**Key.** Every call carries \`Authorization: Bearer <API key>\`, every POST also
\`Content-Type: application/json\`. A merchant reaches its own records only; what belongs to another is
answered exactly as what does not exist. A fresh sandbox knows the key \`sk_sandbox_demo\`.

**Buying takes two calls.** An initiate call remembers the details and answers a token; the verify call
with that token, within 15 minutes, turns them into a policy. After 15 minutes the details are deleted
and the purchase must be initiated again. A token serves once.

**Requests.** Null, and text of white space only, count as missing. Fields this document does not name
are ignored. Where a number is asked for, its decimal digits as a text are accepted too.

**Answers.** Everything is JSON. A success is 200; a refusal has \`success: false\`, the first problem as
its message, the HTTP status as its \`response_code\`, and every problem in \`data.error\`. Three forms of
it exist, one for each form of success: \`MessageFailure\`, \`CodedFailure\` and \`StatusFailure\`. A path that
does not exist is 404 and a wrong method 405 with \`Allow\`, both only with a valid key. Timestamps are UTC
with six decimals. Fields may be added to answers: ignore what you do not know.

**Assumptions.** The published contract leaves some questions open, and a sandbox has to answer all of
them. Each assumption it makes has an id: \`x-assumptions\` names it wherever this document rests on it, the
list of the same name at the end says what was open and what is done, and the \`Sandbox-Assumptions\` header
of an answer names those that shaped it. What carries no id is the contract's own word.
`.trim();

/** What the 3.0 edition says besides. */
export const DESCRIPTION_30 = `
This is the edition for client generators that read OpenAPI 3.0. Where a field of a request may have one
of several types it names one; where a field of an answer may, it names none, and the description says
which may come. The OpenAPI 3.1 edition names all of them.
`;
