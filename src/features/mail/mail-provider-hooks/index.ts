import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import type { Feature } from '../../feature.ts';
import { PROVIDER_UNREACHABLE } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

const sealedSigningKeys: SealedColumn = {
  table: 'mail_provider_hooks',
  column: 'signing_key',
  type: 'text',
  key: { provider: 'text', id: 'uuid' },
  sealedUnder: ({ id = '' }) => id,
};

/** Hook URLs to which mail providers report the bounces and complaints of a tenant. */
export const mailProviderHooks: Feature = {
  name: 'mail-provider-hooks',
  examples,
  routes,
  sealed: [sealedSigningKeys],
  errors: [PROVIDER_UNREACHABLE],
};
