import { type Change, changesBetween } from '../drafts/changes.ts';
import { type DraftFields, findField } from '../drafts/draft-fields.ts';
import type { Version } from './restore-request.ts';

/** Returns the parts in which two versions differ, of those that people see. */
export function shownChanges(fields: DraftFields, before: Version, after: Version): Change[] {
  return changesBetween(before.data, after.data).filter(({ path }) => findField(fields, path) !== null);
}
