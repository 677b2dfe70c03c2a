/**
 * Values that a user enters for fields of a record that is restored. Fields are paths as in issues of the API:
 * `target.headers[0].value`.
 */
import { isMembers, type Members, memberOf } from '../drafts/json.ts';

/** Returns the members of a record that contain these fields, with their values. */
export function membersWith(record: Members, values: ReadonlyMap<string, string>): Members {
  const steps = [...values].map(([field, value]) => ({ path: pathOf(field), value }));
  const names = new Set(steps.flatMap(({ path: [name = ''] }) => name));
  const changed = steps.reduce<unknown>((whole, { path, value }) => setAt(whole, path, value), record);
  return Object.fromEntries(
    Object.entries(isMembers(changed) ? changed : {}).filter(([name]) => names.has(name)),
  );
}

/** A field of a record, as people see it. */
interface ShownField {
  /** Name of the smallest part around the field that has one, such as a header; otherwise the field itself. */
  readonly title: string;
  readonly value: unknown;
}

/** Returns a field of a record. */
export function fieldOf(record: Members, field: string): ShownField {
  let value: unknown = record;
  let title = field;
  for (const step of pathOf(field)) {
    value = Array.isArray(value) ? value[Number(step)] : isMembers(value) ? memberOf(value, step) : undefined;
    const name = isMembers(value) ? memberOf(value, 'name') : undefined;
    if (typeof name === 'string' && name !== '') title = name;
  }
  return { title, value };
}

function pathOf(field: string): readonly string[] {
  return field.match(/[^.[\]]+/g) ?? [];
}

function setAt(whole: unknown, [step, ...rest]: readonly string[], value: string): unknown {
  if (step === undefined) return value;
  if (Array.isArray(whole))
    return whole.map((item, index) => (String(index) === step ? setAt(item, rest, value) : item));
  const members = isMembers(whole) ? whole : {};
  return { ...members, [step]: setAt(memberOf(members, step), rest, value) };
}
