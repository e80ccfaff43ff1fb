/* Moves the failures that several operations have in common into the components of a document. */

import { type Document, type Message, nameIn } from './document.ts';
import { mapValues } from './schemas.ts';

/** A failure of a document, and how many operations have it. */
interface Failure {
  readonly status: string;
  readonly response: Message;
  readonly times: number;
}

/** A document whose operations refer to each failure that they have in common. */
export function shareFailures(document: Document): Document {
  const { paths, components } = document;
  const failures = new Map<string, Failure>();
  for (const methods of Object.values(paths)) {
    for (const { responses } of Object.values(methods)) {
      for (const [status, response] of Object.entries(responses).filter(isFailure)) {
        const key = keyOf(status, response);
        const times = 1 + (failures.get(key)?.times ?? 0);
        failures.set(key, { status, response, times });
      }
    }
  }
  const shared = new Map<string, Message>();
  const names = new Map<string, string>();
  for (const [key, { status, response, times }] of failures) {
    if (times === 1) continue;
    const name = freeName(`${schemaName(response)}${status}`, shared);
    names.set(key, name);
    shared.set(name, response);
  }
  const refer = (response: Message, status: string): Message => {
    const name = names.get(keyOf(status, response));
    return name === undefined ? response : { $ref: `#/components/responses/${name}` };
  };
  const { schemas, ...others } = components;
  return {
    ...document,
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (each) => ({ ...each, responses: mapValues(each.responses, refer) })),
    ),
    components: { ...others, responses: Object.fromEntries([...shared].toSorted()), schemas },
  };
}

/** Operations show their successes themselves. */
const isFailure = ([status]: readonly [string, Message]): boolean => Number(status) >= 400;

const keyOf = (status: string, response: Message): string =>
  `${status} ${JSON.stringify(response)}`;

/** The name of the schema of a failure. Under a profile one status may have several forms, whose union has no name. */
function schemaName({ content = {} }: Message): string {
  const [body] = Object.values(content);
  const { $ref = 'Failure' } = (body?.schema ?? {}) as { readonly $ref?: string };
  return nameIn($ref);
}

/** The name, with a number behind it if it is taken. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
  return free;
}
