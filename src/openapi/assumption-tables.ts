/* The tables of assumptions in `docs/decisions.md`. */

import { ASSUMPTION_AREAS, anyFamilies } from '../products/world.ts';

const BEGIN = '<!-- `npm run docs` writes what follows. -->\n';
const END = '<!-- `npm run docs` writes what is above. -->\n';

/** The ids of the probes of `check` about an assumption. */
export type ProbesOf = (assumption: string) => readonly string[];

/** `docs/decisions.md` with the tables of this code. Throws if the page lacks the comments around them. */
export function withAssumptionTables(page: string, probesOf: ProbesOf): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined)
    throw new Error('docs/decisions.md lacks the comments around its tables');
  return `${before}${BEGIN}\n${assumptionTables(probesOf)}\n\n${END}${after}`;
}

/** Every assumption by area, then the success message of every operation by family. */
function assumptionTables(probesOf: ProbesOf): string {
  const sections = Object.entries(ASSUMPTION_AREAS).map(([area, assumptions]) => [
    `## ${area}`,
    table(
      ['assumption', 'question', 'what the sandbox does', 'probes of `check`'],
      Object.entries(assumptions).map(([id, { question, decision }]) => [
        `\`${id}\``,
        question,
        decision,
        probeNames(probesOf(id)),
      ]),
    ),
  ]);
  const messages = table(
    ['operation', 'message', '`response_code`'],
    anyFamilies
      .flatMap(({ operations }) => operations)
      .map(({ operationId, envelope: { message, code } }) => [
        `\`${operationId}\``,
        `\`${message}\``,
        code === undefined ? 'none' : `\`${JSON.stringify(code)}\``,
      ]),
  );
  return [...sections, ['## Messages', messages]].flat().join('\n\n');
}

const probeNames = (ids: readonly string[]): string =>
  ids.length === 0 ? 'none' : ids.map((id) => `\`${id}\``).join(', ');

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
