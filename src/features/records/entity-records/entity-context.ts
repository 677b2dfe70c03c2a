/** Context of work on records: the actor, the entity and its listeners. */
import type { PatternMatches } from '../../../patterns/pattern-matches.ts';
import type { Platform } from '../../../platform.ts';
import type { FollowUp } from '../../../resources/follow-up.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { ActiveAutomation } from '../../automations/api.ts';
import type { EntityModel, EntityModels } from '../entities/index.ts';

/** Author of work on records: a signed-in user with roles in units, or an automation, which can access all records. */
export type RecordsActor = Extract<Actor, { readonly kind: 'member' | 'automation' }>;

/** Work with a tenant's records, for a request or an automation's action. */
export interface RecordsContext {
  readonly platform: Platform;
  /** Limited to the rows that the actor can access. */
  readonly db: ScopedDb;
  readonly actor: RecordsActor;
  readonly now: Date;
  /** Revision of the tenant's entities, so that no process uses outdated definitions. */
  readonly entityRevision: number;
  /** Calls that the actor adds to the statement that writes a single record. */
  readonly followUps: readonly FollowUp[];
}

/** Webhooks and automations that listen to records, read before a write: a change without listeners costs nothing. */
export interface Subscriptions {
  /** Events that webhooks listen to. */
  readonly events: ReadonlySet<string>;
  /** Automations that changes of records trigger. */
  readonly automations: readonly ActiveAutomation[];
}

/** Subscriptions of reads and dry runs. */
export const NO_SUBSCRIPTIONS: Subscriptions = { events: new Set(), automations: [] };

/** Work with records of one entity. */
export interface EntityContext extends RecordsContext {
  readonly models: EntityModels;
  readonly model: EntityModel;
  /** Subscriptions to changes; none for reads. */
  readonly subscriptions: Subscriptions;
  /** Matches the texts of bodies against patterns. */
  readonly patterns: PatternMatches;
}
