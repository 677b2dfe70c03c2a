import patch from 'operation:email_settings.patch';
import { useMemo, useState } from 'react';
import type { schemas, TesseraError } from '../../sdk/src/index.ts';
import { type Draft, type Saved, useDraft } from '../drafts/use-draft.ts';
import type { Issue } from '../forms/check-fields.ts';
import { type Form, useForm } from '../forms/use-form.ts';
import { useApi } from '../session/session-context.tsx';
import { useInvalidate } from '../session/use-tenant-query.ts';
import { type Collection, type EntryDraft, findEntry, withEntry } from './entries.ts';

/** Entry that a form edits, and what follows a save. */
interface EntryFormOptions<Entry extends object> {
  readonly settings: schemas.EmailSettings;
  /** The entry to change; null: a new one. */
  readonly entry: Entry | null;
  /** Called after a save; `isAdded` is true for a new entry, and for one that somebody else had deleted. */
  readonly onSaved: (entry: Entry, isAdded: boolean) => void;
  /** Returns which field a refused body is about. */
  readonly explain?: (error: TesseraError, entries: readonly Entry[], index: number) => Issue | null;
  /** Adds the secrets of the form to an entry that is sent. */
  readonly addSecrets?: (entry: Entry) => Entry;
  /** Keeps the secrets of a changed entry. Returns the entry without them, for the draft. */
  readonly takeSecrets?: (entry: Entry) => Entry;
}

/** A form of one entry. */
interface EditedEntry<Entry extends object> {
  readonly draft: Draft<EntryDraft<Entry>>;
  /** The form of the whole collection. */
  readonly form: Form<schemas.EmailSettingsPatch>;
  /** Position of the entry in the collection of the form. */
  readonly index: number;
  /** True if somebody else has deleted the entry meanwhile. Saving adds it again. */
  readonly isDeleted: boolean;
}

/** Stops a save of an entry that somebody else has deleted. */
class DeletedError extends Error {}

/** Adds or changes an entry of a collection, and keeps the changes of others to it and to the other entries. */
export function useEntryForm<Entry extends object>(
  collection: Collection<Entry>,
  options: EntryFormOptions<Entry>,
): EditedEntry<Entry> {
  const { settings, entry, onSaved, explain, addSecrets = same, takeSecrets = same } = options;
  const { bodyOf, entriesIn, entryOf, keyOf } = collection;
  const api = useApi();
  const invalidate = useInvalidate();
  const key = entry === null ? null : keyOf(entry);
  const [isDone, setDone] = useState(false);
  // After a save under a new key, the old one is missing, but nothing was deleted.
  const isDeleted = key !== null && !isDone && findEntry(collection, settings, key) === undefined;
  const draft = useDraft<EntryDraft<Entry>>({
    type: collection.draftType,
    itemKey: key,
    saved: useMemo(() => draftOf(collection, settings, entry), [collection, settings, entry]),
    read: async () => draftOf(collection, await api.emailSettings.get(), entry),
    fields: collection.fields(),
  });
  const edited = addSecrets(entryOf(draft.value));
  const entries = withEntry(collection, settings, key, edited);
  const index = entries.indexOf(edited);
  const send = async (sent: EntryDraft<Entry>) => {
    const latest = await api.emailSettings.get();
    if (key !== null && !isDeleted && findEntry(collection, latest, key) === undefined)
      throw new DeletedError();
    // If the settings are newer than the draft, the version is refused, and the draft merged.
    return api.emailSettings.patch({
      ...bodyOf(withEntry(collection, latest, key, addSecrets(entryOf(sent)))),
      version: sent.version ?? latest.version,
    });
  };
  const form = useForm<schemas.EmailSettingsPatch, Saved<schemas.IdReply> | null>({
    operation: patch,
    call: async () => {
      try {
        return await draft.save(send);
      } catch (cause) {
        if (!(cause instanceof DeletedError)) throw cause;
        // The form then says so.
        await invalidate('email-settings');
        return null;
      }
    },
    value: { ...bodyOf(entries), version: settings.version },
    onChange: (body) => {
      const changed = entriesIn(body)?.[index];
      if (changed !== undefined) draft.change(takeSecrets(changed));
    },
    onDone: async (saved) => {
      if (saved === null) return;
      setDone(true);
      await invalidate('email-settings');
      onSaved(entryOf(draft.value), entry === null || isDeleted);
    },
    ...(explain === undefined ? {} : { explain: async (error) => explain(error, entries, index) }),
  });
  return { draft, form, index, isDeleted };
}

function same<Value>(value: Value): Value {
  return value;
}

/** Returns what the draft of an entry begins with. One that somebody else has deleted is as it was. */
function draftOf<Entry extends object>(
  collection: Collection<Entry>,
  settings: schemas.EmailSettings,
  entry: Entry | null,
): EntryDraft<Entry> {
  if (entry === null) return collection.empty;
  const current = findEntry(collection, settings, collection.keyOf(entry));
  return { ...(current ?? entry), version: settings.version };
}
