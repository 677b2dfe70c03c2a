import type { Platform } from '../../../platform.ts';
import { generatePassword } from '../../../secrets/passwords.ts';
import { createTenantByOperator, hasTenants } from './service.ts';

const CODE = 'demo';
const OWNER_EMAIL = 'owner@demo.local';

/** Credentials of the tenant that the first start creates. Printed once, for the operator who started the process. */
export interface FirstCredentials {
  readonly url: string;
  /** Address of the console; null: it is off. */
  readonly consoleUrl: string | null;
  readonly email: string;
  readonly password: string;
  readonly apiKey: string;
}

/**
 * Creates the tenant `demo` if the embedded database has no tenant yet
 * (docs/specification/running.md#start); null otherwise. A server database is prepared by its operator, and a
 * worker prepares nothing.
 */
export async function createFirstTenant(platform: Platform): Promise<FirstCredentials | null> {
  const { config, database } = platform;
  if (database.kind !== 'embedded' || config.role === 'worker') return null;
  if (await hasTenants(platform)) return null;
  const password = generatePassword();
  const owner = { email: OWNER_EMAIL, name: 'Owner', password };
  const { apiKey } = await createTenantByOperator(platform, { code: CODE, name: 'Demo', owner });
  const consoleUrl = config.console ? `${platform.consoleUrl()}/console` : null;
  return { url: platform.publicUrl(), consoleUrl, email: OWNER_EMAIL, password, apiKey };
}

/** Returns the text that the first start prints. */
export function describeFirstCredentials({
  url,
  consoleUrl,
  email,
  password,
  apiKey,
}: FirstCredentials): string {
  const lines = [
    '',
    `First start: the tenant "${CODE}" was created. Save this data, it is shown only once.`,
    `  URL       ${url}`,
    ...(consoleUrl === null ? [] : [`  console   ${consoleUrl}`]),
    `  email     ${email}`,
    `  password  ${password}`,
    `  API key   ${apiKey}`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}
