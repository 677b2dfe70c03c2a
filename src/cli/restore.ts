import { stdout } from 'node:process';
import { readBackupFile } from '../backup/backup-file.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-platform.ts';

/** Restores a backup. */
export const restore: Command = {
  name: 'restore',
  summary: 'Fills an empty database from a backup',
  details: [
    'The database is that of DATABASE_URL, else the embedded one in DATA_DIR; it must have no tenants. SECRET_KEY must',
    'be the one that the backup was made with. Nothing is restored when anything is wrong. Backups of older versions',
    'are brought up to date.',
  ],
  argument: { name: 'FILE', meaning: 'The backup, or - for standard input.' },
  run: ({ argument }) =>
    withDatabase(async (database, config) => {
      const { header, rows } = await restoreBackup(
        database,
        createSecretBox(config),
        readBackupFile(argument),
      );
      stdout.write(`Restored ${rows} rows of ${header.created_at}.\n`);
    }),
};
