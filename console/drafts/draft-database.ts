/** Stores drafts in the browser's IndexedDB. All functions fail where the browser refuses storage. */

import type { DraftKey, StoredDraft } from './stored-draft.ts';

const DATABASE = 'tessera-drafts';
const VERSION = 1;
const DRAFTS = 'drafts';
const BY_TIME = 'by-time';
const KEY_PATH = ['user', 'tenant', 'type', 'key'];
const RETENTION_MS = 30 * 86_400_000;

let connecting: Promise<IDBDatabase> | null = null;

/** Returns the drafts of a user. Drafts that are too old are removed, also those of other users. */
export async function readDrafts(user: string): Promise<StoredDraft[]> {
  const drafts = await openDrafts('readwrite');
  const oldest = Date.now() - RETENTION_MS;
  removeUntil(oldest, drafts);
  // Lists sort after all texts, so this includes all keys that begin with the user.
  const own = await resultOf<StoredDraft[]>(drafts.getAll(IDBKeyRange.bound([user], [user, []])));
  return own.filter(({ changedAt }) => changedAt > oldest);
}

function removeUntil(time: number, drafts: IDBObjectStore): void {
  const request = drafts.index(BY_TIME).openCursor(IDBKeyRange.upperBound(time));
  request.onsuccess = () => {
    request.result?.delete();
    request.result?.continue();
  };
}

/** Returns a draft, or undefined if there is none. */
export async function readDraft(key: DraftKey): Promise<StoredDraft | undefined> {
  const drafts = await openDrafts('readonly');
  return resultOf(drafts.get(keyOf(key)));
}

/** Stores a draft. */
export async function writeDraft(draft: StoredDraft): Promise<void> {
  const drafts = await openDrafts('readwrite');
  drafts.put(draft);
  await commit(drafts.transaction);
}

/** Removes a draft, if there is one. */
export async function removeDraft(key: DraftKey): Promise<void> {
  const drafts = await openDrafts('readwrite');
  drafts.delete(keyOf(key));
  await commit(drafts.transaction);
}

function keyOf({ user, tenant, type, key }: DraftKey): string[] {
  return [user, tenant, type, key];
}

async function openDrafts(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  connecting ??= connect();
  try {
    return (await connecting).transaction(DRAFTS, mode).objectStore(DRAFTS);
  } catch (cause) {
    // The browser may have closed the connection. The next call opens another one.
    connecting = null;
    throw cause;
  }
}

async function connect(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    const drafts = request.result.createObjectStore(DRAFTS, { keyPath: KEY_PATH });
    drafts.createIndex(BY_TIME, 'changedAt');
  };
  const database = await resultOf(request);
  const forget = () => {
    connecting = null;
  };
  database.onclose = forget;
  // A newer console in another tab waits for this.
  database.onversionchange = () => {
    database.close();
    forget();
  };
  return database;
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error));
  return promise;
}

/** Ends a transaction at once, so that it survives a crash of the page right afterwards. */
function commit(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.addEventListener('complete', () => resolve());
  transaction.addEventListener('abort', () => reject(transaction.error));
  transaction.commit();
  return promise;
}
