/** All drafts of the user in this browser. */
import { readDraft, readDrafts, removeDraft, writeDraft } from './draft-database.ts';
import { type DraftContent, DraftItem } from './draft-item.ts';
import type { DraftKey, StoredDraft } from './stored-draft.ts';

/** Channel that reports the key of a stored or removed draft to other tabs. */
const CHANNEL = 'tessera-drafts';

/** The drafts of a user: in memory, and in the browser's database if it allows that. */
export class DraftStore {
  readonly #user: string;
  readonly #drafts = new Map<string, StoredDraft>();
  readonly #items = new Map<string, DraftItem>();
  /** Pending writes by id; a null draft removes the stored one. */
  readonly #queue = new Map<string, { readonly key: DraftKey; readonly draft: StoredDraft | null }>();
  /** Drafts that the browser has refused to store. */
  readonly #unstored = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #channel = new BroadcastChannel(CHANNEL);
  #isWriting = false;

  constructor(user: string) {
    this.#user = user;
    this.#channel.onmessage = ({ data }) => void this.#readAgain(data);
    addEventListener('pagehide', () => this.#flush());
    void this.#load();
  }

  /** Registers a listener that is called when a draft changes. Returns a function that removes it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Returns true if an item has changes that are not saved. */
  has(key: Omit<DraftKey, 'user'>): boolean {
    return this.#drafts.has(idOf(key));
  }

  /** Returns the draft of an item, the same for all views. `saved` is the saved item, or a new item's initial value. */
  open(itemKey: Omit<DraftKey, 'user'>, saved: object): DraftItem {
    const id = idOf(itemKey);
    const open = this.#items.get(id);
    if (open !== undefined) return open;
    const key = { ...itemKey, user: this.#user };
    const owner = {
      store: (content: DraftContent | null) => this.#store(key, content),
      onOpen: () => this.#items.set(id, item),
      onClose: () => {
        if (item.state().changedAt === null) this.#items.delete(id);
      },
    };
    const item = new DraftItem(saved, owner, key.key === '');
    this.#items.set(id, item);
    const draft = this.#drafts.get(id);
    if (draft !== undefined) item.restore(draft);
    return item;
  }

  async #load(): Promise<void> {
    const drafts = await readDrafts(this.#user).catch(() => []);
    for (const draft of drafts) {
      const id = idOf(draft);
      if (!this.#drafts.has(id)) this.#drafts.set(id, draft);
      this.#items.get(id)?.restore(draft);
    }
    this.#notify();
  }

  #store(key: DraftKey, content: DraftContent | null): void {
    const id = idOf(key);
    if (content === null && !this.#drafts.has(id)) return;
    const draft = content === null ? null : { ...key, ...content };
    if (draft === null) this.#drafts.delete(id);
    else this.#drafts.set(id, draft);
    this.#notify();
    this.#queue.set(id, { key, draft });
    void this.#writeQueue();
  }

  /** Writes one draft after the other. While one is written, only the latest state of each waits. */
  async #writeQueue(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    for (const [id, { key, draft }] of this.#queue) {
      this.#queue.delete(id);
      await this.#write(key, draft);
    }
    this.#isWriting = false;
  }

  /** Begins to write everything that waits, before the page is closed. */
  #flush(): void {
    for (const { key, draft } of this.#queue.values()) void this.#write(key, draft);
    this.#queue.clear();
  }

  async #write(key: DraftKey, draft: StoredDraft | null): Promise<void> {
    const id = idOf(key);
    try {
      await (draft === null ? removeDraft(key) : writeDraft(draft));
      this.#unstored.delete(id);
      this.#channel.postMessage(key);
    } catch {
      // Private windows and full disks refuse storage: the draft lives as long as the page.
      if (draft === null) this.#unstored.delete(id);
      else this.#unstored.add(id);
    }
    if (this.#unstored.size > 0) addEventListener('beforeunload', warn);
    else removeEventListener('beforeunload', warn);
  }

  /** Takes over a draft that another tab has changed, unless this one has changed it since. */
  async #readAgain(key: DraftKey): Promise<void> {
    if (key.user !== this.#user) return;
    const id = idOf(key);
    const draft = await readDraft(key).catch(() => undefined);
    if (this.#queue.has(id)) return;
    if (draft === undefined) this.#drafts.delete(id);
    else this.#drafts.set(id, draft);
    this.#items.get(id)?.adopt(draft ?? null);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function idOf({ tenant, type, key }: Omit<DraftKey, 'user'>): string {
  return JSON.stringify([tenant, type, key]);
}

/** Lets the browser ask whether the page may be closed. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

let store: { readonly user: string; readonly drafts: DraftStore } | null = null;

/** Returns the drafts of the signed-in user. */
export function draftsOf(user: string): DraftStore {
  if (store?.user !== user) store = { user, drafts: new DraftStore(user) };
  return store.drafts;
}
