/* Which fields of a record a table shows. Families differ; what their policies have in common has few names. */

export type PolicyRecord = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly title: string;
  read(record: PolicyRecord): unknown;
}

interface Wanted {
  readonly title: string;
  /** Where its value may stand, by the paths that families use. */
  readonly paths: readonly string[];
}

const WANTED: readonly Wanted[] = [
  { title: 'Policy number', paths: ['policy_number', 'policy_no'] },
  { title: 'Holder', paths: ['first_name+surname', 'group_name'] },
  { title: 'Contact', paths: ['contact_person_name'] },
  { title: 'Kind', paths: ['insurance_cover', 'subscriptions.subscriptions_type', 'group_type'] },
  { title: 'Begins', paths: ['start_date', 'subscriptions.start_date'] },
  { title: 'Ends', paths: ['end_date', 'subscriptions.end_date'] },
];

/** The columns that the records of a page fill: the number always first. */
export function columnsOf(records: readonly PolicyRecord[]): Column[] {
  return WANTED.flatMap(({ title, paths }) => {
    const path = paths.find((each) =>
      records.some((record) => readPath(record, each) !== undefined),
    );
    return path === undefined
      ? []
      : [{ name: path, title, read: (record) => readPath(record, path) }];
  });
}

export const policyNumberOf = (record: PolicyRecord): string | undefined => {
  const number = record.policy_number ?? record.policy_no;
  return number === undefined ? undefined : String(number);
};

/** `subscriptions.end_date`, or `first_name+surname` for what belongs together. */
function readPath(record: PolicyRecord, path: string): unknown {
  if (!path.includes('+')) {
    return path
      .split('.')
      .reduce<unknown>(
        (value, key) =>
          typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
        record,
      );
  }
  const parts = path.split('+').map((name) => record[name]);
  return parts.every((part) => part !== undefined)
    ? parts.filter((part) => part !== null).join(' ')
    : undefined;
}

/** A moment is a day in a table; the record that is opened has all of it. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = String(value);
  return /^\d{4}-\d\d-\d\d[T ]/.test(text) ? text.slice(0, 10) : text;
}
