/** The context of the current work: its kind, which limits the time of a statement, and the events that caused it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work for a caller who waits, or work in the background. Migrations have a connection of their own, without a limit. */
export type WorkKind = 'request' | 'job';

/** How long one statement may run, by kind of work, in ms. */
export type StatementLimits = Readonly<Record<WorkKind, number>>;

/** The automations, journeys and webhooks that led to the current work (docs/specification/automations.md#chains). */
export interface Cause {
  /** The work of another tenant is not caused by it. */
  readonly tenantId: string;
  /** The id of the first of them: all that follows from it is counted together. Null: unknown. */
  readonly root: string | null;
  /** The first one first. */
  readonly chain: readonly string[];
}

interface Work {
  readonly kind: WorkKind;
  readonly cause: Cause | null;
}

const works = new AsyncLocalStorage<Work>();

/** Runs `work` as work of a kind, with everything that it starts; without a cause unless one is given. */
export function runAs<T>(kind: WorkKind, work: () => T, cause: Cause | null = null): T {
  return works.run({ kind, cause }, work);
}

/** Runs `work` as work of the current kind with another cause. */
export function runCausedBy<T>(cause: Cause | null, work: () => T): T {
  return runAs(currentKind(), work, cause);
}

/** Returns the kind of the current work: that of a request, which has the lower limit, unless it was started as a job. */
export function currentKind(): WorkKind {
  return works.getStore()?.kind ?? 'request';
}

/** Returns the cause of the current work, as far as that is work of this tenant; null: none is known. */
export function currentCause(tenantId: string): Cause | null {
  const cause = works.getStore()?.cause ?? null;
  return cause?.tenantId === tenantId ? cause : null;
}
