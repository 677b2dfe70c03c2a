/** Previews of the page, for members who edit the subscription types. */
import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { readsShared } from '../../../../resources/ownership.ts';
import { getTenant } from '../../../../tenancy/find-tenant.ts';
import { getSubscriberSettings, requireDistinctTypes } from '../../../email-settings/api.ts';
import { previewPage } from './page.ts';
import type { PreferencesPreview } from './schema.ts';
import { offeredChoices } from './service.ts';

/** The recipient of a preview: no subscriber, and subscribed to everything. */
const SAMPLE = { email: 'recipient@example.com', active: true, inactive_reason: null };

/**
 * Renders the page with the given types and brand instead of the saved ones.
 * @throws AppError NOT_FOUND for a caller without any unit, VALIDATION_ERROR for a repeated type.
 */
export async function previewPreferences(
  { caller, db }: MemberContext,
  { subscription_types: types, brand_settings }: PreferencesPreview,
): Promise<{ html: string }> {
  if (!readsShared(caller)) throw new AppError(NOT_FOUND);
  if (types !== undefined) requireDistinctTypes(types);
  const [tenant, saved] = [await getTenant(db), await getSubscriberSettings(db)];
  const content = {
    tenant: { name: tenant.name, brand_settings: { ...tenant.brand_settings, ...brand_settings } },
    subscriber: SAMPLE,
    types: offeredChoices(types ?? saved.subscription_types, new Map()),
  };
  return { html: previewPage(content) };
}
