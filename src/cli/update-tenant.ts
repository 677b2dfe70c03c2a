import { stdout } from 'node:process';
import { changeTenantByOperator } from '../features/operations/api.ts';
import { type Command, UsageError } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Renames, suspends or reactivates a tenant, like the operator's route. */
export const updateTenant: Command = {
  name: 'update-tenant',
  summary: 'Renames, suspends or reactivates a tenant',
  details: [
    'While a tenant is suspended, its members cannot call the API, its public URLs return 404, and its work waits.',
    'On the embedded database, stop the service first, or call PUT /admin/tenants/{code}.',
  ],
  options: {
    code: { value: 'CODE', description: 'The code of the tenant.', required: true },
    name: { value: 'NAME', description: 'The new name.' },
    status: { value: 'STATUS', description: '`active` or `suspended`.' },
  },
  run: async (input) => {
    const code = input.text('code') ?? '';
    const [name, status] = [input.text('name'), readStatus(input.text('status'))];
    const body = { ...(name === undefined ? {} : { name }), ...(status === undefined ? {} : { status }) };
    await withPlatform((platform) => changeTenantByOperator(platform, code, body));
    stdout.write(`The tenant "${code}" was changed.\n`);
  },
};

/** @throws UsageError for a status that cannot be set. */
function readStatus(text: string | undefined): 'active' | 'suspended' | undefined {
  if (text === undefined || text === 'active' || text === 'suspended') return text;
  throw new UsageError(
    'tessera update-tenant: --status must be active or suspended (tessera update-tenant --help)',
  );
}
