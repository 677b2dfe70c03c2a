import { sql } from 'kysely';
import { eraseVersions } from '../../resources/history.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { signalQueue } from '../contacts/api.ts';
import { endStates } from './states/state-writes.ts';

/**
 * Ends the enrollments of an erased subscriber and deletes their data. Rows stay for the figures of the journey, unless
 * the journey was deleted.
 */
export async function eraseStates(tx: ScopedDb, subscriberId: string, now: Date): Promise<void> {
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
  await signalQueue.deleteSignalsOf(tx, subscriberId);
}
