import type { Platform } from '../../../platform.ts';
import { sumByKind } from '../../../stored-bytes/queries.ts';

/** Adds a gauge of stored bytes by kind to `/metrics`. */
export async function registerStoredBytesGauge({ metrics, database, clock }: Platform): Promise<void> {
  metrics.gaugeBy('tessera_stored_bytes', 'Bytes stored by callers of all tenants, by kind.', 'kind', () =>
    sumByKind(database.everyTenant('stored-bytes'), clock()),
  );
}
