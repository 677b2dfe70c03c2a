import { stdout } from 'node:process';
import { loadConfig } from '../config.ts';
import { createDatabase } from '../db/database.ts';
import { migrate as migrateDatabase, readSchemaState } from '../db/migrator.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { forgetOtherKeys } from '../secrets/secret-keys.ts';
import type { Command } from './command.ts';
import { loadStartConfig, withDatabase } from './with-platform.ts';

/** Updates the schema without serving. */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Updates the schema of the database, as every start does',
  details: ['It also creates the role tessera_app and grants its privileges if they are missing.'],
  options: {
    'accept-key': {
      description:
        'Uses SECRET_KEY as the key of the database from now on. Only if the previous one is lost: its secrets must be set again.',
    },
  },
  run: async (input) => {
    const acceptKey = input.has('accept-key');
    // A lost key may be replaced by a new one.
    const config = acceptKey ? loadConfig() : loadStartConfig();
    await withDatabase(config, async (sqlPool) => {
      const { missing } = await readSchemaState(sqlPool.pool);
      await migrateDatabase(sqlPool);
      stdout.write(missing === 0 ? 'The schema is up to date.\n' : `Applied ${missing} files.\n`);
      if (!acceptKey) return;
      const database = await createDatabase(sqlPool);
      await forgetOtherKeys({ database, secrets: createSecretBox(config), clock: () => new Date() });
      stdout.write('SECRET_KEY is now the key of this database.\n');
    });
  },
};
