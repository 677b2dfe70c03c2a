import { stdout } from 'node:process';
import { findConfig } from '../config.ts';
import { requireDatabase } from '../db/open-database.ts';
import { createKeyByOperator } from '../features/tenancy/api.ts';
import { type Command, UsageError } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Creates an API key, like the operator's route. Restores access if the last key is lost. */
export const createKey: Command = {
  name: 'create-key',
  summary: 'Creates an API key for a member of a tenant and prints it',
  details: [
    'The key is shown only once. Earlier keys stay valid; an owner can list and revoke them with the new key. On the',
    'embedded database, stop the service first, or call POST /admin/tenants/CODE/api-keys.',
  ],
  options: {
    tenant: { value: 'CODE', description: 'The tenant.', required: true },
    owner: { description: 'For the oldest owner of the tenant.' },
    email: { value: 'ADDRESS', description: 'For the member with this address.' },
    name: { value: 'NAME', description: 'Name of the key. Default: "Key of the operator".' },
  },
  run: async (input) => {
    const [email, name] = [input.text('email'), input.text('name')];
    if (input.has('owner') === (email !== undefined))
      throw new UsageError('tessera create-key: use either --owner or --email (tessera create-key --help)');
    requireDatabase(findConfig());
    const { api_key } = await withPlatform((platform) =>
      createKeyByOperator(platform, input.text('tenant') ?? '', {
        ...(email === undefined ? {} : { email }),
        ...(name === undefined ? {} : { name }),
      }),
    );
    stdout.write(`${api_key}\n`);
  },
};
