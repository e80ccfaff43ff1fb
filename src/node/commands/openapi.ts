import type { Command } from '../command.ts';
import { type FlagGroup, oneOf, readCommandLine, UsageError } from '../flags.ts';
import { PROGRAM } from '../help.ts';

const FLAGS: readonly FlagGroup[] = [
  {
    title: 'Which document',
    flags: [
      {
        name: 'version',
        value: '3.0|3.1',
        default: '3.1',
        description: 'which OpenAPI; 3.0 is for generators that know no other',
      },
    ],
  },
];

export const openapi: Command = {
  summary: "print the merchant API's OpenAPI document",
  usage: 'openapi [--version 3.0|3.1]',
  flagGroups: FLAGS,
  ownVersion: true,
  examples: [
    `${PROGRAM} openapi > openapi.json`,
    `${PROGRAM} openapi --version 3.0 > openapi-3.0.json`,
  ],
  async run(args, terminal) {
    const line = readCommandLine(FLAGS, args, terminal.environment);
    if (line.positionals[0] !== undefined) {
      throw new UsageError(`openapi takes no "${line.positionals[0]}"; it prints the document.`);
    }
    const version = oneOf(line, 'version', ['3.0', '3.1']);
    const { merchantDocument, merchantDocument30 } = await import('../../openapi/documents.ts');
    terminal.out(
      `${JSON.stringify(version === '3.0' ? merchantDocument30 : merchantDocument, null, 2)}\n`,
    );
    return 0;
  },
};
