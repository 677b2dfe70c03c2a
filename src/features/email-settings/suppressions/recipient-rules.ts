import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { isWhitelisted } from '../collections.ts';
import type { FoundSuppression } from '../queries.ts';
import type { EmailSettings } from '../resource.ts';
import type { SuppressionType } from './resource.ts';
import { findSuppressions, isBlocking } from './service.ts';

/** Properties of a mail that decide which suppressions apply to it. */
export interface CheckedMail {
  readonly isTransactional: boolean;
  /** Type that recipients must be subscribed to; null for none. */
  readonly subscriptionTypeId: string | null;
  /** True if no suppression applies; the sandbox still does. */
  readonly skipsSuppressions?: boolean;
}

/** True if no `unsubscribe` suppression applies: the recipient's choice of the type decides instead. */
function isExemptFromUnsubscribes({
  isTransactional,
  subscriptionTypeId,
}: Pick<CheckedMail, 'isTransactional' | 'subscriptionTypeId'>): boolean {
  return isTransactional || subscriptionTypeId !== null;
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
  mail: CheckedMail,
): Promise<ReadonlyMap<string, 'sandbox' | SuppressionType>> {
  const checked = mail.skipsSuppressions ? [] : recipients;
  const suppressions = await findSuppressions(platform, db, checked, isExemptFromUnsubscribes(mail));
  return new Map(
    recipients.flatMap((recipient) => {
      const rule = isOutsideSandbox(settings, recipient) ? 'sandbox' : suppressions.get(recipient)?.type;
      return rule === undefined ? [] : [[recipient, rule] as const];
    }),
  );
}

/** Everything that keeps mail from an address. */
export interface AddressRules {
  readonly isOutsideSandbox: boolean;
  /** Suppression of the address; `isSuppressedFor` tells for which mail it counts. */
  readonly suppression: FoundSuppression | null;
  readonly isSuppressedFor: (mail: CheckedMail) => boolean;
}

/** Finds all rules about a normalized address, by the checks of `findRecipientRules`. */
export async function findAddressRules(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  address: string,
): Promise<AddressRules> {
  const suppression = (await findSuppressions(platform, db, [address], false)).get(address) ?? null;
  return {
    isOutsideSandbox: isOutsideSandbox(settings, address),
    suppression,
    isSuppressedFor: (mail) =>
      suppression !== null && isBlocking(suppression.type, isExemptFromUnsubscribes(mail)),
  };
}

function isOutsideSandbox(settings: EmailSettings, recipient: string): boolean {
  return settings.sandbox_mode && !isWhitelisted(settings, recipient);
}
