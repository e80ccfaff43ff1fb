/*
 * Writes the pictures of the README to `docs/`: the inspector as it shows a short story of calls of all kinds.
 * The same source gives the same pictures, as far as the fonts of the machine are the same.
 */
import { writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { startSandbox } from '../src/node/index.ts';
import { inFewColours } from './png.ts';
import { playStory, STORY_START } from './story.ts';

const WINDOW = { width: 1280, height: 720 };

const server = await startSandbox({ port: 0, now: STORY_START, clock: 'frozen', seed: 7 });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
});
try {
  const refused = `/_sandbox?call=${await playStory(server)}`;
  const pictures = [
    { name: 'inspector-light.png', path: refused, viewport: WINDOW, colorScheme: 'light' },
    { name: 'inspector-dark.png', path: refused, viewport: WINDOW, colorScheme: 'dark' },
    {
      name: 'inspector-phone.png',
      path: '/_sandbox?merchant=1',
      viewport: { width: 390, height: 720 },
      colorScheme: 'light',
    },
  ] as const;
  for (const { name, path, ...look } of pictures) {
    const page = await browser.newPage({ ...look, reducedMotion: 'reduce' });
    await page.goto(server.url + path);
    await page.getByText('live', { exact: true }).waitFor();
    await page
      .getByText('initiateMotorPolicy', { exact: true })
      .first()
      .waitFor({ state: 'attached' });
    if (path === refused) await page.getByRole('heading', { name: 'What is wrong' }).waitFor();
    const picture = inFewColours(await page.screenshot());
    await writeFile(`docs/${name}`, picture);
    console.log(`docs/${name} ${Math.ceil(picture.length / 1024)} kB`);
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
