import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FixtureError } from '../products/fixture-error.ts';
import type { FixtureFiles } from '../products/fixtures.ts';
import { readJsonFile, whyUnreadable } from './json-file.ts';
import { UnusableFile } from './unusable-file.ts';

/**
 * The fixture files of a folder, by name. Files it lacks are left to the built-in ones. Throws
 * `FixtureError` that names line and column of every file that is no JSON, and every file of an unknown name.
 */
export function readFixtureFolder(folder: string): FixtureFiles {
  const files: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const name of jsonFilesIn(folder)) {
    try {
      files[name] = readJsonFile(join(folder, name));
    } catch (error) {
      if (!(error instanceof UnusableFile)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new FixtureError(problems);
  return files;
}

function jsonFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.json') && !entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    throw new UnusableFile(folder, whyUnreadable(error as NodeJS.ErrnoException));
  }
}
