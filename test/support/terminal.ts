import { run } from '../../src/command/cli.ts';
import type { Terminal } from '../../src/node/command.ts';

/** The output of a command. */
export interface Said {
  out: string;
  err: string;
}

/** A terminal that records its output and never sends a signal. */
export function terminalTo(said: Said, more: Partial<Terminal> = {}): Terminal {
  const out = (text: string) => {
    said.out += text;
  };
  return {
    environment: {},
    colours: false,
    out,
    err: (text) => {
      said.err += text;
    },
    output: {
      isTerminal: false,
      write: (text, done) => {
        out(text);
        done();
      },
      abandon: () => undefined,
    },
    stopped: async () => undefined,
    input: undefined,
    ...more,
  };
}

/** Runs a command in this process that ends by itself. */
export async function runHere(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Said & { readonly code: number }> {
  const said = { out: '', err: '' };
  const stopped = () => new Promise<void>(() => undefined);
  const code = await run([...args], terminalTo(said, { environment, stopped }));
  return { code, ...said };
}
