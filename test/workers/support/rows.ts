import { build } from 'esbuild';
import type { Change, Line } from '../../../src/world/tables.ts';
import { BASE } from '../../support/client.ts';
import { sharedEngine } from './engine.ts';

/** Objects that do nothing but write rows, and say what there is then. */
const PROGRAM = `
import { DurableObject } from 'cloudflare:workers';
import { openSqlRows } from './src/workers/sql-rows.ts';

export class WorldObject extends DurableObject {
  rows = openSqlRows(this.ctx.storage);

  async fetch(request) {
    const { lines, breaksAfter } = await request.json();
    let problem;
    try {
      this.rows.write(breaking(lines, breaksAfter), 0);
    } catch (error) {
      problem = error.message;
    }
    const { bytes } = openSqlRows(this.ctx.storage);
    return Response.json({ bytes: this.rows.bytes, changes: [...this.rows.read()], problem, reopened: { bytes } });
  }
}
export { WorldObject as MerchantsObject };

function* breaking(lines, after) {
  for (const [number, line] of lines.entries()) {
    if (number === after) throw new Error('database or disk is full');
    yield line;
  }
}

export default {
  fetch(request, { WORLDS }) {
    return WORLDS.get(WORLDS.idFromName(new URL(request.url).pathname)).fetch(request);
  },
};
`;

/** What there is after a write. */
interface Written {
  readonly bytes: number;
  readonly changes: readonly Change[];
  readonly problem?: string;
  /** What whoever opens the rows anew finds. */
  readonly reopened: { readonly bytes: number };
}

/** The rows of an object of its own. */
export interface Rows {
  write(lines: readonly Line[], breaksAfter?: number): Promise<Written>;
}

/** An engine in which the rows of objects are written by the code that the Worker has for it, and nothing else. */
export async function startRows(): Promise<() => Rows> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['cloudflare:workers'],
  });
  const engine = await sharedEngine({}, outputFiles[0]?.text);
  let last = 0;
  return () => {
    const path = `/${++last}`;
    return {
      async write(lines, breaksAfter) {
        const body = JSON.stringify({ lines, breaksAfter });
        const request = new Request(BASE + path, { method: 'POST', body });
        return (await (await engine.fetch(request)).json()) as Written;
      },
    };
  };
}
