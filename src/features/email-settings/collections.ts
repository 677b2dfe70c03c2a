/** What a submitted body makes of the four collections: their rules beyond shape, and the fields that are kept. */
import { AppError, type Issue } from '../../errors/app-error.ts';
import { ruleBroken } from '../../errors/platform-errors.ts';
import { type BodyCheck, check, checkEach } from '../../http/body-checks.ts';
import { domainOf, isAddress, normalizeAddress } from '../../mail/address.ts';
import { DUPLICATE_SENDER_IDENTITY, invalidSenders } from './errors.ts';
import type {
  AdditionalFields,
  SenderIdentity,
  SettingsReplace,
  SubscriptionType,
  WhitelistRule,
} from './schema.ts';
import { normalizeDomain } from './sending-domains/domain-name.ts';

const MAX_FIELD_NAME = 100;

/** The collections that every replace submits whole. */
export interface Collections {
  readonly sender_identities: readonly SenderIdentity[];
  readonly whitelist_recipient_rules: readonly WhitelistRule[];
  readonly subscription_types: readonly SubscriptionType[];
  readonly subscriber_additional_fields: AdditionalFields;
}

/** The rules for the collections beside their schema. */
export const COLLECTION_CHECKS: readonly BodyCheck<SettingsReplace>[] = [
  checkEach('sender_identities', identityIssues),
  checkEach('whitelist_recipient_rules', ruleIssues),
  check(['subscriber_additional_fields'], ({ subscriber_additional_fields }) =>
    Object.keys(subscriber_additional_fields).flatMap(fieldNameIssues),
  ),
];

/**
 * The collections to store, without unknown fields and white space around addresses.
 * @throws AppError DUPLICATE_SENDER_IDENTITY, or VALIDATION_ERROR for a subscription type that is given twice.
 */
export function readCollections(body: SettingsReplace): Collections {
  const collections = {
    sender_identities: body.sender_identities.map(toIdentity),
    whitelist_recipient_rules: body.whitelist_recipient_rules.map(toRule),
    subscription_types: body.subscription_types.map(toSubscriptionType),
    subscriber_additional_fields: Object.fromEntries(
      Object.entries(body.subscriber_additional_fields).map(([name, field]) => [name, toField(field)]),
    ),
  };
  refuseDuplicates(collections);
  return collections;
}

/** @throws AppError INVALID_SENDER_IDENTITY naming every identity whose domain is not among the verified ones. */
export function requireVerifiedSenders(
  identities: readonly SenderIdentity[],
  verified: ReadonlySet<string>,
): void {
  const fields = identities.flatMap(({ from_email_address }, index) =>
    verified.has(domainOf(from_email_address)) ? [] : [`sender_identities[${index}].from_email_address`],
  );
  if (fields.length > 0) throw invalidSenders(fields);
}

/** Whether mail may go to the address in sandbox mode: an active rule names it or its domain. */
export function isWhitelisted(
  settings: { readonly whitelist_recipient_rules: readonly WhitelistRule[] },
  address: string,
): boolean {
  const normal = normalizeAddress(address);
  const domain = domainOf(normal);
  return settings.whitelist_recipient_rules.some(
    ({ active, email_address, domain_name }) =>
      active &&
      ((email_address !== undefined && normalizeAddress(email_address) === normal) ||
        (domain_name !== undefined && normalizeDomain(domain_name) === domain)),
  );
}

function refuseDuplicates({ sender_identities, subscription_types }: Collections): void {
  const addresses = sender_identities.map((identity) => normalizeAddress(identity.from_email_address));
  const twice = secondPlace(addresses);
  if (twice >= 0) {
    const field = `sender_identities[${twice}].from_email_address`;
    throw new AppError(DUPLICATE_SENDER_IDENTITY, { issues: [{ field, message: 'is given twice' }] });
  }
  const again = secondPlace(subscription_types.map(({ id }) => id));
  if (again >= 0) throw ruleBroken(`subscription_types[${again}].id`, 'is given twice');
}

/** Where a value stands for the second time; -1 when all differ. */
function secondPlace(values: readonly string[]): number {
  const seen = new Set<string>();
  return values.findIndex((value) => seen.size === seen.add(value).size);
}

function identityIssues(given: SenderIdentity, place: string): Issue[] {
  const { from_email_address, reply_to } = toIdentity(given);
  const message = 'must be an e-mail address';
  const issues: Issue[] = [];
  if (!isAddress(from_email_address)) issues.push({ field: `${place}.from_email_address`, message });
  if (reply_to !== '' && !isAddress(reply_to)) issues.push({ field: `${place}.reply_to`, message });
  return issues;
}

function ruleIssues(given: WhitelistRule, place: string): Issue[] {
  const { email_address, domain_name } = toRule(given);
  if ((email_address === undefined) === (domain_name === undefined))
    return [{ field: place, message: 'must have either email_address or domain_name' }];
  if (email_address !== undefined && !isAddress(email_address))
    return [{ field: `${place}.email_address`, message: 'must be an e-mail address' }];
  if (domain_name !== undefined && normalizeDomain(domain_name) === null)
    return [{ field: `${place}.domain_name`, message: 'must be a domain name' }];
  return [];
}

function fieldNameIssues(name: string): Issue[] {
  if (name !== '' && name.length <= MAX_FIELD_NAME) return [];
  const message = `must have names of 1 to ${MAX_FIELD_NAME} characters`;
  return [{ field: 'subscriber_additional_fields', message }];
}

function toIdentity(given: SenderIdentity): SenderIdentity {
  const { from_name, from_email_address, reply_to, company_address, city, nickname } = given;
  return {
    from_name,
    from_email_address: from_email_address.trim(),
    reply_to: reply_to.trim(),
    ...(company_address === undefined ? {} : { company_address }),
    ...(city === undefined ? {} : { city }),
    nickname,
  };
}

function toRule({ email_address, domain_name, active }: WhitelistRule): WhitelistRule {
  return {
    ...(email_address === undefined ? {} : { email_address: email_address.trim() }),
    ...(domain_name === undefined ? {} : { domain_name: domain_name.trim() }),
    active,
  };
}

function toSubscriptionType({ id, name, description, active }: SubscriptionType): SubscriptionType {
  return { id, name, description, active };
}

function toField(given: AdditionalFields[string]): AdditionalFields[string] {
  const { label, type, order, group, field_width_percent } = given;
  return {
    label,
    type,
    order,
    ...(group === undefined ? {} : { group }),
    ...(field_width_percent === undefined ? {} : { field_width_percent }),
  };
}
