import { chosenKey, type Key } from '../../resources/keys.ts';

/**
 * What ids of projects, and of the models, slices and documents in them, are made of: callers choose them. `.` and `..` name
 * nothing in an address.
 */
export const CONTENT_ID = '^(?![.]{1,2}$)[A-Za-z0-9_.-]{1,128}$';
const isId = new RegExp(CONTENT_ID);

/** Whether a text can be the id of a project, or of a model, slice or document (docs/specification/pages.md#ids). */
export function isContentId(text: string): boolean {
  return isId.test(text);
}

/** The id that an unchecked body gives; null when it gives none that can be. */
export function contentIdOf(body: unknown): string | null {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return typeof id === 'string' && isContentId(id) ? id : null;
}

/** The key of a project as what lives in it has it: `within(projectKey, chosenKey('id', isContentId))`. */
export const projectKey: Key = chosenKey('project_id', isContentId);

/** What stands in addresses where a project's id does: a project of such an id could not be reached. */
export const RESERVED_IDS: readonly string[] = ['list', 'preview', 'project_metadata'];
