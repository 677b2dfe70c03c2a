/** Rules of the sandbox, as the screen edits and shows them. */
import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;

type Rule = schemas.WhitelistRule;

/** Returns the mode and the rules, with the version of the settings. */
export function sandboxOf({ sandbox_mode, whitelist_recipient_rules, version }: schemas.EmailSettings) {
  return { sandbox_mode, whitelist_recipient_rules, version };
}

/** Returns the address or the domain of a rule. */
export function recipientOf({ email_address, domain_name }: Rule): string {
  return email_address ?? domain_name ?? '';
}

/** Returns a rule for an address or, without an @, for a domain. */
export function ruleFor(recipient: string, active: boolean): Rule {
  return recipient.includes('@') ? { email_address: recipient, active } : { domain_name: recipient, active };
}

/** Returns how drafts show the sandbox. */
export function sandboxFields(): DraftFields {
  return {
    sandbox_mode: { label: translate('mode') },
    whitelist_recipient_rules: { label: translate('rules'), format: describeRules },
  };
}

function describeRules(rules: unknown): string {
  if (!Array.isArray(rules)) return '';
  return rules
    .map((rule: Rule) =>
      rule.active ? recipientOf(rule) : translate('rule.off', { recipient: recipientOf(rule) }),
    )
    .join(', ');
}
