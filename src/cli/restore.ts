import { stdout } from 'node:process';
import { readBackupFile } from '../backup/backup-file.ts';
import { openBackup, restoreBackup } from '../backup/restore-backup.ts';
import { findConfig } from '../config.ts';
import { entityTables } from '../features/records/api.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { Command } from './command.ts';
import { requireKey, withDatabase } from './with-platform.ts';

/** Restores a backup. */
export const restore: Command = {
  name: 'restore',
  summary: 'Fills an empty database from a backup',
  details: [
    'The target is the database of DATABASE_URL, or the embedded one in DATA_DIR; it must have no tenants. SECRET_KEY',
    'must be the key of the backup. A failure restores nothing. Backups of older versions are upgraded.',
  ],
  arguments: [{ name: 'FILE', description: 'The backup, or - for standard input.' }],
  run: async (input) => {
    const file = input.argument(0);
    const found = findConfig();
    const config = requireKey(found, 'backup');
    // Read it before opening the database: no database is created for a file that cannot be restored.
    const backup = await openBackup(createSecretBox(config), readBackupFile(file));
    const rows = await withDatabase(
      config,
      (database) => restoreBackup(database, backup, entityTables),
      backup.isOlder ? 'empty' : 'image',
    );
    stdout.write(`Restored ${rows} rows of ${backup.header.created_at}.\n`);
  },
};
