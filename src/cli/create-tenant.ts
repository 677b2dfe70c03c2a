import { stdout } from 'node:process';
import { createTenantByOperator } from '../features/tenants/index.ts';
import { generatePassword } from '../secrets/passwords.ts';
import type { Command } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Creates a tenant, as the operator's route does. */
export const createTenant: Command = {
  name: 'create-tenant',
  summary: 'Creates a tenant with an owner and prints the first API key',
  details: [
    'An owner who is a user already joins as it is. The key is shown only now. On the embedded database, stop the',
    'service first, or call POST /admin/tenants.',
  ],
  options: {
    code: { value: 'CODE', meaning: 'Names the tenant for ever: ^[a-z][a-z0-9_]{1,30}$.', required: true },
    name: { value: 'NAME', meaning: 'What it is called; the code when absent.' },
    email: {
      value: 'ADDRESS',
      meaning: "The owner's e-mail address.",
      required: true,
      field: 'owner.email',
    },
    'owner-name': {
      value: 'NAME',
      meaning: "The owner's name; the address when absent.",
      field: 'owner.name',
    },
  },
  run: async (input) => {
    const [code = '', email = ''] = [input.text('code'), input.text('email')];
    // Nobody can sign in yet; whoever is to do so later sets another.
    const owner = { email, name: input.text('owner-name') ?? email, password: generatePassword() };
    const { api_key } = await withPlatform((platform) =>
      createTenantByOperator(platform, { code, name: input.text('name') ?? code, owner }),
    );
    stdout.write(`The tenant "${code}" was created.\n${api_key}\n`);
  },
};
