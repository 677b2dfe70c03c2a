import { stdout } from 'node:process';
import { findConfig } from '../config.ts';
import { requireDatabase } from '../db/open-database.ts';
import { setPasswordByOperator } from '../features/tenancy/api.ts';
import type { Command } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Sets a user's password, like the operator's route. Restores access for users who have no password or lost it. */
export const setPassword: Command = {
  name: 'set-password',
  summary: 'Sets the password of a user and prints it',
  details: [
    'All sessions of the user end. On the embedded database, stop the service first, or call',
    'POST /admin/users/password.',
  ],
  options: {
    email: { value: 'ADDRESS', description: "The user's email address.", required: true },
    password: {
      value: 'PASSWORD',
      description: 'The password, at least 8 characters. Default: a random one.',
    },
  },
  run: async (input) => {
    const [email = '', password] = [input.text('email'), input.text('password')];
    requireDatabase(findConfig());
    const set = await withPlatform((platform) =>
      setPasswordByOperator(platform, { email, ...(password === undefined ? {} : { password }) }),
    );
    stdout.write(`${set.password}\n`);
  },
};
