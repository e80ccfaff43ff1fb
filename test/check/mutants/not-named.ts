/** Mutants whose operation a check does not name, and why. */
export const NOT_NAMED: Readonly<Record<string, string>> = {};
