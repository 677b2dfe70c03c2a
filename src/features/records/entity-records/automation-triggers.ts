/** Requests runs of the automations that a change of records triggers, in the transaction of the change. */
import { sql } from 'kysely';
import { groupsBySize } from '../../../db/groups-by-size.ts';
import {
  type ActiveAutomation,
  type ChangeTrigger,
  requestRuns,
  runRequestFollowUp,
  type TriggerType,
} from '../../automations/api.ts';
import type { ChangedRecord, ChangeKind, ChangeListener } from './change-listener.ts';
import type { EntityContext } from './entity-context.ts';

/** Automations of the entity. Their runs see the record, and for updates also its previous version. */
export const automationTriggers: ChangeListener = {
  wantsPrevious: true,
  handles: ({ subscriptions, model }, kind) => {
    const automations = automationsOf(subscriptions.automations, model.name);
    if (automations.length === 0) return false;
    const types = triggersOf(kind);
    return automations.some(({ triggerType }) => types.includes(triggerType));
  },
  statementWork: {
    // The trigger of a move must know whether the state changed, which only the write shows.
    handles: ({ mayMove = false }) => !mayMove,
    of: (ctx, kind, recordId) => {
      const { platform, db, now } = ctx;
      return runRequestFollowUp(
        { platform, now, tenantId: db.tenantId },
        runsOf(ctx, kind, recordId),
        TRIGGER,
      );
    },
  },
  notify: async (ctx, tx, { kind, records }) => {
    const requests = records.flatMap((record) => requestsFor(ctx, kind, record));
    // One change may trigger many automations, each with a copy of the record: insert them in groups of limited size.
    for (const group of groupsBySize(requests))
      await requestRuns(
        tx,
        ctx,
        group.map(({ request }) => request),
      );
  },
};

/** The value of `trigger` in expressions. */
const TRIGGER: ChangeTrigger = {
  sql: ({ json, previous }) =>
    sql`('{"entity":' || ${json} || ',"previous":' || coalesce(${previous}, 'null') || '}')::json`,
  text: ({ json, previous = 'null' }) => `{"entity":${json},"previous":${previous}}`,
};

function requestsFor(ctx: EntityContext, kind: ChangeKind, record: ChangedRecord) {
  const trigger = TRIGGER.text(record);
  return runsOf(ctx, { ...kind, mayMove: record.hasMoved ?? false }, record.id).map((run) => ({
    request: { ...run, trigger },
    bytes: trigger.length,
  }));
}

function runsOf({ subscriptions, model }: EntityContext, kind: ChangeKind, recordId: string) {
  const types = triggersOf(kind);
  return automationsOf(subscriptions.automations, model.name)
    .filter(({ triggerType }) => types.includes(triggerType))
    .map(({ id: automationId, version, triggerType }) => ({ automationId, version, triggerType, recordId }));
}

/** Returns the trigger types of a change. A move and a change of owner are also updates. */
function triggersOf({ event, mayMove, takesOwnership }: ChangeKind): readonly TriggerType[] {
  switch (event) {
    case 'created':
      return ['afterCreate'];
    case 'deleted':
      return ['afterDelete'];
    case 'updated':
      return [
        'afterUpdate',
        ...(mayMove ? (['afterWorkflowMove'] as const) : []),
        ...(takesOwnership ? (['afterWorflowOwnershipTaken'] as const) : []),
      ];
  }
}

type ByEntity = ReadonlyMap<string | null, readonly ActiveAutomation[]>;
const byEntity = new WeakMap<readonly ActiveAutomation[], ByEntity>();

/** Returns the automations of an entity. Each list, which is cached, is grouped once. */
function automationsOf(
  automations: readonly ActiveAutomation[],
  entity: string,
): readonly ActiveAutomation[] {
  const existing = byEntity.get(automations);
  if (existing) return existing.get(entity) ?? [];
  const grouped = Map.groupBy(automations, ({ entityKey }) => entityKey);
  byEntity.set(automations, grouped);
  return grouped.get(entity) ?? [];
}
