import { AppError } from '../errors/app-error.ts';
import { INVALID_BUSINESS_UNIT } from '../errors/platform-errors.ts';
import type { TokenSigner } from '../secrets/signed-tokens.ts';
import { type Caller, roleIn } from './caller.ts';

const PURPOSE = 'active-business-unit';
const LIFETIME_MS = 12 * 60 * 60 * 1000;

/**
 * Signs an X-Business-Unit token, with which this membership acts in `buId` for the next 12 hours
 * (docs/specification/tenants.md#active-unit).
 */
export function signActiveUnit(
  tokens: TokenSigner,
  caller: Caller,
  buId: string,
  now: Date,
): { readonly token: string; readonly expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const claims = { tenant: caller.tenantId, membership: caller.membershipId, unit: buId };
  return { token: tokens.sign(PURPOSE, claims, expiresAt), expiresAt };
}

/**
 * Returns the caller with the unit of `token` as its Active unit.
 * @throws AppError INVALID_BUSINESS_UNIT if the token is forged, expired or foreign, or its grant was removed.
 */
export function withActiveUnit(tokens: TokenSigner, caller: Caller, token: string, now: Date): Caller {
  const claims = tokens.verify(PURPOSE, token, now);
  const unit = claims?.unit;
  const isOwn = claims?.tenant === caller.tenantId && claims.membership === caller.membershipId;
  if (!isOwn || unit === undefined) throw new AppError(INVALID_BUSINESS_UNIT);
  return withActiveUnitId(caller, unit);
}

/**
 * Returns the caller with this unit as its Active unit. @throws AppError INVALID_BUSINESS_UNIT without a role in it.
 */
export function withActiveUnitId(caller: Caller, buId: string): Caller {
  if (roleIn(caller, buId) === null) throw new AppError(INVALID_BUSINESS_UNIT);
  return { ...caller, activeUnitId: buId };
}
