import type { Platform } from '../../platform.ts';
import { generatePassword } from '../../secrets/passwords.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { countTenants } from './queries.ts';
import { createTenant, prepareTenant } from './service.ts';

const CODE = 'demo';
const OWNER_EMAIL = 'owner@demo.local';

/** How to get into the tenant of a first start. Told once, to whoever started the process. */
export interface FirstAccess {
  /** Null while the port is still to be picked. */
  readonly url: string | null;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/**
 * Creates the tenant `demo` when the embedded database has no tenant yet (decisions section 1); null otherwise. A
 * server database is prepared by its operator, and a worker prepares nothing.
 */
export async function createFirstTenant(platform: Platform): Promise<FirstAccess | null> {
  const { config, database } = platform;
  if (database.kind !== 'embedded' || config.role === 'worker') return null;
  if ((await countTenants(database.everyTenant('operator-tenants'))) > 0) return null;
  const password = generatePassword();
  const owner = { email: OWNER_EMAIL, name: 'Owner', password };
  const body = { code: CODE, name: 'Demo', owner };
  const prepared = await prepareTenant(body);
  const { apiKey } = await platform
    .scoped(wholeTenant(prepared.tenantId))
    .transaction((db) => createTenant({ platform, now: platform.clock(), db }, body, prepared));
  const isPortKnown = config.publicUrl !== null || config.port !== 0;
  return { url: isPortKnown ? platform.publicUrl() : null, email: OWNER_EMAIL, password, apiKey };
}

/** The block that the first start prints. */
export function describeFirstAccess({ url, email, password, apiKey }: FirstAccess): string {
  const lines = [
    '',
    `First start: the tenant "${CODE}" was created. Keep this, it is shown only now.`,
    ...(url === null ? [] : [`  URL       ${url}`]),
    `  e-mail    ${email}`,
    `  password  ${password}`,
    `  API key   ${apiKey}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
