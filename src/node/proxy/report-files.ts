import type { ProxyReport } from '../../contract/proxy/index.ts';
import type { Terminal } from '../command.ts';
import { writeWhole } from '../files.ts';
import { PROGRAM } from '../help.ts';

/** The files that were asked for. */
export interface ReportFiles {
  readonly report: string | undefined;
  readonly profile: string | undefined;
}

/**
 * Writes every file that was asked for, also after another one could not be written.
 *
 * @returns whether all are written
 */
export function writeReportFiles(
  report: ProxyReport,
  files: ReportFiles,
  terminal: Terminal,
): boolean {
  const write = (file: string | undefined, content: unknown): boolean => {
    try {
      if (file !== undefined) writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
      return true;
    } catch (error) {
      terminal.err(`${PROGRAM}: ${(error as Error).message}\n`);
      return false;
    }
  };
  const isReportWritten = write(files.report, report);
  if (files.profile === undefined) return isReportWritten;
  if (Object.keys(report.profile.decisions).length === 0) {
    terminal.out('No profile was written: there is nothing to put into it.\n');
    return isReportWritten;
  }
  const isProfileWritten = write(files.profile, report.profile);
  if (isProfileWritten) {
    terminal.out(`To answer as this service does: ${PROGRAM} --profile ${files.profile}\n`);
  }
  return isReportWritten && isProfileWritten;
}
