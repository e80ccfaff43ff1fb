/*
 * Writes the README's screenshots of the inspector to `docs/`. The same source gives the same pictures on machines with
 * the same fonts.
 */
import { writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { startSandbox } from '../src/node.ts';
import { CHROMIUM } from './needs.mjs';
import { playStory, STORY_START } from './story.ts';

const WINDOW = { width: 1280, height: 720 };

const server = await startSandbox({ port: 0, now: STORY_START, clock: 'frozen', seed: 7 });
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
});
try {
  await playStory(server);
  const calls = server.sandbox.merchant('sk_sandbox_demo').journal.list();
  const lost = calls.find(({ fault }) => fault?.effect.kind === 'drop');
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: WINDOW, colorScheme, reducedMotion: 'reduce' });
    await page.goto(`${server.url}/_sandbox?call=${lost?.id}`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: /^The story/ }).waitFor();
    // WebP is smaller than PNG, and only available over the browser's own protocol.
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 75 });
    const picture = Buffer.from(data, 'base64');
    const file = `docs/inspector-${colorScheme}.webp`;
    await writeFile(file, picture);
    console.log(`${file} ${Math.ceil(picture.length / 1024)} kB`);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
