/* Opens pages in the default browser of this machine. */

import { startProgram } from './start-program.ts';

/** Programs that open a URL in the default browser. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the default browser, if there is one. Does not wait for it. */
export async function openBrowser(url: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  // Detached, so that stopping this program leaves the browser open.
  const started = startProgram(program, [...args, url], { stdio: 'ignore', detached: true });
  (await started.catch(() => undefined))?.unref();
}
