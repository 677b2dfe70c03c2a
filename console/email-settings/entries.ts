/** Collections of the email settings, such as senders. The API replaces them as a whole; users edit one entry. */
import type { schemas } from '../../sdk/src/index.ts';
import type { DraftFields } from '../drafts/draft-fields.ts';

/** An entry with the version of the settings that it was read from; without one, a new entry. */
export type EntryDraft<Entry> = Entry & { readonly version?: number };

/** A collection of the email settings. */
export interface Collection<Entry extends object> {
  /** Kind of an entry among drafts. */
  readonly draftType: string;
  /** An entry before anything is entered. */
  readonly empty: Entry;
  /** Returns how drafts show an entry. */
  readonly fields: () => DraftFields;
  readonly keyOf: (entry: Entry) => string;
  /** Returns the entries as the API takes them. */
  readonly entriesOf: (settings: schemas.EmailSettings) => readonly Entry[];
  /** Returns a draft without the version. */
  readonly entryOf: (draft: EntryDraft<Entry>) => Entry;
  /** Returns the body that replaces the collection. */
  readonly bodyOf: (entries: Entry[]) => schemas.EmailSettingsPatch;
  /** Returns the entries of such a body. */
  readonly entriesIn: (body: Partial<schemas.EmailSettingsPatch>) => readonly Entry[] | undefined;
}

/** Returns the entry with a key. */
export function findEntry<Entry extends object>(
  { entriesOf, keyOf }: Collection<Entry>,
  settings: schemas.EmailSettings,
  key: string,
): Entry | undefined {
  return entriesOf(settings).find((each) => keyOf(each) === key);
}

/** Returns the entries with one replaced, found by its key, or added at the end. */
export function withEntry<Entry extends object>(
  { entriesOf, keyOf }: Collection<Entry>,
  settings: schemas.EmailSettings,
  key: string | null,
  entry: Entry,
): Entry[] {
  const entries = entriesOf(settings);
  const index = entries.findIndex((each) => keyOf(each) === key);
  return entries.toSpliced(index < 0 ? entries.length : index, 1, entry);
}
