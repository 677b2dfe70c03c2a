/**
 * Calls of an automation's hook by the token in its address (docs/specification/automations.md#hooks). Calls with an
 * API key belong to the members' surface.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, NOT_FOUND, UNAUTHORIZED } from '../errors/platform-errors.ts';
import type { TokenSigner } from '../secrets/signed-tokens.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { HookContext } from './context.ts';
import type { Surface } from './surface.ts';

const PURPOSE = 'automation-hook';
/** A token is valid as long as its automation exists. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/** The hook that a token identifies. */
interface HookClaims {
  readonly tenantId: string;
  readonly automationId: string;
}

/** Makes the token of an automation's hook: deterministic, and stored nowhere. */
export function signHookToken(tokens: TokenSigner, { tenantId, automationId }: HookClaims): string {
  return tokens.sign(PURPOSE, { tenant: tenantId, automation: automationId }, NEVER);
}

/** The surface for callers who know the token of a hook. */
export const hookSurface: Surface<HookContext> = {
  name: 'hooks',
  takes: ({ url = '', headers }: IncomingMessage) =>
    headers['x-api-key'] === undefined && /^\/api\/hooks\/[^/?]+\/[^?]*\?(?:.*&)?token=/.test(url),
  authenticate: ({ url }, base) => {
    const token = new URLSearchParams(url.slice(url.indexOf('?'))).get('token') ?? '';
    const { tenant, automation } = base.platform.tokens.verify(PURPOSE, token, base.now) ?? {};
    if (tenant === undefined || automation === undefined)
      throw new AppError(UNAUTHORIZED, { message: 'The token in the URL is invalid.' });
    if (closedTenants(base.platform).has(tenant)) throw new AppError(NOT_FOUND);
    return { ...base, automationId: automation, db: base.platform.scoped(wholeTenant(tenant)) };
  },
  identify: ({ db, automationId }) => ({ tenantId: db.tenantId, caller: `hook ${automationId}`, unit: '' }),
  envelope: 'plain',
  security: {
    name: 'HookToken',
    scheme: {
      type: 'apiKey',
      in: 'query',
      name: 'token',
      description: 'Token in the `webhook_url` of an automation.',
    },
  },
  headers: [],
  errors: () => [UNAUTHORIZED, NOT_FOUND, INVALID_REQUEST],
};
