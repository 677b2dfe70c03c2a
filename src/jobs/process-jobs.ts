import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** The jobs of one process. */
export interface Jobs {
  /** Enqueues a job in the caller's transaction; it runs after the commit, or at `at`. */
  enqueue(tx: ScopedDb, job: { readonly name: string }, payload: object, at?: Date): Promise<void>;
  /** Returns true if a job with this payload is waiting or running. */
  isPending(db: ScopedDb, job: { readonly name: string }, payload: object): Promise<boolean>;
}
