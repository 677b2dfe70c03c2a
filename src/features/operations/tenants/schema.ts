import Type, { type Static } from 'typebox';
import { INVALID_REQUEST } from '../../../errors/platform-errors.ts';
import { secretMark } from '../../../http/schemas.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import { versionOption } from '../../../resources/body.ts';
import { BrandSettings, BrandSettingsChange } from '../../../tenancy/brand-settings.ts';
import { Email, Password, UserName } from '../../tenancy/api.ts';
import { tenantResource } from './resource.ts';

/** Body that creates a tenant (docs/specification/running.md#operator-surface). */
export const TenantCreate = Type.Object(
  {
    code: Type.String({ pattern: '^[a-z][a-z0-9_]{1,30}$', description: 'Short, unique; cannot change.' }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    owner: Type.Object({ email: Email, name: UserName, password: Password }, { title: 'TenantOwner' }),
    brand_settings: Type.Optional(BrandSettingsChange),
  },
  { title: 'TenantCreate' },
);
/** An operator's request to create a tenant. */
export type TenantCreate = Static<typeof TenantCreate>;

/** Reply to a create: the data that the operator passes on to the tenant. */
export const TenantCreated = Type.Object(
  {
    tenant_id: Type.String(),
    code: Type.String(),
    default_business_unit_id: Type.String(),
    owner: Type.Object({ user_id: Type.String() }, { title: 'TenantOwnerId' }),
    api_key: Type.String({ ...secretMark, description: 'First API key of the owner; shown only once.' }),
  },
  { title: 'TenantCreated' },
);

/** Body that changes a tenant; absent members stay unchanged. */
export const TenantUpdate = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    brand_settings: Type.Optional(BrandSettingsChange),
    status: Type.Optional(
      Type.Enum(['active', 'suspended'], {
        description: 'Suspended: access is denied, nothing is sent and background work pauses.',
      }),
    ),
  },
  { title: 'TenantUpdate' },
);
/** An operator's change of a tenant; absent members stay unchanged. */
export type TenantUpdate = Static<typeof TenantUpdate>;
/** Checks the body of a change. @throws AppError INVALID_REQUEST. */
export const checkTenantUpdate = compileBodyCheck(TenantUpdate, INVALID_REQUEST);

/** Returns complete brand settings; missing ones are empty. */
export function brandFrom(settings: TenantCreate['brand_settings']): BrandSettings {
  return { logo_url: '', primary_color: '', ...settings };
}

/** Reply to a change or deletion of a tenant. */
export const TenantKey = Type.Object({ tenant_id: Type.String() }, { title: 'TenantKey' });

/** A tenant in the operator's list. */
export const TenantItem = Type.Unsafe<Static<typeof tenantResource.reply>>({
  ...tenantResource.reply,
  title: 'TenantItem',
});

/** Body of a reset or deletion. It repeats the code, to avoid resetting the wrong tenant by mistake. */
export const TenantReset = Type.Object(
  { confirm: Type.String({ description: "Repeat the tenant's code." }) },
  { title: 'TenantReset' },
);

/** The tenant of a key (docs/specification/tenants.md#tenant). */
export const TenantInfo = Type.Object(
  {
    tenant_id: Type.String(),
    code: Type.String(),
    name: Type.String(),
  },
  { title: 'TenantInfo' },
);

const settings = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  brand_settings: BrandSettings,
  time_zone: Type.String({ maxLength: 100, description: 'IANA name, such as `Europe/Berlin`.' }),
  session_hours: Type.Integer({
    minimum: 1,
    maximum: 720,
    description: 'Hours without a call after which a browser session ends.',
  }),
};

/** The settings of a tenant (docs/specification/tenants.md#settings). */
export const TenantSettings = Type.Object(
  { ...settings, version: Type.Integer() },
  { title: 'TenantSettings' },
);
/** A tenant's settings, with their version. */
export type TenantSettings = Static<typeof TenantSettings>;

/** Body of a change of the settings. */
export const TenantSettingsUpdate = Type.Object(
  { ...settings, ...versionOption },
  { title: 'TenantSettingsUpdate' },
);
/** A change of a tenant's settings. */
export type TenantSettingsUpdate = Static<typeof TenantSettingsUpdate>;

/** The tenant and its environment (docs/specification/tenants.md#tenant). */
export const HealthCheck = Type.Object(
  {
    tenant: Type.Object(
      {
        tenant_id: Type.String(),
        code: Type.String(),
        name: Type.String(),
        sandbox_mode: Type.Boolean(),
        brand_settings: BrandSettings,
      },
      { title: 'HealthTenant' },
    ),
    environment: Type.String(),
    config: Type.Object(
      {
        emailMarketing: Type.Object(
          { jobBatchSize: Type.Integer(), transmissionBatchSize: Type.Integer() },
          { title: 'HealthEmailMarketing' },
        ),
        emailProvider: Type.Object(
          { baseUrl: Type.String(), sendingDomain: Type.String() },
          { title: 'HealthEmailProvider' },
        ),
        formsService: Type.Object({ baseUrl: Type.String() }, { title: 'HealthFormsService' }),
      },
      { title: 'HealthConfig' },
    ),
  },
  { title: 'HealthCheck' },
);
/** The tenant and environment of the caller's key. */
export type HealthCheck = Static<typeof HealthCheck>;
