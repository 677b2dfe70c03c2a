/** The context of the current work: its kind, which limits the time of a statement, and the events that caused it. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Work for a waiting caller, or background work. Migrations use a connection of their own, without a limit. */
export type WorkKind = 'request' | 'job';

/** Time limits of one statement by kind of work, in ms. */
export type StatementLimits = Readonly<Record<WorkKind, number>>;

/** The automations, journeys and webhooks that led to the current work (docs/specification/automations.md#chains). */
export interface Cause {
  /** Tenant of the cause; work of other tenants does not have it. */
  readonly tenantId: string;
  /** Id of the first event; all work that follows from it is counted together. Null: unknown. */
  readonly root: string | null;
  /** Automations, journeys and webhooks, in the order in which they ran. */
  readonly chain: readonly string[];
}

interface Work {
  readonly kind: WorkKind;
  readonly cause: Cause | null;
}

const works = new AsyncLocalStorage<Work>();

/** Runs `work`, and everything it starts, as a kind of work; without a cause unless one is given. */
export function runAs<T>(kind: WorkKind, work: () => T, cause: Cause | null = null): T {
  return works.run({ kind, cause }, work);
}

/** Runs `work` with another cause, as the current kind of work. */
export function runCausedBy<T>(cause: Cause | null, work: () => T): T {
  return runAs(currentKind(), work, cause);
}

/** Returns the kind of the current work; default `request`, which has the lower limit. */
export function currentKind(): WorkKind {
  return works.getStore()?.kind ?? 'request';
}

/** Returns the cause of the current work if it belongs to this tenant; null: no cause is known. */
export function currentCause(tenantId: string): Cause | null {
  const cause = works.getStore()?.cause ?? null;
  return cause?.tenantId === tenantId ? cause : null;
}
