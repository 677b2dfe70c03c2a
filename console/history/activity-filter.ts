import type { RecordKey } from './restore-request.ts';

/**
 * Returns the filter that limits the activity to one record. Written here, because the printer of filters comes with
 * the code of tables.
 */
export function activityFilter({ entityType, entitySortKey }: RecordKey): string {
  const key = entitySortKey.replaceAll(/["\\]/g, String.raw`\$&`);
  return `entity_type is ${entityType} and key is "${key}"`;
}
