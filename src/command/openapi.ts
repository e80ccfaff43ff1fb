/* `openapi`: prints the document of the merchant API. */

import { oneOf, type Subcommand } from '../node/command.ts';
import { RUN } from '../sandbox/start-options.ts';
import { truncate } from '../world/problem-texts.ts';

export const openapi: Subcommand = {
  usage: '[--version 3.0|3.1]',
  description: "Print the merchant API's OpenAPI document.",
  options: {
    Document: [['--version <3.0|3.1>', 'OpenAPI version; some generators support only 3.0', '3.1']],
  },
  more: {
    Examples: [`${RUN} openapi > openapi.json`, `${RUN} openapi --version 3.0 > openapi-3.0.json`],
  },
  argumentRefusal: (argument) => `openapi takes no argument ${truncate(argument)}.`,
  async run(given, terminal) {
    const version = oneOf(given, 'version', ['3.0', '3.1']);
    const { merchantDocument, merchantDocument30 } = await import('../openapi/documents.ts');
    terminal.out(
      `${JSON.stringify(version === '3.0' ? merchantDocument30 : merchantDocument, null, 2)}\n`,
    );
    return 0;
  },
};
