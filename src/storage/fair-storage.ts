/**
 * A storage that shares its connections fairly among tenants: each call takes a slot, and an open file keeps it until
 * it is closed.
 */
import { AppError } from '../errors/app-error.ts';
import { RATE_LIMITED } from '../errors/platform-errors.ts';
import type { Release } from '../work-queue/fair-queue.ts';
import { TenantTurns } from '../work-queue/tenant-turns.ts';
import type { ByteRange, Draft, FileStorage, LocalFile, OpenFile } from './storage.ts';

/** Concurrent calls of one process: fewer than the client's connections, as removals take no slot. */
export const STORAGE_SLOTS = { total: 60, perTenant: 20 } as const;
const MAX_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

/** Thrown when no slot is free in time. */
export class StorageBusy extends AppError {
  constructor() {
    super(RATE_LIMITED, {
      message: `Too many files of the tenant are being read or written: at most ${STORAGE_SLOTS.perTenant} at once. Try again later.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }
}

/** File names begin with the tenant id. Calls throw StorageBusy if no slot is free in time. */
export class FairStorage implements FileStorage {
  readonly #storage: FileStorage;
  readonly #turns = new TenantTurns(STORAGE_SLOTS);

  constructor(storage: FileStorage) {
    this.#storage = storage;
  }

  draft(): Promise<Draft> {
    return this.#storage.draft();
  }

  store(name: string, draft: Draft): Promise<void> {
    return this.#withSlot(name, () => this.#storage.store(name, draft));
  }

  sizeOf(name: string): Promise<number | null> {
    return this.#withSlot(name, () => this.#storage.sizeOf(name));
  }

  async open(name: string, range?: ByteRange): Promise<OpenFile | null> {
    const release = await this.#take(name);
    try {
      const found = await this.#storage.open(name, range);
      if (found === null || Buffer.isBuffer(found.body) || found.body.closed) release();
      else found.body.once('close', () => release());
      return found;
    } catch (error) {
      release();
      throw error;
    }
  }

  local(name: string): Promise<LocalFile | null> {
    return this.#withSlot(name, () => this.#storage.local(name));
  }

  removeFolder(folder: string): Promise<void> {
    return this.#storage.removeFolder(folder);
  }

  removeDrafts(before: Date): Promise<void> {
    return this.#storage.removeDrafts(before);
  }

  close(): void {
    this.#storage.close();
  }

  async #withSlot<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#take(name);
    return work().finally(release);
  }

  async #take(name: string): Promise<Release> {
    const [tenantId = ''] = name.split('/');
    const release = await this.#turns.take(tenantId, MAX_WAIT_MS);
    if (release === null) throw new StorageBusy();
    return release;
  }
}
