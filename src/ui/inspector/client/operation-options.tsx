/** @jsxImportSource hono/jsx/dom */
import { contract } from './store.ts';

/** The operations of the merchant API to choose from, under their headings. */
export function OperationOptions() {
  const tags = new Map<string, string[]>();
  for (const { tag, operationId } of contract.operations) {
    tags.set(tag, [...(tags.get(tag) ?? []), operationId]);
  }
  return [...tags].map(([tag, ids]) => (
    <optgroup key={tag} label={tag}>
      {ids.map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </optgroup>
  ));
}
