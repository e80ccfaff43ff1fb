import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { families } from '../src/products/index.ts';
import { SHARED_AREAS } from '../src/world/assumptions.ts';

interface Source {
  /** The path below `src`. */
  readonly path: string;
  readonly code: string;
  /** Modules it imports: paths below `src`, or the names of packages. */
  readonly imports: readonly string[];
  /** The imports that are not only types. */
  readonly values: readonly string[];
}

const sources: readonly Source[] = filesBelow('src').map((file) => {
  const text = readFileSync(file, 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
  const importsOf = (part: string) =>
    [...part.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)].map(([, name]) =>
      (name as string).startsWith('.')
        ? relative('src', normalize(join(dirname(file), name as string)))
        : (name as string),
    );
  const values = importsOf(code.replace(/^(import|export) type [^;]+;/gm, ''));
  return { path: relative('src', file), code, imports: importsOf(code), values };
});

/** A regular expression in code without comments. */
const EXPRESSION =
  /(?<=[=(,:[!&|?{;]\s*|return\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\/[a-z]*/g;

/** Files that read sentences of others: of Commander, of runtimes, of a provider, of JSON.parse. */
const READS_OTHERS =
  /^(command\/cli|connect\/failed-call|tools\/check\/probes\/errors|ui\/inspector\/client\/editor)\.tsx?:/;

/** The folders of `src`, from the ground up: a file imports from its own folder and from those before it. */
const FOLDERS = [
  'types',
  'world',
  'storage',
  'api',
  'products',
  'control',
  'openapi',
  'ui',
  'connect',
  'sandbox',
  'node',
  'tools',
  'kit',
  'workers',
  'command',
];

/** What programs import stands on top of all folders. A package has no place. */
const placeOf = (path: string): number =>
  /^\w+\.ts$/.test(path) ? FOLDERS.length : FOLDERS.indexOf(path.split('/')[0] ?? '');

describe('imports', () => {
  test('every file of src is in a folder of the list, or is what programs import', () => {
    const wrong = sources.filter(({ path }) => placeOf(path) === -1).map(({ path }) => path);
    expect(wrong).toEqual([]);
  });

  test('run one way, from the top of the list of folders to its ground, types included', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => placeOf(name) > placeOf(path))
        .map(
          (name) =>
            `${path} imports ${name}: move what both need into ${path.split('/')[0]} or below`,
        ),
    );
    expect(wrong).toEqual([]);
  });

  test('make no circle, of types neither, nor behind import()', () => {
    const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
    const circles: string[] = [];
    const passed = new Set<string>();
    const follow = (path: string, way: readonly string[]): void => {
      if (way.includes(path))
        circles.push([...way.slice(way.indexOf(path)), path].join(' imports '));
      if (passed.has(path)) return;
      passed.add(path);
      for (const name of importsOf.get(path) ?? []) follow(name, [...way, path]);
    };
    for (const { path } of sources) follow(path, []);
    expect(circles, 'move what both need into a file below both').toEqual([]);
  });

  test('no code takes one merchant for another: the World layer knows them by the World that they have', () => {
    const casts = sources.flatMap(({ path, code }) =>
      [...code.matchAll(/\bas (unknown as )?Merchant(Of|Account|Store)\b/g)].map(
        ([cast]) => `${path}: ${cast}`,
      ),
    );
    expect(casts, 'name the World that the function needs: MerchantOf<W>').toEqual([]);
  });

  test('workers/ imports nothing of node/', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => path.startsWith('workers/') && name.startsWith('node/'))
        .map((name) => `${path} imports ${name}: move what both need below node/`),
    );
    expect(wrong).toEqual([]);
  });

  test('product families never import each other', () => {
    const familyOf = (path: string) => /^products\/([^/]+)\//.exec(path)?.[1];
    const wrong = sources.flatMap(({ path, imports }) =>
      imports
        .filter((name) => familyOf(path) && familyOf(name) && familyOf(name) !== familyOf(path))
        .map((name) => `${path} imports ${name}: move what both need to src/products or src/api`),
    );
    expect(wrong).toEqual([]);
  });

  test.each(families)(
    'only the lists of families and the assumptions name $key outside its own files',
    ({ key }) => {
      const own = new RegExp(`^products/${key.replaceAll('_', '-')}/`);
      // In every spelling: `group_life`, `group-life`, `initiateGroupLifePolicy`.
      const name = new RegExp(key.replaceAll('_', '[-_ ]?'), 'i');
      const wrong = sources
        .filter(
          ({ path }) => !own.test(path) && !LISTS_FAMILIES.test(path) && !GENERATED.test(path),
        )
        .flatMap(({ path, code }) =>
          code
            .replace(SHARED_IDS, '')
            .split('\n')
            .filter((line) => name.test(line))
            .map((line) => `${path} names ${key}: ${line.trim()}`),
        );
      expect(wrong).toEqual([]);
    },
  );

  test('only node/ and command/ use Node, the kits of its test runners and the commands of tools; everything else runs on any platform with fetch', () => {
    const wrong = sources
      .filter(({ path }) => !/^(node|command)\//.test(path) && path !== 'kit/failed-test.ts')
      .filter(
        ({ path }) =>
          !/^tools\/(proxy\/(command|server)|chaos\/(attempt|command|function|program))\.ts$/.test(
            path,
          ),
      )
      .filter(
        ({ code, imports }) =>
          imports.some(
            (name) => name.startsWith('node:') || name.startsWith('@hono/node-server'),
          ) || /\b(process|Buffer|__dirname|require)\b\s*[.(]/.test(code),
      );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  test('pages that are loaded on demand are given what they show, so that their files stay small', () => {
    const wrong = sources
      .filter(({ path }) => PAGES.test(path))
      .flatMap(({ path, values }) =>
        values
          .filter((name) => /^(world|api|products|control|openapi)\//.test(name))
          .map((name) => `${path} imports ${name}: pass the value from src/sandbox/pages.ts`),
      );
    expect(wrong).toEqual([]);
  });

  test('browser code imports only types from elsewhere, and nothing of zod', () => {
    const wrong = sources
      .filter(({ path }) => BROWSER_CODE.test(path))
      .flatMap(({ path, values }) =>
        values
          .filter((name) => !BROWSER_CODE.test(name) && !BROWSER_LIBRARIES.test(name))
          .map((name) => `${path} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });
});

/** Pages that are bundled alone. */
const PAGES = /^ui\/(front-page|reference|layout|inspector\/page\.tsx$)/;

/** Browser code. Importing code of the sandbox would bundle all of it. */
const BROWSER_CODE = /^ui\/[^/]+\/client\//;
const BROWSER_LIBRARIES = /^(hono\/(jsx\/dom(\/client)?|client)|eventsource-parser)$/;

/** The list of families, the texts of assumptions, and the contract as probes. */
const LISTS_FAMILIES =
  /^(products\/index\.ts$|(world|products\/[^/]+)\/assumptions\.ts$|tools\/check\/(calls|probes)\/)/;

/** Generated from the published documents. */
const GENERATED = /^types\/((control-)?wire|profile)\.ts$/;

/** Ids of shared assumptions may contain the name of a family: `motor-product`. */
const SHARED_IDS = new RegExp(
  // It also applies to micro-health's id_url.
  `'(${[...Object.values(SHARED_AREAS).flatMap(Object.keys), 'motor-images'].join('|')})'`,
  'g',
);

describe('time, random numbers and sequences', () => {
  test('come from the World: one file reads the clock or starts timers, and one in the browser', () => {
    const pattern =
      /\bDate\.now\b|new Date\(\)|performance\.now|(?<![.\w])set(Timeout|Interval|Immediate)\b/;
    expect(using(pattern)).toEqual(['ui/layout/client/browser-time.ts', 'world/clock.ts']);
  });

  test('come from the World: one file makes random numbers', () => {
    // Keys that must not be guessable do not come from a World.
    expect(using(/Math\.random|crypto\.|randomUUID|getRandomValues/)).toEqual(['world/random.ts']);
    expect(
      sources
        .filter(({ imports }) => imports.some((name) => name.startsWith('pure-rand')))
        .map(({ path }) => path),
    ).toEqual(['world/random.ts']);
  });

  test('the environment is read in one place', () => {
    expect(using(/process\??\.env\b/)).toEqual(['world/platform.ts']);
  });
});

describe('names and sizes', () => {
  test('no regular expression reads a sentence of ours: what it says is a value somewhere', () => {
    const read = sources.flatMap(({ path, code }) =>
      [...code.matchAll(EXPRESSION)]
        .filter(([text]) => /[a-z]{2,}[,:]? [a-z([\\]/i.test(text))
        .map(([text]) => `${path}: ${text}`),
    );
    expect(read.filter((line) => !READS_OTHERS.test(line))).toEqual([]);
  });

  test('a file has at most 400 lines', () => {
    const long = sources.filter(
      ({ path, code }) => !GENERATED.test(path) && code.split('\n').length > 400,
    );
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

const using = (pattern: RegExp): string[] =>
  sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : /\.tsx?$/.test(path) ? [path] : [];
  });
}
