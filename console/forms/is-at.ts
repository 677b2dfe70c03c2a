import type { Issue } from './check-fields.ts';

/** True if an issue's path, such as `grants[0].bu_id`, belongs to a field. */
export function isAt({ field: path }: Issue, field: string): boolean {
  return path.startsWith(field) && (path.length === field.length || /[.[]/.test(path.charAt(field.length)));
}
