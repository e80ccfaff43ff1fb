import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What an object has stored. */
export interface StoredObject {
  readonly className: string;
  /** The sizes of its rows in bytes, by table. */
  readonly rows: Readonly<Record<string, readonly number[]>>;
  /** What it put under names, as JSON. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The objects of another program over the same storage, which say what is in it. */
const READER = `
import { DurableObject } from 'cloudflare:workers';

const utf8 = new TextEncoder();
const sizeOf = (value) => value?.byteLength ?? (typeof value === 'string' ? utf8.encode(value).length : 0);

class Reader extends DurableObject {
  async fetch() {
    const { sql } = this.ctx.storage;
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'");
    const rows = {};
    for (const { name } of tables.toArray()) {
      const values = sql.exec('SELECT * FROM ' + name).raw().toArray();
      rows[name] = values.map((row) => row.reduce((sum, each) => sum + sizeOf(each), 0));
    }
    return Response.json({ rows, values: Object.fromEntries(await this.ctx.storage.list()) });
  }
}
export { Reader as WorldObject, Reader as MerchantsObject };

export default {
  fetch(request, { WORLDS, MERCHANTS }) {
    const [, className, id] = new URL(request.url).pathname.split('/');
    const objects = className === 'WorldObject' ? WORLDS : MERCHANTS;
    return objects.get(objects.idFromString(id)).fetch(request);
  },
};
`;

/** What the engine is told instead of the sandbox. */
export const reader = {
  modules: [{ type: 'ESModule', path: '/reader.js', contents: READER }],
  modulesRoot: '/',
};

/** Reads what the objects of an engine have stored, by a reader that runs over its folder. */
export async function readStored(
  miniflare: { readonly ready: Promise<URL>; dispose(): Promise<void> },
  folder: string,
): Promise<StoredObject[]> {
  const url = await miniflare.ready;
  const found: StoredObject[] = [];
  for (const name of await readdir(folder)) {
    const className = name.slice(name.indexOf('-') + 1);
    for (const file of await readdir(join(folder, name))) {
      const [, id] = /^([0-9a-f]{64})\.sqlite$/.exec(file) ?? [];
      if (id === undefined) continue;
      const response = await fetch(new URL(`/${className}/${id}`, url));
      found.push({ className, ...((await response.json()) as Omit<StoredObject, 'className'>) });
    }
  }
  await miniflare.dispose();
  return found;
}
