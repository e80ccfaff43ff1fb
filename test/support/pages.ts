/* The pages of the documentation, and the code on them. */
import { readdirSync, readFileSync } from 'node:fs';

/** The skill for coding agents. */
export const SKILL = 'skills/micro-insurance-sandbox/SKILL.md';

/** The pages of the folder `docs`. */
export const DOCS = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);

/** All pages with code that users copy. */
export const PAGES = [
  ...['README.md', SKILL, ...DOCS],
  ...['examples/README.md', 'examples/nginx/README.md', 'examples/testcontainers/README.md'],
];

/** The blocks of code on a page, in their order. */
export const codeOf = (page: string): { language: string; code: string }[] =>
  [...readFileSync(page, 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']) => ({ language, code }),
  );

/** The blocks of a page in one language. */
export const blocksOf = (page: string, language: string): string[] =>
  codeOf(page)
    .filter((block) => block.language === language)
    .map(({ code }) => code);

/** The commands of a page that call the sandbox, after those of the page with the helper that they use. */
export function callsIn(page: string): string {
  const usesHelper = readFileSync(page, 'utf8').includes('control-plane.md#try-it');
  return [...(usesHelper ? ['docs/control-plane.md'] : []), page]
    .flatMap((each) => blocksOf(each, 'sh'))
    .filter((block) => /\bcall\b|\bcurl\b/.test(block))
    .join('\n');
}
