/**
 * A kind of trigger that is not a change of records: schedules, hooks, queues. A feature lists its kind in its manifest
 * (`automationTriggers`), so that automations do not depend on it.
 */
import type { Platform } from '../platform.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

/** An automation as its trigger sees it. */
export interface TriggerOwner {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly active: boolean;
  readonly triggerType: string;
  readonly triggerParams: Readonly<Record<string, unknown>>;
}

/** The context of a trigger. */
export interface TriggerContext {
  readonly platform: Platform;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A change of a definition. */
export interface TriggerChange {
  /** The previous definition; null: it is new, or had another type of trigger. */
  readonly before: TriggerOwner | null;
  /** The new definition; null: it was deleted, or has another type of trigger. */
  readonly after: TriggerOwner | null;
}

/** A kind of trigger. */
export interface AutomationTrigger {
  /** `triggerType` of definitions. */
  readonly type: string;
  /** Runs in the transaction that changes an automation of this type. @throws AppError to refuse the change. */
  readonly onChange?: (ctx: TriggerContext, change: TriggerChange) => Promise<void>;
  /** Returns the URL that starts such an automation. GET shows it as `webhook_url`. */
  readonly urlOf?: (ctx: TriggerContext, owner: TriggerOwner) => Promise<string> | string;
}
