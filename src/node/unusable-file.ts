/** A file that can't be used: which, and why. */
export class UnusableFile extends Error {
  override readonly name = 'UnusableFile';
  constructor(file: string, why: string) {
    super(`${file}: ${why}`);
  }
}
