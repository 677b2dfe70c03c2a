/** The draft of one item, shared by all views of the item: what is saved, the user's value, and their steps. */
import { changesBetween } from './changes.ts';
import { isEqual } from './json.ts';
import { type Choose, type Conflict, merge } from './merge.ts';
import type { StoredDraft } from './stored-draft.ts';

/** State of an item for its views. */
export interface DraftState {
  readonly value: object;
  /** The saved item that the changes began with. */
  readonly base: object;
  /** The saved item as last read. It differs from the base only while both sides have changed the same part. */
  readonly saved: object;
  /** Time of the last change; null if the value is the saved one. */
  readonly changedAt: number | null;
  /** Time of the changes that were restored when the item was opened; null after the notice was closed. */
  readonly restoredAt: number | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
}

/** The part of a draft that is stored. */
export type DraftContent = Pick<StoredDraft, 'base' | 'value' | 'changedAt'>;

/** Callbacks by which an item reports to the store of all drafts. */
export interface DraftOwner {
  /** Stores the draft; null removes it. */
  readonly store: (content: DraftContent | null) => void;
  /** Called when the first view opens the item. */
  readonly onOpen: () => void;
  /** Called when the last view closes the item. */
  readonly onClose: () => void;
}

interface Step {
  readonly before: object;
  readonly after: object;
  /** The base before the step, if the step replaced it. */
  readonly base?: object;
}

const MAX_STEPS = 200;
/** Changes of one field within this time, in ms, are one step. */
const STEP_MS = 1000;

/** The draft of one item. */
export class DraftItem {
  #state: DraftState;
  #past: Step[] = [];
  #future: Step[] = [];
  /** The field of the last step, and when it was changed. */
  #typing = { field: '', at: 0 };
  readonly #owner: DraftOwner;
  readonly #isNew: boolean;
  readonly #listeners = new Set<() => void>();

  /** `saved` is the item as last saved, or the initial value of a new item. */
  constructor(saved: object, owner: DraftOwner, isNew = false) {
    this.#owner = owner;
    this.#isNew = isNew;
    this.#state = {
      value: saved,
      base: saved,
      saved,
      changedAt: null,
      restoredAt: null,
      canUndo: false,
      canRedo: false,
    };
  }

  /** Registers a view. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      this.#owner.onOpen();
      this.#set({ restoredAt: this.#state.changedAt });
    }
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#owner.onClose();
    };
  };

  /** The current state. */
  readonly state = (): DraftState => this.#state;

  /** Changes the value, as a step that can be undone. */
  change(value: object): void {
    const before = this.#state.value;
    const changes = changesBetween(before, value);
    if (changes.length === 0) return;
    const field = changes.length === 1 ? (changes[0]?.path.join('.') ?? '') : '';
    const previous = this.#isTyping(field) ? this.#past.pop() : undefined;
    this.#typing = { field, at: Date.now() };
    this.#addStep({ before: previous?.before ?? before, after: value });
    this.#edit({ value });
  }

  /** Undoes the last step, but keeps what others have changed since. */
  undo(): void {
    const step = this.#past.pop();
    if (step === undefined) return;
    this.#future.push(step);
    this.#typing = { field: '', at: 0 };
    const value = merge(step.after, step.before, this.#state.value, () => 'theirs').value;
    this.#edit(step.base === undefined ? { value } : { value: step.before, base: step.base });
  }

  /** Repeats the step that was undone last. */
  redo(): void {
    const step = this.#future.pop();
    if (step === undefined) return;
    this.#past.push(step);
    this.#edit({ value: merge(step.before, step.after, this.#state.value, () => 'theirs').value });
  }

  /** Returns to what is saved, as a step that can be undone. */
  discard(): void {
    const { value, base, saved } = this.#state;
    this.#addStep({ before: value, after: saved, base });
    this.#typing = { field: '', at: 0 };
    this.#edit({ value: saved, base: saved });
  }

  /** Takes over what others have saved. Conflicting changes wait for {@link resolve}. */
  updateSaved(saved: object): void {
    if (isEqual(saved, this.#state.saved)) return;
    this.#update({ saved });
  }

  /** Takes over the draft of an earlier page. What has been typed since is kept. */
  restore(content: DraftContent): void {
    const { value, base, changedAt } = this.#state;
    const restored = changedAt === null ? content.value : merge(base, value, content.value).value;
    this.#take({ ...content, value: restored });
    this.#set({ restoredAt: this.#state.changedAt });
    this.#store();
  }

  /** Takes over the draft as another tab has changed it; null if that tab has saved or discarded it. */
  adopt(content: DraftContent | null): void {
    const { saved } = this.#state;
    this.#take(content ?? { base: saved, value: saved, changedAt: 0 });
  }

  /** Records that `sent` has been saved. Later changes remain a draft based on it. */
  markSaved(sent: object): void {
    this.#update({ saved: sent, base: sent, restoredAt: null });
  }

  /** Returns the parts that both sides have changed. */
  conflicts(): readonly Conflict[] {
    const { base, value, saved } = this.#state;
    return merge(base, value, saved).conflicts;
  }

  /** Merges with what is saved. `choose` decides about conflicts. */
  resolve(choose: Choose): void {
    const { base, value, saved } = this.#state;
    this.#update({ value: merge(base, value, saved, choose).value, base: saved });
  }

  /** Closes the notice about restored changes. */
  closeNotice(): void {
    this.#set({ restoredAt: null });
  }

  #isTyping(field: string): boolean {
    const { at, field: last } = this.#typing;
    return field !== '' && field === last && Date.now() - at < STEP_MS;
  }

  #addStep(step: Step): void {
    this.#past.push(step);
    if (this.#past.length > MAX_STEPS) this.#past.shift();
    this.#future = [];
  }

  #take({ base, value, changedAt }: DraftContent): void {
    if (!isObject(base) || !isObject(value)) return;
    // Nobody else can change an item that does not exist yet: a different initial value is not a change by others.
    const saved = this.#isNew ? base : this.#state.saved;
    this.#set(rebase({ ...this.#state, saved, base, value, changedAt }));
  }

  /** Applies a change by the user, and sets its time. */
  #edit(changes: Partial<DraftState>): void {
    this.#update({ ...changes, changedAt: Date.now() });
  }

  #update(changes: Partial<DraftState>): void {
    this.#set(rebase({ ...this.#state, ...changes }));
    this.#store();
  }

  #store(): void {
    const { base, value, changedAt } = this.#state;
    this.#owner.store(changedAt === null ? null : { base, value, changedAt });
  }

  #set(changes: Partial<DraftState>): void {
    const { length: past } = this.#past;
    this.#state = { ...this.#state, ...changes, canUndo: past > 0, canRedo: this.#future.length > 0 };
    for (const listener of this.#listeners) listener();
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Applies the changes to what is saved, unless they conflict with changes of others. */
function rebase(state: DraftState): DraftState {
  const { base, value, saved } = state;
  const merged = merge(base, value, saved);
  if (merged.conflicts.length > 0) return state;
  const isChanged = !isEqual(merged.value, saved);
  return {
    ...state,
    base: saved,
    value: isChanged ? merged.value : saved,
    ...(isChanged ? {} : { changedAt: null, restoredAt: null }),
  };
}
