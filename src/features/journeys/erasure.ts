import { sql } from 'kysely';
import type { Platform } from '../../platform.ts';
import { eraseVersions } from '../../resources/history.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { forgetSignalsOf } from '../subscriber-groups/index.ts';
import { registerErasure } from '../subscribers/index.ts';
import { endStates } from './states/write.ts';

/**
 * Has what states hold of somebody go when they are erased: the states end, and tell no more than that they were there. Of those
 * whose journey was deleted nothing stays.
 */
export function registerStateErasure(platform: Platform): void {
  registerErasure(platform, eraseStates);
}

async function eraseStates(tx: ScopedDb, subscriberId: string, now: Date): Promise<void> {
  await endStates(tx, { actor: { kind: 'platform' }, now }, { subscriberIds: [subscriberId] });
  const { rows } = await tx.raw(
    (tenantId) => sql<{ id: string }>`
    update journey_states set trigger = null, heard = '{}', error = null, last_error = null
    where tenant_id = ${tenantId}::uuid and subscriber_id = ${subscriberId}::uuid returning id`,
  );
  const past = await tx.query
    .deleteFrom('journey_past_states')
    .where('subscriber_id', '=', subscriberId)
    .returning('state_id as id')
    .execute();
  await eraseVersions(
    tx,
    'user_journey_state',
    [...rows, ...past].map(({ id }) => id),
  );
  await forgetSignalsOf(tx, subscriberId);
}
