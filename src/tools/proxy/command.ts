/* `proxy`: passes calls on to the real service, and reports where it differs from the contract. */

import { isThisMachine } from '../../control/access.ts';
import { timeOfDay } from '../../control/log-line.ts';
import { isOn, port, type Subcommand, serverAddress, writableFile } from '../../node/command.ts';
import { UsageError } from '../../node/errors.ts';
import { writeWhole } from '../../node/files.ts';
import { createLineWriter } from '../../node/output.ts';
import { PROGRAM, RUN, withVariables } from '../../sandbox/start-options.ts';
import { colourStatus } from '../../world/colours.ts';
import { counted } from '../../world/grouped.ts';
import { printable } from '../../world/printable.ts';
import type { ProxyEntry } from './journal.ts';

const DEFAULT_PORT = 4016;

export const proxy: Subcommand = {
  usage: '--target U [flags]',
  description:
    'Pass calls on to the real service and report where it differs from the contract.\n\n' +
    'Requests and responses are not changed, but for the header Sandbox-Differences. The report says which field differs and the form of its value, never the value.\n\n' +
    'Ctrl+C stops the proxy and prints the report.',
  options: withVariables('PROXY', {
    Server: [
      ['--target <U>', 'URL of the real service'],
      ['-p, --port <N>', 'port to listen on; 0 picks a free one', `${DEFAULT_PORT}`],
    ],
    Report: [
      ['--report <FILE>', 'write the report as JSON on exit'],
      ['--strict', 'exit with code 1 if anything differed'],
    ],
  }),
  more: {
    'Exit codes': [
      '0  stopped',
      '1  differences with --strict, or a taken port',
      '2  invalid option, or the report could not be written',
    ],
    Examples: [`${RUN} proxy --target https://provider.example`],
  },
  // The argument may be a key, so the message leaves it out.
  argumentRefusal: () => 'proxy takes no arguments, only flags; use --target U.',
  async run(given, terminal) {
    const target = serverAddress(given, 'target');
    if (target === undefined) throw new UsageError('proxy requires --target (or PROXY_TARGET).');
    const { host, port: targetPort } = new URL(target);
    const ownPort = port(given, DEFAULT_PORT);
    if (isThisMachine(host) && targetPort === `${ownPort}`) {
      throw new UsageError(
        `${target} is the proxy itself; --target must be the URL of the service.`,
      );
    }
    const file = writableFile(given, 'report');

    const { createJournal, reportText } = await import('./journal.ts');
    const { JOURNAL_PATH, startProxy } = await import('./server.ts');
    const journal = createJournal(target);
    const log = createLineWriter<ProxyEntry>(terminal.output, {
      lineOf: (entry) => logLine(entry, terminal.colours),
      notShown: (number) => `… ${number} calls not shown\n`,
    });
    const options = { target, port: ownPort, journal, onEntry: log.add };
    const { url, close } = await startProxy(options);
    const stopped = terminal.stopped();
    terminal.out(
      `${PROGRAM} proxy at ${url} for ${target}

  your program   send requests to ${url} instead of ${target}
  differences    one line for each request below; details at ${url}${JOURNAL_PATH}

Page URLs in responses lead to the service itself. Ctrl+C stops the proxy.
`,
    );
    await stopped;
    await close();
    await log.end();
    const report = journal.report();
    terminal.out(`\n${reportText(report)}`);
    if (file !== undefined) writeWhole(file, `${JSON.stringify(report, null, 2)}\n`);
    return isOn(given, 'strict') && report.differences.length > 0 ? 1 : 0;
  },
};

/** `12:01:07 POST /api/merchant/micro_health/verify 200 31 ms  2 differences` */
function logLine(entry: ProxyEntry, colours: boolean): string {
  const { at, method, path, status, duration_ms, not_judged, differences } = entry;
  const outcome =
    not_judged === null ? counted(differences.length, 'difference') : `not compared: ${not_judged}`;
  const answered = colourStatus(`${status ?? '-'}`, colours);
  const call = printable(`${method} ${path}`);
  return `${timeOfDay(Date.parse(at))} ${call} ${answered} ${duration_ms} ms  ${printable(outcome)}\n`;
}
