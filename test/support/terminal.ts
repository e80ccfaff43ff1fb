import type { Terminal } from '../../src/node/command.ts';

/** What a command said. */
export interface Said {
  out: string;
  err: string;
}

/** A terminal that keeps what is said to it; nobody stops what runs on it. */
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
    ...more,
  };
}
