import { useState } from 'react';
import type { schemas } from '../../sdk/src/index.ts';
import { isEqual } from '../drafts/json.ts';
import { type Collection, findEntry } from './entries.ts';

/**
 * Returns the entry that the URL says is edited. One that somebody else deletes meanwhile stays as it was, so that its
 * form stays open and says so.
 */
export function useEditedEntry<Entry extends object>(
  collection: Collection<Entry>,
  settings: schemas.EmailSettings,
  key: string | undefined,
): Entry | undefined {
  const found = key === undefined ? undefined : findEntry(collection, settings, key);
  const [last, setLast] = useState(found);
  if (key === undefined ? last !== undefined : found !== undefined && !isEqual(found, last)) setLast(found);
  return last !== undefined && collection.keyOf(last) === key ? last : undefined;
}
