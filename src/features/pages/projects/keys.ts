import { type Key, pathKey } from '../../../resources/keys.ts';

/**
 * Pattern of the ids of projects, and of models, slices and documents in them; callers choose the ids. `.` and `..` are
 * not allowed, because clients remove these segments from a URL path.
 */
export const CONTENT_ID = '^(?![.]{1,2}$)[A-Za-z0-9_.-]{1,128}$';
const CONTENT_ID_PATTERN = new RegExp(CONTENT_ID);

/** Returns true for a valid id of a project, model, slice or document (docs/specification/pages.md#ids). */
export function isContentId(text: string): boolean {
  return CONTENT_ID_PATTERN.test(text);
}

/** Returns the id in an unvalidated body; null if it is missing or invalid. */
export function contentIdOf(body: unknown): string | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' && isContentId(id) ? id : null;
}

/** Key of a project for records that belong to it: `within(projectKey, pathKey('id', isContentId))`. */
export const projectKey: Key = pathKey('project_id', isContentId);

/** Path segments that routes use in the place of a project id; a project with such an id would be unreachable. */
export const RESERVED_IDS: readonly string[] = ['list', 'preview', 'project_metadata'];
