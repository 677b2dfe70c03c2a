import { stdout } from 'node:process';
import { createTenantByOperator } from '../features/operations/api.ts';
import { generatePassword } from '../secrets/passwords.ts';
import type { Command } from './command.ts';
import { withPlatform } from './with-platform.ts';

/** Creates a tenant, like the operator's route. */
export const createTenant: Command = {
  name: 'create-tenant',
  summary: 'Creates a tenant with an owner and prints the first API key',
  details: [
    'If the owner is a user already, the existing password stays valid. Password and key are shown only once. On the',
    'embedded database, stop the service first, or call POST /admin/tenants.',
  ],
  options: {
    code: {
      value: 'CODE',
      description: 'Permanent id of the tenant: ^[a-z][a-z0-9_]{1,30}$.',
      required: true,
    },
    name: { value: 'NAME', description: 'Name of the tenant. Default: the code.' },
    email: {
      value: 'ADDRESS',
      description: "The owner's email address.",
      required: true,
      field: 'owner.email',
    },
    'owner-name': {
      value: 'NAME',
      description: "The owner's name. Default: the address.",
      field: 'owner.name',
    },
    password: {
      value: 'PASSWORD',
      description: "The owner's password. Default: a random one.",
      field: 'owner.password',
    },
  },
  run: async (input) => {
    const [code = '', email = ''] = [input.text('code'), input.text('email')];
    const password = input.text('password') ?? generatePassword();
    const owner = { email, name: input.text('owner-name') ?? email, password };
    const { apiKey, isOwnerNew } = await withPlatform((platform) =>
      createTenantByOperator(platform, { code, name: input.text('name') ?? code, owner }),
    );
    const signIn = isOwnerNew ? `the password ${password}` : 'their existing password';
    stdout.write(`The tenant "${code}" was created. ${email} signs in with ${signIn}\n${apiKey}\n`);
  },
};
