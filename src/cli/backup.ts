import { stderr } from 'node:process';
import { writeBackupFile } from '../backup/backup-file.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { findConfig } from '../config.ts';
import { requireDatabase } from '../db/open-database.ts';
import { entityTables } from '../features/records/api.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { Command } from './command.ts';
import { requireKey, withDatabase } from './with-platform.ts';

/** Writes a backup. */
export const backup: Command = {
  name: 'backup',
  summary: 'Writes the whole database into one compressed file',
  details: [
    'The file can be restored on either kind of database. On a server the service may keep running; the embedded',
    'database belongs to one process, so stop the service first. SECRET_KEY is not in the file: store it elsewhere,',
    'because only that key decrypts the secrets in the backup.',
  ],
  arguments: [{ name: 'FILE', description: 'A new file, or - for standard output.' }],
  run: async (input) => {
    const file = input.argument(0);
    const found = findConfig();
    requireDatabase(found);
    const secrets = createSecretBox(requireKey(found, 'database'));
    await withDatabase(found, (database) =>
      writeBackupFile(file, writeBackup(database, secrets, new Date(), entityTables)),
    );
    stderr.write(
      'The backup is complete. SECRET_KEY is not in it: keep that elsewhere (it is a variable, or DATA_DIR/secret-key).\n',
    );
  },
};
