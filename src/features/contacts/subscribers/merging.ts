/** Batch merge of changes into subscribers; each changed subscriber gets one version. */

import { sql } from 'kysely';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { replaceRecords } from '../../../resources/records.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriberSettings } from '../../email-settings/api.ts';
import { changeGroups, findRecipientGroupIssues, listGroupsOf } from '../subscriber-groups/index.ts';
import { writeChoices } from './choices.ts';
import { type SubscriberRow, subscribers } from './resource.ts';
import type { SubscriptionUpdates } from './schema.ts';

/** A change to merge into a subscriber; other data stays. */
export interface SubscriberMerge {
  readonly subscriberId: string;
  readonly additionalFields: Readonly<Record<string, unknown>>;
  readonly addLists: readonly string[];
  readonly removeLists: readonly string[];
  readonly subscriptionUpdates: SubscriptionUpdates;
}

type MergeContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext & { readonly actor: Actor };

type MergeTarget = Pick<SubscriberRow, 'id' | 'created_at' | 'email' | 'active' | 'additional_fields_data'>;

/**
 * Merges changes, one for each subscriber. `ctx.db` is a transaction that reaches the whole tenant. Missing
 * subscribers, lists and types are ignored.
 */
export async function mergeSubscribers(ctx: MergeContext, merges: readonly SubscriberMerge[]): Promise<void> {
  const { db, now, actor } = ctx;
  const subscribersById = await lockTargets(db, merges);
  const targets = merges.flatMap((merge) => {
    const subscriber = subscribersById.get(merge.subscriberId);
    return subscriber === undefined ? [] : [{ merge, subscriber }];
  });
  if (targets.length === 0) return;
  await mergeGroups(ctx, targets);
  await mergeChoices(ctx, targets);
  await replaceRecords(
    { actor, db, now },
    subscribers,
    targets.map(({ merge, subscriber }) => ({
      key: subscriber.id,
      columns: {
        additional_fields_data: { ...subscriber.additional_fields_data, ...merge.additionalFields },
      },
    })),
  );
}

/** A change with its locked subscriber. */
interface MergeWithTarget {
  readonly merge: SubscriberMerge;
  readonly subscriber: MergeTarget;
}

async function lockTargets(
  tx: ScopedDb,
  merges: readonly SubscriberMerge[],
): Promise<ReadonlyMap<string, MergeTarget>> {
  const ids = merges.map(({ subscriberId }) => subscriberId);
  const { rows } = await tx.raw(
    (tenantId) => sql<MergeTarget>`
    select id, created_at, email, active, additional_fields_data from subscribers
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Changes the groups. Called even without group changes, to queue the subscribers for computed audiences. */
async function mergeGroups({ db, now }: MergeContext, merges: readonly MergeWithTarget[]): Promise<void> {
  const listIds = [...new Set(merges.flatMap(({ merge }) => merge.addLists))];
  const missing = new Set(
    (await findRecipientGroupIssues(db, { lists: listIds, audiences: [] }, { lists: [], audiences: [] })).map(
      ({ field }) => listIds[Number(/\d+/.exec(field ?? '')?.[0])],
    ),
  );
  const removing = merges
    .filter(({ merge }) => merge.removeLists.length > 0)
    .map(({ subscriber }) => subscriber.id);
  const current = removing.length === 0 ? new Map() : await listGroupsOf(db, removing, 'lists');
  const changes = merges.map(({ merge, subscriber }) => {
    const stored: readonly string[] = [...(current.get(subscriber.id) ?? [])];
    const lists = [
      ...stored.filter((id) => !merge.removeLists.includes(id)),
      ...merge.addLists.filter((id) => !missing.has(id)),
    ];
    return {
      subscriberId: subscriber.id,
      groups: { lists, audiences: [] },
      wasActive: subscriber.active,
      isActive: subscriber.active,
      replaces: merge.removeLists.length > 0 ? (['lists'] as const) : [],
    };
  });
  await changeGroups(db, changes, now);
}

async function mergeChoices(ctx: MergeContext, merges: readonly MergeWithTarget[]): Promise<void> {
  const withUpdates = merges.filter(({ merge }) => merge.subscriptionUpdates.length > 0);
  if (withUpdates.length === 0) return;
  const { subscription_types } = await getSubscriberSettings(ctx.db);
  const known = new Set(subscription_types.map(({ id }) => id));
  for (const { merge, subscriber } of withUpdates) {
    const updates = merge.subscriptionUpdates.filter((update) => known.has(update.subscription_type_id));
    await writeChoices(ctx, subscriber, updates);
  }
}
