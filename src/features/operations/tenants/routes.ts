import Type from 'typebox';
import { NOT_FOUND, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { listParameters, readListQuery } from '../../../resources/list-queries.ts';
import { DEFAULT_LIMIT, orderedPage, type PageReply } from '../../../resources/paging.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { changeTenant, requireTenant } from './changes.ts';
import { deleteTenant } from './deletion.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';
import { resetTenant } from './reset.ts';
import { tenantResource } from './resource.ts';
import {
  HealthCheck,
  TenantCreate,
  TenantCreated,
  TenantInfo,
  TenantItem,
  TenantKey,
  TenantReset,
  TenantSettings,
  TenantSettingsUpdate,
  TenantUpdate,
} from './schema.ts';
import { checkHealth, createTenant, listTenants, prepareTenant } from './service.ts';
import { checkTimeZone, readSettings, replaceSettings } from './settings.ts';

/** Routes for the tenant of an API key, and for the operator, who manages all tenants. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'tenant.info',
    method: 'GET',
    path: '/api/tenant/info',
    summary: 'Reads the tenant of the API key',
    tag: 'Tenant',
    access: 'member',
    reply: TenantInfo,
    handler: async (ctx) => getTenant(ctx.db),
  }),
  defineRoute({
    id: 'tenant_settings.get',
    method: 'GET',
    path: '/api/tenant/settings',
    summary: 'Reads the settings of the tenant',
    tag: 'Tenant',
    access: 'member',
    reply: TenantSettings,
    handler: (ctx) => readSettings(ctx.db),
  }),
  defineRoute({
    id: 'tenant_settings.update',
    method: 'PUT',
    path: '/api/tenant/settings',
    summary: 'Updates the settings of the tenant',
    tag: 'Tenant',
    access: 'owner',
    errors: [VERSION_CONFLICT],
    updates: { current: (ctx) => readSettings(ctx.db) },
    body: TenantSettingsUpdate,
    checks: [checkTimeZone],
    reply: Type.Object({ version: Type.Integer() }, { title: 'TenantSettingsVersion' }),
    write: (ctx, { body }) => replaceSettings(ctx.db, body),
  }),
  defineRoute({
    id: 'tenant.healthcheck',
    method: 'GET',
    path: '/api/tenant/healthcheck',
    summary: 'Reads the tenant and the setup of this installation',
    tag: 'Tenant',
    access: 'member',
    reply: HealthCheck,
    handler: async (ctx) => checkHealth(ctx.platform, ctx.db),
  }),
  defineRoute({
    id: 'tenants.create',
    method: 'POST',
    path: '/admin/tenants',
    summary: 'Creates a tenant with Default unit, owner and API key',
    tag: 'Operator',
    access: 'operator',
    errors: [DUPLICATE_TENANT_CODE],
    body: TenantCreate,
    reply: TenantCreated,
    prepare: (_ctx, { body }) => prepareTenant(body),
    write: (ctx, { body }, prepared) => createTenant(ctx, body, prepared),
  }),
  defineRoute({
    id: 'tenants.list',
    method: 'GET',
    path: '/admin/tenants',
    summary: 'Lists all tenants, newest first',
    description: `Default: page 1, ${DEFAULT_LIMIT} items.`,
    tag: 'Operator',
    access: 'operator',
    query: Type.Object(listParameters),
    ...listFacts(tenantResource),
    reply: Type.Unsafe<PageReply<object>>(orderedPage(TenantItem)),
    handler: async (ctx, { query }) => listTenants(ctx.platform, readListQuery(query)),
  }),
  defineRoute({
    id: 'tenants.reset',
    method: 'POST',
    path: '/admin/tenants/{code}/reset',
    summary: 'Deletes all data of a tenant except owners, their keys and the Default unit',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    params: Type.Object({ code: Type.String() }),
    body: TenantReset,
    reply: Type.Object({ tenant_id: Type.String(), code: Type.String() }, { title: 'TenantResetReply' }),
    handler: (ctx, { params, body }) => resetTenant(ctx.platform, params.code, body.confirm),
  }),
  defineRoute({
    id: 'tenants.update',
    method: 'PUT',
    path: '/admin/tenants/{code}',
    summary: 'Renames, rebrands, suspends or reactivates a tenant',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    params: Type.Object({ code: Type.String() }),
    updates: {},
    body: TenantUpdate,
    reply: TenantKey,
    prepare: (ctx, { params }) => requireTenant(ctx.platform, params.code),
    write: (ctx, { body }) => changeTenant(ctx, body),
  }),
  defineRoute({
    id: 'tenants.delete',
    method: 'DELETE',
    path: '/admin/tenants/{code}',
    summary: 'Permanently deletes a tenant with all data',
    description: 'Access ends at once; a job removes rows and files. Irreversible: take a backup first.',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    params: Type.Object({ code: Type.String() }),
    body: TenantReset,
    reply: TenantKey,
    handler: (ctx, { params, body }) => deleteTenant(ctx.platform, params.code, body.confirm),
  }),
];
