/* Colours of texts on a terminal. */

/** Bold on a terminal that shows colours. */
export const bold = (text: string, colours: boolean): string =>
  colours ? `\u001b[1m${text}\u001b[22m` : text;

export const dim = (text: string, colours: boolean): string =>
  colours ? `\u001b[2m${text}\u001b[22m` : text;

const [RED, GREEN, YELLOW, CYAN] = [31, 32, 33, 36];
const COLOURS: Readonly<Record<string, number>> = { 2: GREEN, 3: CYAN, 4: YELLOW };

/** Green for success, yellow for a refusal, red for a failure or no response. */
export function colourStatus(status: string, colours: boolean): string {
  return colours ? `\u001b[${COLOURS[status.charAt(0)] ?? RED}m${status}\u001b[39m` : status;
}
