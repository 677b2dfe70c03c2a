import { useParams } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { useSession } from '../session/session-context.tsx';
import { activeLocale } from '../texts/texts.ts';
import { toasts } from '../ui/toasts.tsx';
import { type Change, changesBetween } from './changes.ts';
import { type DraftFields, findField } from './draft-fields.ts';
import type { DraftContent, DraftItem } from './draft-item.ts';
import { draftsOf } from './draft-store.ts';
import { isEqual } from './json.ts';
import type { Choose, Conflict } from './merge.ts';
import { draftTexts } from './texts.ts';

/** The item to edit, and how to read and show it. */
export interface DraftOptions<Value extends object> {
  /** Kind of the item, such as `business_unit`. */
  readonly type: string;
  /** Key of the item among those of its type; null for a new one. */
  readonly itemKey: string | null;
  /**
   * The item as the server returned it, with its `version`; for a new item, its initial value. The same object until it
   * changes. It is stored in the browser, so it must not have a secret.
   */
  readonly saved: Value;
  /** Reads the item again after somebody else has changed it. Not needed for new items. */
  readonly read?: () => Promise<Value>;
  /** How the parts of the value are shown to people. */
  readonly fields: DraftFields;
}

/** Changes of both sides that the user has to decide about. */
export interface DraftQuestion {
  readonly conflicts: readonly Conflict[];
  /** Answers; null: the user wants to continue editing. */
  readonly answer: (choose: Choose | null) => void;
}

/** Reply of the server to a save. */
export interface Saved<Reply> {
  readonly reply: Reply;
}

/** The user's unsaved value of an item. It survives leaving the screen, a crash and a sign-out. */
export interface Draft<Value extends object> {
  readonly value: Value;
  /** Replaces the value. */
  readonly set: (value: Value) => void;
  /** Changes some members of the value. */
  readonly change: (members: Partial<Value>) => void;
  /** True if the value differs from what is saved. */
  readonly isChanged: boolean;
  /** True if others have saved changes of the same parts. */
  readonly hasConflicts: boolean;
  /** Time of changes that were restored, in ms; null if there are none or the notice about them is closed. */
  readonly restoredAt: number | null;
  readonly closeNotice: () => void;
  /** Returns what the user has changed. */
  readonly changes: () => readonly Change[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Returns to what is saved, as a step that can be undone. */
  readonly discard: () => void;
  /**
   * Saves the value with `send`. If somebody else has saved the item since, their changes are merged and it is sent
   * again. Returns null if the user has to decide about something and does not. @throws the error of `send`.
   */
  readonly save: <Reply>(send: (value: Value) => Promise<Reply>) => Promise<Saved<Reply> | null>;
  /** The question that {@link save} waits for. */
  readonly question: DraftQuestion | null;
  readonly fields: DraftFields;
  /** The kind and key of the item; the key is null for a new one. */
  readonly item: Pick<DraftOptions<Value>, 'type' | 'itemKey'>;
  /** The saved item that the changes began with. */
  readonly base: object;
  /** Takes over a draft that was kept elsewhere. What has been typed here is kept. */
  readonly restore: (content: DraftContent) => void;
  /** Number of saves since the item was opened. */
  readonly saves: number;
}

/**
 * Edits an item: the value is stored in the browser with every change and restored until it is saved or discarded. Show
 * the screen's fields in a {@link DraftFrame}.
 */
export function useDraft<Value extends object>(options: DraftOptions<Value>): Draft<Value>;
export function useDraft({ type, itemKey, saved, read, fields }: DraftOptions<object>): Draft<object> {
  const { user } = useSession();
  const { tenant = '' } = useParams({ strict: false });
  const item = draftsOf(user.id).open({ tenant, type, key: itemKey ?? '' }, saved);
  const {
    value,
    base,
    saved: latest,
    changedAt,
    ...state
  } = useSyncExternalStore(item.subscribe, item.state);
  const [question, setQuestion] = useState<DraftQuestion | null>(null);
  const [saves, setSaves] = useState(0);
  useEffect(() => {
    if (itemKey !== null) item.updateSaved(saved);
  }, [item, itemKey, saved]);
  const ask = async () => {
    const { promise, resolve } = Promise.withResolvers<Choose | null>();
    setQuestion({ conflicts: item.conflicts(), answer: resolve });
    const choose = await promise;
    setQuestion(null);
    return choose;
  };
  return {
    ...state,
    value,
    set: (next) => item.change(next),
    change: (members) => item.change({ ...item.state().value, ...members }),
    isChanged: changedAt !== null,
    hasConflicts: !isEqual(base, latest),
    closeNotice: () => item.closeNotice(),
    changes: () => changesBetween(base, value),
    undo: () => item.undo(),
    redo: () => item.redo(),
    discard: () => item.discard(),
    save: async (send) => {
      const saved = await save(item, { send, read, ask, fields });
      if (saved !== null) setSaves((count) => count + 1);
      return saved;
    },
    question,
    fields,
    item: { type, itemKey },
    base,
    restore: (content) => item.restore(content),
    saves,
  };
}

interface Saving<Reply> {
  readonly send: (value: object) => Promise<Reply>;
  readonly read: (() => Promise<object>) | undefined;
  readonly ask: () => Promise<Choose | null>;
  readonly fields: DraftFields;
}

async function save<Reply>(
  item: DraftItem,
  { send, read, ask, fields }: Saving<Reply>,
): Promise<Saved<Reply> | null> {
  for (;;) {
    if (item.conflicts().length > 0) {
      const choose = await ask();
      if (choose === null) return null;
      item.resolve(choose);
    }
    const { value, saved } = item.state();
    try {
      const reply = await send(value);
      item.markSaved(value);
      return { reply };
    } catch (cause) {
      const current = isVersionConflict(cause) ? await read?.() : undefined;
      // The same item again would be refused again.
      if (current === undefined || isEqual(current, saved)) throw cause;
      item.updateSaved(current);
      if (item.conflicts().length === 0) announce(changesBetween(saved, current), fields);
    }
  }
}

/** Says which fields of the screen somebody else has changed. */
function announce(changes: readonly Change[], fields: DraftFields): void {
  const labels = new Set(changes.flatMap(({ path }) => findField(fields, path)?.label ?? []));
  if (labels.size === 0) return;
  const list = new Intl.ListFormat(activeLocale(), { type: 'conjunction' }).format(labels);
  toasts.add({ title: draftTexts.translate('merged', { fields: list }) });
}

function isVersionConflict(cause: unknown): boolean {
  return cause instanceof TesseraError && cause.code === 'VERSION_CONFLICT';
}
