import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import { type DraftField, type DraftFields, formatValue } from '../drafts/draft-fields.ts';
import { isMembers, memberOf } from '../drafts/json.ts';

/** Members that the platform sets: by every write, or without one. */
const UNSHOWN: ReadonlySet<string> = new Set([
  'version',
  'created_at',
  'updated_at',
  'updated_by_id',
  'last_attempt_at',
  'last_attempt_status',
]);

/**
 * Returns how to show records of a kind without a screen: each member under its name in the API. `names` are those of
 * units and members by their ids.
 */
export function fieldsOfAny(
  versions: readonly ListedVersion[],
  names: ReadonlyMap<string, string>,
): DraftFields {
  const members = new Set(
    versions.flatMap(({ data, changed_fields = [] }) => [...Object.keys(Object(data)), ...changed_fields]),
  );
  const format = (value: unknown) => (typeof value === 'string' && names.get(value)) || formatValue(value);
  const isNamed = (name: string) =>
    versions.some(({ data }) => {
      const value = isMembers(data) ? memberOf(data, name) : undefined;
      return typeof value === 'string' && names.has(value);
    });
  const fieldOf = (name: string): DraftField => ({ label: name, ...(isNamed(name) ? { format } : {}) });
  return Object.fromEntries(
    [...members].flatMap((name) => (UNSHOWN.has(name) ? [] : [[name, fieldOf(name)] as const])),
  );
}
