import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG } from './errors.ts';
import { getDefaultUnitId, listOwnMemberships } from './queries.ts';
import {
  Activation,
  AuthorizedUnits,
  OwnMemberships,
  UnitCreate,
  UnitKey,
  UnitListQuery,
  UnitRename,
} from './schema.ts';
import {
  activateUnit,
  changeUnit,
  createUnit,
  getUnit,
  listArchived,
  listAuthorized,
  restoreUnit,
} from './service.ts';

const tag = 'Business units';
const path = '/api/client/v1/business-units';
const params = Type.Object({ bu_id: Type.String() });

/** Units, the caller's memberships and the Active unit. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'business_units.list',
    method: 'GET',
    path,
    summary: 'Lists the active units of the caller',
    tag,
    access: 'member',
    errors: [FORBIDDEN],
    query: UnitListQuery,
    reply: AuthorizedUnits,
    handler: async (ctx, { query }) => ({
      business_units: query.archived === 'true' ? await listArchived(ctx) : listAuthorized(ctx.caller),
      is_tenant_admin: ctx.caller.isTenantAdmin,
      default_business_unit_id: await getDefaultUnitId(ctx.db),
    }),
  }),
  defineRoute({
    id: 'my_memberships.list',
    method: 'GET',
    path: '/api/client/v1/my-memberships',
    summary: "Lists the caller's memberships in all tenants",
    tag,
    access: 'member',
    reply: OwnMemberships,
    handler: async ({ platform, caller }) => {
      const all = platform.database.everyTenant('own-memberships');
      return { results: await listOwnMemberships(all, caller.userId) };
    },
  }),
  defineRoute({
    id: 'business_units.create',
    method: 'POST',
    path,
    summary: 'Creates a unit',
    tag,
    access: 'owner',
    errors: [DUPLICATE_SLUG, VALIDATION_ERROR],
    body: UnitCreate,
    reply: UnitKey,
    write: async (ctx, { body }) => ({ bu_id: await createUnit(ctx, body) }),
  }),
  defineRoute({
    id: 'business_units.rename',
    method: 'PUT',
    path: `${path}/{bu_id}`,
    summary: 'Renames a unit; its slug stays',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, DEFAULT_BUSINESS_UNIT, VERSION_CONFLICT],
    params,
    updates: { current: (ctx, { params }) => getUnit(ctx, params.bu_id) },
    body: UnitRename,
    reply: UnitKey,
    write: (ctx, { params, body: { name, version } }) => changeUnit(ctx, params.bu_id, { name }, version),
  }),
  defineRoute({
    id: 'business_units.archive',
    method: 'POST',
    path: `${path}/{bu_id}/archive`,
    summary: 'Archives a unit; hides its records without deleting them',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, DEFAULT_BUSINESS_UNIT],
    params,
    reply: UnitKey,
    write: (ctx, { params }) => changeUnit(ctx, params.bu_id, { archived_at: ctx.now }),
  }),
  defineRoute({
    id: 'business_units.restore',
    method: 'POST',
    path: `${path}/{bu_id}/restore`,
    summary: 'Restores an archived unit with its records and grants',
    description: 'Has no effect on active units.',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, VALIDATION_ERROR],
    params,
    reply: UnitKey,
    write: (ctx, { params }) => restoreUnit(ctx, params.bu_id),
  }),
  defineRoute({
    id: 'business_units.activate',
    readsOnly: true,
    method: 'POST',
    path: `${path}/{bu_id}/activate`,
    summary: 'Activates a unit; returns a token valid for 12 hours',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params,
    reply: Activation,
    handler: async (ctx, { params }) => activateUnit(ctx, params.bu_id),
  }),
];
