/** Rules of the four collections of the settings beyond their schema, and the whitelist of sandbox mode. */

import { AppError, type ErrorDefinition, type Issue } from '../../errors/app-error.ts';
import { VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { type BodyCheck, check, checkEach } from '../../http/body-checks.ts';
import { domainOf, isAddress, normalizeAddress } from '../../mail/address.ts';
import { normalizeDomain } from '../../mail/domain-name.ts';
import { DUPLICATE_SENDER_IDENTITY, invalidSenders } from './errors.ts';
import type { SettingsReplace } from './resource.ts';
import type { SenderIdentity, SubscriptionType, WhitelistRule } from './schema.ts';
import type { SendingDomainItem } from './sending-domains/resource.ts';
import { verifiedDomainNames } from './sending-domains/senders.ts';

const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/;

/** Rules of the collections beyond their schema. */
export const COLLECTION_CHECKS: readonly BodyCheck<SettingsReplace>[] = [
  checkEach('sender_identities', identityIssues),
  checkEach('whitelist_recipient_rules', ruleIssues),
  check(['subscriber_additional_fields'], ({ subscriber_additional_fields }) =>
    Object.keys(subscriber_additional_fields).flatMap(fieldNameIssues),
  ),
];

/**
 * Returns the body with trimmed addresses.
 * @throws AppError DUPLICATE_SENDER_IDENTITY, or VALIDATION_ERROR for a repeated subscription type.
 */
export function readCollections(body: SettingsReplace): SettingsReplace {
  const addresses = body.sender_identities.map((identity) => normalizeAddress(identity.from_email_address));
  requireDistinct(addresses, 'sender_identities', 'from_email_address', DUPLICATE_SENDER_IDENTITY);
  requireDistinctTypes(body.subscription_types);
  return {
    ...body,
    sender_identities: body.sender_identities.map((each) => trimmed(each, 'from_email_address', 'reply_to')),
    whitelist_recipient_rules: body.whitelist_recipient_rules.map((each) =>
      trimmed(each, 'email_address', 'domain_name'),
    ),
  };
}

/** Requires subscription types with distinct ids. @throws AppError VALIDATION_ERROR naming the first repeated one. */
export function requireDistinctTypes(types: readonly SubscriptionType[]): void {
  requireDistinct(
    types.map(({ id }) => id),
    'subscription_types',
    'id',
  );
}

/** Requires distinct values. @throws AppError of `error` naming the first repeated item of the collection. */
export function requireDistinct(
  values: readonly string[],
  collection: string,
  name: string,
  error: ErrorDefinition = VALIDATION_ERROR,
): void {
  const seen = new Set<string>();
  const repeated = values.findIndex((value) => seen.size === seen.add(value).size);
  if (repeated < 0) return;
  const field = `${collection}[${repeated}].${name}`;
  throw new AppError(error, { issues: [{ field, message: 'is repeated' }] });
}

/** Requires verified domains. @throws AppError INVALID_SENDER_IDENTITY naming each identity without one. */
export function requireVerifiedSenders(
  identities: readonly SenderIdentity[],
  domains: readonly SendingDomainItem[],
): void {
  const verified = new Set(verifiedDomainNames(domains));
  const fields = identities.flatMap(({ from_email_address }, index) =>
    verified.has(domainOf(from_email_address)) ? [] : [`sender_identities[${index}].from_email_address`],
  );
  if (fields.length > 0) throw invalidSenders(fields);
}

/** True if an active rule allows mail to the address in sandbox mode. */
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

/** Returns a copy with some of its texts trimmed. */
function trimmed<T extends object>(record: T, ...names: readonly (keyof T)[]): T {
  const texts = names.flatMap((name) => {
    const text = record[name];
    return typeof text === 'string' ? [[name, text.trim()]] : [];
  });
  return { ...record, ...Object.fromEntries(texts) };
}

function identityIssues(identity: SenderIdentity, path: string): Issue[] {
  const { from_email_address, reply_to } = trimmed(identity, 'from_email_address', 'reply_to');
  const message = 'must be a valid email address';
  const issues: Issue[] = [];
  if (!isAddress(from_email_address)) issues.push({ field: `${path}.from_email_address`, message });
  if (reply_to !== '' && !isAddress(reply_to)) issues.push({ field: `${path}.reply_to`, message });
  return issues;
}

function ruleIssues(rule: WhitelistRule, path: string): Issue[] {
  const { email_address, domain_name } = trimmed(rule, 'email_address', 'domain_name');
  if ((email_address === undefined) === (domain_name === undefined))
    return [{ field: path, message: 'must have either email_address or domain_name' }];
  if (email_address !== undefined && !isAddress(email_address))
    return [{ field: `${path}.email_address`, message: 'must be a valid email address' }];
  if (domain_name !== undefined && normalizeDomain(domain_name) === null)
    return [{ field: `${path}.domain_name`, message: 'must be a domain name' }];
  return [];
}

/** Checks the name of an additional field, which filters use as a path. */
function fieldNameIssues(name: string): Issue[] {
  if (FIELD_NAME.test(name)) return [];
  return [
    {
      field: 'subscriber_additional_fields',
      message: 'must have names of 1 to 64 letters, digits and underscores (A-Z, a-z, 0-9, _)',
    },
  ];
}
