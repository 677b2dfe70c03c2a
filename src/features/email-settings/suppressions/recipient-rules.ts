import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { isWhitelisted } from '../collections.ts';
import type { EmailSettings } from '../resource.ts';
import type { SuppressionType } from './resource.ts';
import { findSuppressions } from './service.ts';

/** Properties of a mail that decide which suppressions apply to it. */
export interface CheckedMail {
  readonly isTransactional: boolean;
  /** Type that recipients must be subscribed to; null for none. */
  readonly subscriptionTypeId: string | null;
  /** True if no suppression applies; the sandbox still does. */
  readonly skipsSuppressions?: boolean;
}

/**
 * Returns the rule that suppresses a mail to each of the normalized recipients; recipients who may get it are missing
 * (docs/specification/email-settings.md#suppressions).
 */
export async function findRecipientRules(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  recipients: readonly string[],
  { isTransactional, subscriptionTypeId, skipsSuppressions = false }: CheckedMail,
): Promise<ReadonlyMap<string, 'sandbox' | SuppressionType>> {
  // Mail of a subscription type depends on the recipient's choice of that type, not on unsubscribes from other mail.
  const isExempt = isTransactional || subscriptionTypeId !== null;
  const checked = skipsSuppressions ? [] : recipients;
  const suppressions = await findSuppressions(platform, db, checked, isExempt);
  return new Map(
    recipients.flatMap((recipient) => {
      const isOutsideSandbox = settings.sandbox_mode && !isWhitelisted(settings, recipient);
      const rule = isOutsideSandbox ? 'sandbox' : suppressions.get(recipient)?.type;
      return rule === undefined ? [] : [[recipient, rule] as const];
    }),
  );
}
