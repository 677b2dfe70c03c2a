import { validate as isUuid } from 'uuid';
import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN } from '../errors/platform-errors.ts';
import { withActiveUnit, withActiveUnitId } from '../tenancy/active-unit.ts';
import { type Caller, hasRoleInAnyUnit } from '../tenancy/caller.ts';
import { scopeOf } from '../tenancy/scope.ts';
import type { MemberContext, RequestContext } from './context.ts';
import type { Route } from './route.ts';

/**
 * Creates the context of an authenticated member, limited to the unit of its X-Business-Unit token if it has one. With
 * `acceptsUnitIds`, the header may also be the id of a unit.
 * @throws AppError INVALID_BUSINESS_UNIT, or FORBIDDEN if the route is not allowed.
 */
export function admit(
  base: RequestContext,
  member: Caller,
  route: Pick<Route, 'access' | 'params'>,
  { acceptsUnitIds = false }: { readonly acceptsUnitIds?: boolean } = {},
): MemberContext {
  const { platform, headers, now } = base;
  const unit = headers['x-business-unit'];
  const activate = (text: string) =>
    acceptsUnitIds && isUuid(text)
      ? withActiveUnitId(member, text)
      : withActiveUnit(platform.tokens, member, text, now);
  const caller = unit === undefined ? member : activate(String(unit));
  if (!isAllowed(caller, route)) throw new AppError(FORBIDDEN);
  return { ...base, caller, db: platform.scoped(scopeOf(caller)) };
}

/** On a path with parameters, only the use case knows if the caller may learn that the record exists. */
function isAllowed(caller: Caller, { access, params }: Pick<Route, 'access' | 'params'>): boolean {
  switch (access) {
    case 'owner':
      return caller.isTenantAdmin;
    case 'viewer':
      return hasRoleInAnyUnit(caller, access);
    case 'editor':
    case 'admin':
      return params !== undefined || hasRoleInAnyUnit(caller, access);
    default:
      // A caller without any grant may read: it sees nothing
      // (docs/specification/tenants.md#what-a-call-reaches).
      return true;
  }
}
