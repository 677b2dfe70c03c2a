import { AppError } from '../errors/app-error.ts';
import { FORBIDDEN } from '../errors/platform-errors.ts';
import { withActiveUnit } from '../tenancy/active-unit.ts';
import { type Caller, hasRoleInAnyUnit } from '../tenancy/caller.ts';
import { scopeOf } from '../tenancy/scope.ts';
import type { MemberContext, RequestContext } from './context.ts';
import type { Route } from './route.ts';

/**
 * Creates the context of an authenticated member, limited to the unit of its X-Business-Unit token if it has one.
 * @throws AppError INVALID_BUSINESS_UNIT, or FORBIDDEN if the route is not allowed.
 */
export function admit(
  base: RequestContext,
  member: Caller,
  route: Pick<Route, 'access' | 'params'>,
): MemberContext {
  const { platform, headers, now } = base;
  const unit = headers['x-business-unit'];
  const caller = unit === undefined ? member : withActiveUnit(platform.tokens, member, String(unit), now);
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
