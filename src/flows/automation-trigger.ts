/**
 * What a feature does that sets automations off by something else than a change of records: schedules, hooks, queues. It
 * lists one of these in its manifest (`automationTriggers`), so that automations know nothing of it.
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

/** What a trigger has of a request. */
export interface TriggerContext {
  readonly platform: Platform;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A change of a definition. */
export interface TriggerChange {
  /** As it was; null: it is new, or was of another type of trigger. */
  readonly before: TriggerOwner | null;
  /** As it is; null: it was deleted, or is of another type of trigger. */
  readonly after: TriggerOwner | null;
}

/** A kind of trigger. */
export interface AutomationTrigger {
  /** `triggerType` of definitions. */
  readonly type: string;
  /** In the transaction of a change of an automation of this type. @throws AppError when the change is to be refused. */
  readonly changed?: (ctx: TriggerContext, change: TriggerChange) => Promise<void>;
  /** The address by which such an automation is called, which GET shows as `webhook_url`. */
  readonly urlOf?: (ctx: TriggerContext, owner: TriggerOwner) => Promise<string> | string;
}
