import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { hidden, id, json, moment, text } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { BrandSettings } from '../../../tenancy/brand-settings.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';

/** Status of a tenant. Lists omit a tenant that is being deleted. */
export const TenantStatus = Type.Enum(['active', 'suspended', 'deleting']);

/** Tenants. The operator's list omits their brand. */
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
  duplicates: { tenants_code_key: DUPLICATE_TENANT_CODE },
});
