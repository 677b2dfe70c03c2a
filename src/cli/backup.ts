import { stderr } from 'node:process';
import { writeBackupFile } from '../backup/backup-file.ts';
import { writeBackup } from '../backup/write-backup.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import type { Command } from './command.ts';
import { withDatabase } from './with-platform.ts';

/** Writes a backup. */
export const backup: Command = {
  name: 'backup',
  summary: 'Writes the whole database into one compressed file',
  details: [
    'It is restored on either kind of database. On a server the service may go on; the embedded database belongs to',
    'one process, so stop the service first. SECRET_KEY is not in the file: keep it elsewhere, as secrets in the',
    'backup open with that key alone.',
  ],
  argument: { name: 'FILE', meaning: 'A new file, or - for standard output.' },
  run: ({ argument }) =>
    withDatabase(async (database, config) => {
      await writeBackupFile(argument, writeBackup(database, createSecretBox(config), new Date()));
      stderr.write(
        'The backup is complete. SECRET_KEY is not in it: keep that elsewhere (it is a variable, or DATA_DIR/secret-key).\n',
      );
    }),
};
