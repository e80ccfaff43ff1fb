/* Colours of texts on a terminal. */

/** Bold on a terminal that shows colours. */
export const bold = (text: string, colours: boolean): string =>
  colours ? `\u001b[1m${text}\u001b[22m` : text;

export const dim = (text: string, colours: boolean): string =>
  colours ? `\u001b[2m${text}\u001b[22m` : text;

const COLOURS = { red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Colour = keyof typeof COLOURS;

export const coloured = (text: string, colour: Colour, colours: boolean): string =>
  colours ? `\u001b[${COLOURS[colour]}m${text}\u001b[39m` : text;

const OF_STATUS: Readonly<Record<string, Colour>> = { 2: 'green', 3: 'cyan', 4: 'yellow' };

/** Green for success, yellow for a refusal, red for a failure or no response. */
export const colourStatus = (status: string, colours: boolean): string =>
  coloured(status, OF_STATUS[status.charAt(0)] ?? 'red', colours);
