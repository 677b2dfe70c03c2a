/** Kinds of work by which the time of a statement is limited. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work for a caller who waits, or work in the background. Migrations have a connection of their own, without a limit. */
export type WorkKind = 'request' | 'job';

/** How long one statement may run, by kind of work, in ms. */
export type StatementLimits = Readonly<Record<WorkKind, number>>;

const kinds = new AsyncLocalStorage<WorkKind>();

/** Runs `work` as work of a kind, with everything that it starts. */
export function runAs<T>(kind: WorkKind, work: () => T): T {
  return kinds.run(kind, work);
}

/** Returns the kind of the current work: that of a request, which has the lower limit, unless it was started as a job. */
export function currentKind(): WorkKind {
  return kinds.getStore() ?? 'request';
}
