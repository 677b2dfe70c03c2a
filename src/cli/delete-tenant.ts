import { stdout } from 'node:process';
import { deleteTenant as deleteTenantByOperator } from '../features/operations/api.ts';
import type { Command } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Deletes a tenant with all its data, like the operator's route. */
export const deleteTenant: Command = {
  name: 'delete-tenant',
  summary: 'Permanently deletes a tenant with all data',
  details: [
    'Back up first: the deletion cannot be undone. The tenant is unreachable at once; the service removes its rows and',
    'files later. On the embedded database, stop the service first, or call DELETE /admin/tenants/{code}.',
  ],
  options: {
    code: { value: 'CODE', description: 'The code of the tenant.', required: true },
    confirm: { value: 'CODE', description: 'Repeat the code.', required: true },
  },
  run: async (input) => {
    const [code = '', confirm = ''] = [input.text('code'), input.text('confirm')];
    await withPlatform((platform) => deleteTenantByOperator(platform, code, confirm));
    stdout.write(`The tenant "${code}" was deleted.\n`);
  },
};
