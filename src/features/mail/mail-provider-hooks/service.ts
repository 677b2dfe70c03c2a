import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { TOKEN_INVALID } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import type { MemberContext, RequestContext } from '../../../http/context.ts';
import { parseJsonBody } from '../../../http/json-body.ts';
import type { Upload } from '../../../http/upload.ts';
import { findRecord, putRecord } from '../../../resources/records.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { recordMailNotices } from '../email-tracking/index.ts';
import { PROVIDERS } from './providers/index.ts';
import { type ProviderHookCreate, providerHooks } from './resource.ts';

const PURPOSE = 'mail-provider-hook';
/** A hook URL is valid until a new one is created for the provider. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/** Checks of each provider's signing key. */
export const HOOK_CHECKS = [
  check<ProviderHookCreate>(['provider', 'signing_key'], ({ provider, signing_key: key }) => {
    const message = PROVIDERS[provider].checkKey(key ?? undefined);
    return message === null ? [] : [{ field: 'signing_key', message }];
  }),
];

/** Creates the hook URL of a provider and invalidates the previous one. @throws AppError FORBIDDEN. */
export async function createHook(
  ctx: MemberContext,
  { provider, signing_key: key }: ProviderHookCreate,
): Promise<{ url: string }> {
  const { db, now, platform } = ctx;
  const id = uuidv7();
  const sealed = key ? platform.secrets.seal(key, id) : null;
  await putRecord(ctx, providerHooks, provider, { id, signing_key: sealed, created_at: now });
  const token = platform.tokens.sign(PURPOSE, { tenant: db.tenantId, hook: id }, NEVER);
  return { url: `${platform.publicUrl()}/hooks/mail/${provider}/${token}` };
}

/**
 * Records a provider's notices and returns the number of new ones. The body is read only after the token is verified.
 * @throws AppError TOKEN_INVALID, or like the provider's `read`.
 */
export async function receiveNotices(
  { platform, headers, now }: RequestContext,
  { provider, token }: { readonly provider: string; readonly token: string },
  body: Upload,
): Promise<{ recorded: number }> {
  const { tenant = '', hook = '' } = platform.tokens.verify(PURPOSE, token, now) ?? {};
  const stored =
    tenant === '' || closedTenants(platform).has(tenant)
      ? null
      : await findRecord(platform.scoped(wholeTenant(tenant)), providerHooks, provider);
  if (stored?.id !== hook) throw new AppError(TOKEN_INVALID);
  const signingKey =
    stored.signing_key === null ? null : platform.secrets.open(stored.signing_key, stored.id);
  const bytes = Buffer.concat(await body.bytes.toArray());
  const notices = await PROVIDERS[stored.provider].read(platform, {
    ...{ headers, bytes, signingKey },
    body: parseJsonBody(bytes),
  });
  return { recorded: await recordMailNotices(platform, tenant, notices) };
}
