import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { hidden, id, json, moment, text } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { BrandSettings } from '../../../tenancy/identity-tables.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';

/** Status of a tenant. One that is being deleted is not listed. */
export const TenantStatus = Type.Enum(['active', 'suspended', 'deleting']);

/** Tenants. Their brand is not in the operator's list. */
export const tenantResource = defineResource({
  table: 'tenants',
  key: uuidKey('tenant_id'),
  notFound: NOT_FOUND,
  fields: {
    tenant_id: id,
    code: text(Type.String(), {}),
    name: text(Type.String(), {}),
    created_at: moment,
    status: text(TenantStatus, { filter: true }),
    brand_settings: hidden(json(Type.Unsafe<BrandSettings>({}), { listed: false })),
  },
  sorts: ['code', 'name'],
  taken: { tenants_code_key: DUPLICATE_TENANT_CODE },
});
