/* The columns that tables of policies have in common. */

/** @jsxImportSource hono/jsx/dom */
import { Button, UserText } from './parts.tsx';
import { type PolicyRecord, readPart, statusOf, typeOf } from './policy.ts';
import { StatusPill } from './record.tsx';

/** The columns beside the status. */
const COLUMNS = ['number', 'holder', 'end', 'type'] as const;

/** The status follows this column, so that phones show it too. */
const STATUS_AFTER = 'holder';

type Columns = ReturnType<typeof columnsOf>;

/** The columns that these records have values for. What the type says differs by family. */
export function columnsOf(records: readonly PolicyRecord[]) {
  const titles = {
    number: 'Policy number',
    holder: 'Holder',
    end: 'Ends',
    type: records.map(typeOf).find((title) => title !== undefined) ?? '',
  };
  return COLUMNS.filter((name) => records.some((each) => readPart(each, name) !== undefined)).map(
    (name) => ({ name, title: titles[name] }),
  );
}

export const PolicyHead = ({ columns }: { columns: Columns }) => (
  <>
    {columns.map(({ name, title }) => (
      <>
        <th key={name} scope="col" class={name}>
          {title}
        </th>
        {name === STATUS_AFTER ? <th scope="col">Status</th> : null}
      </>
    ))}
  </>
);

interface PolicyCellsProps {
  columns: Columns;
  record: PolicyRecord;
  isChosen?: boolean;
  /** The time of the World's clock. */
  now: number;
}

export const PolicyCells = ({ columns, record, isChosen = false, now }: PolicyCellsProps) => (
  <>
    {columns.map(({ name }) => {
      const text = <UserText text={cellText(readPart(record, name))} />;
      return (
        <>
          <td key={name} class={name}>
            {name === 'number' ? (
              <Button class="quiet mono" aria-current={isChosen ? 'true' : undefined}>
                {text}
              </Button>
            ) : (
              text
            )}
          </td>
          {name === STATUS_AFTER ? (
            <td class="state">
              <StatusPill status={statusOf(record, now)} />
            </td>
          ) : null}
        </>
      );
    })}
  </>
);

/** The table shows only the day of a timestamp. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = String(value);
  return /^\d{4}-\d\d-\d\d[T ]/.test(text) ? text.slice(0, 10) : text;
}
