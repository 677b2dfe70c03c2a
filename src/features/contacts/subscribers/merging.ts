/** Batch merge of changes into subscribers; each changed subscriber gets one version. */
import { sql } from 'kysely';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { replaceRecords } from '../../../resources/records.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriberSettings } from '../../mail/api.ts';
import { changeGroups, findAddressIssues, listGroupsOf } from '../subscriber-groups/index.ts';
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
 * Merges changes, one for each subscriber. `ctx.db` is a transaction that reaches the whole tenant. Missing subscribers,
 * lists and types are ignored.
 */
export async function mergeSubscribers(ctx: MergeContext, merges: readonly SubscriberMerge[]): Promise<void> {
  const { db, now, actor } = ctx;
  const people = await lockTargets(db, merges);
  const targeted = merges.flatMap((merge) => {
    const person = people.get(merge.subscriberId);
    return person === undefined ? [] : [{ merge, person }];
  });
  if (targeted.length === 0) return;
  await mergeGroups(ctx, targeted);
  await mergeChoices(ctx, targeted);
  await replaceRecords(
    { actor, db, now },
    subscribers,
    targeted.map(({ merge, person }) => ({
      key: person.id,
      columns: { additional_fields_data: { ...person.additional_fields_data, ...merge.additionalFields } },
    })),
  );
}

interface TargetedMerge {
  readonly merge: SubscriberMerge;
  readonly person: MergeTarget;
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
async function mergeGroups({ db, now }: MergeContext, merging: readonly TargetedMerge[]): Promise<void> {
  const named = [...new Set(merging.flatMap(({ merge }) => merge.addLists))];
  const missing = new Set(
    (await findAddressIssues(db, { lists: named, audiences: [] }, { lists: [], audiences: [] })).map(
      ({ field }) => named[Number(/\d+/.exec(field ?? '')?.[0])],
    ),
  );
  const leaving = merging.filter(({ merge }) => merge.removeLists.length > 0).map(({ person }) => person.id);
  const current = leaving.length === 0 ? new Map() : await listGroupsOf(db, leaving, 'lists');
  const changes = merging.map(({ merge, person }) => {
    const stored: readonly string[] = [...(current.get(person.id) ?? [])];
    const lists = [
      ...stored.filter((id) => !merge.removeLists.includes(id)),
      ...merge.addLists.filter((id) => !missing.has(id)),
    ];
    return {
      subscriberId: person.id,
      groups: { lists, audiences: [] },
      was: person.active,
      is: person.active,
      replaces: merge.removeLists.length > 0 ? (['lists'] as const) : [],
    };
  });
  await changeGroups(db, changes, now);
}

async function mergeChoices(ctx: MergeContext, merging: readonly TargetedMerge[]): Promise<void> {
  const choosing = merging.filter(({ merge }) => merge.subscriptionUpdates.length > 0);
  if (choosing.length === 0) return;
  const { subscription_types } = await getSubscriberSettings(ctx.db);
  const known = new Set(subscription_types.map(({ id }) => id));
  for (const { merge, person } of choosing) {
    const updates = merge.subscriptionUpdates.filter((update) => known.has(update.subscription_type_id));
    await writeChoices(ctx, person, updates);
  }
}
