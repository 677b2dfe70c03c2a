import { NOT_FOUND, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { DEFAULT_BUSINESS_UNIT, DUPLICATE_SLUG } from './errors.ts';
import { listOwnMemberships } from './own-memberships.ts';
import { getDefaultUnitId } from './queries.ts';
import {
  Activation,
  AuthorizedUnits,
  OwnMemberships,
  UnitCreate,
  UnitKey,
  UnitPath,
  UnitRename,
} from './schema.ts';
import { activateUnit, archiveUnit, createUnit, renameUnit } from './service.ts';

const tag = 'Business units';
const path = '/api/client/v1/business-units';

const reads: readonly Route[] = [
  defineRoute({
    id: 'business_units.list',
    method: 'GET',
    path,
    summary: 'Lists the active units that the caller may act in',
    tag,
    access: 'member',
    reply: AuthorizedUnits,
    handler: async ({ caller, db }) => ({
      business_units: caller.units.map(({ buId, name, slug, isDefault }) => ({
        bu_id: buId,
        name,
        slug,
        is_default: isDefault,
      })),
      is_tenant_admin: caller.isTenantAdmin,
      default_business_unit_id: await getDefaultUnitId(db),
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
    handler: async (ctx) => ({ results: await listOwnMemberships(ctx.platform, ctx.caller.userId) }),
  }),
];

const writes: readonly Route[] = [
  defineRoute({
    id: 'business_units.create',
    method: 'POST',
    path,
    summary: 'Creates a unit',
    tag,
    access: 'owner',
    errors: [DUPLICATE_SLUG],
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
    params: UnitPath,
    body: UnitRename,
    reply: UnitKey,
    write: async (ctx, { params: { bu_id }, body }) => {
      await renameUnit(ctx, bu_id, body);
      return { bu_id };
    },
  }),
  defineRoute({
    id: 'business_units.archive',
    method: 'POST',
    path: `${path}/{bu_id}/archive`,
    summary: 'Archives a unit: its records disappear from reads, nothing is deleted',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, DEFAULT_BUSINESS_UNIT],
    params: UnitPath,
    reply: UnitKey,
    write: async (ctx, { params: { bu_id } }) => {
      await archiveUnit(ctx, bu_id);
      return { bu_id };
    },
  }),
  defineRoute({
    id: 'business_units.activate',
    method: 'POST',
    path: `${path}/{bu_id}/activate`,
    summary: 'Chooses the Active unit: gives a token that is valid for 12 hours',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: UnitPath,
    reply: Activation,
    handler: async (ctx, { params: { bu_id } }) => ({ ...activateUnit(ctx, bu_id), bu_id }),
  }),
];

/** Units, the caller's memberships and the Active unit. */
export const routes: readonly Route[] = [...reads, ...writes];
