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

/** Bounces and complaints that the large mail providers report by HTTP to a tenant's address. */
export const mailProviderHooks: Feature = {
  name: 'mail-provider-hooks',
  examples,
  routes,
  sealed: [sealedSigningKeys],
  errors: [PROVIDER_UNREACHABLE],
};
