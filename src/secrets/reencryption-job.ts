import Type from 'typebox';
import { defineJob, type Job } from '../jobs/jobs.ts';
import { countSealed, reencrypt, type SealedColumn } from './sealed-columns.ts';
import { forgetOtherKeys, listKeys } from './secret-keys.ts';

/**
 * Re-encrypts secrets of the previous key while SECRET_KEY_PREVIOUS is set. When none are left, it deletes that key
 * from the database. Without a key rotation it does nothing.
 */
export function reencryptionJob(columns: readonly SealedColumn[]): Job {
  return defineJob({
    name: 'secrets.seal-anew',
    payload: Type.Object({}),
    timeoutSeconds: 900,
    schedule: '*/5 * * * *',
    run: async (platform) => {
      const { config, database, secrets } = platform;
      const others = secrets.keyIds.filter((keyId) => keyId !== secrets.keyId);
      if (others.length === 0) return;
      const all = database.everyTenant('sealed-columns');
      for (const keyId of others) {
        for (const column of columns) {
          await reencrypt(all, secrets, column, { keyId, limit: config.jobBatchSize });
        }
      }
      const known = (await listKeys(all)).filter(({ key_id }) => key_id !== secrets.keyId);
      const left = await Promise.all(known.map(({ key_id }) => countSealed(all, columns, key_id)));
      if (left.every((count) => count === 0)) await forgetOtherKeys(platform);
    },
  });
}
