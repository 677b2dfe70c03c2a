import { type Expression, expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { Tables } from '../../../db/tables.ts';
import { NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { RowOf, TableOf, ViewOf } from '../../../resources/field-types.ts';
import { boolean, hidden, json, text, time } from '../../../resources/fields.ts';
import { pathKey } from '../../../resources/keys.ts';
import { requireDefaultAdmin } from '../../../resources/ownership.ts';
import { defineResource } from '../../../resources/resource.ts';
import { withMore } from '../../../resources/view.ts';
import { dateTime } from '../area.ts';
import { DnsRecord, DomainStatus } from './schema.ts';

const fields = {
  creation_time: { ...dateTime, column: 'created_at' } as const,
  domain: text(Type.String(), {}),
  is_default_bounce_domain: boolean(
    Type.Boolean({
      description: 'True for the first verified domain whose bounce CNAME points to this installation.',
    }),
    { writes: 'platform', computed: isDefaultBounceDomain },
  ),
  status: json(DomainStatus, { declared: true }),
  /** True if the operator vouches for the domain, which verifies it regardless of its records. */
  vouched: hidden(boolean(Type.Boolean(), {})),
  /** Start of the time in which the bounce CNAME has pointed to this installation; null if it does not. */
  bounces_since: hidden(time(Type.String(), { nullable: true })),
  /** When it was found to be verified no longer; null if it is verified, or never was. */
  unverified_since: hidden(time(Type.String(), { nullable: true })),
  dkim_selector: hidden(text(Type.String(), {})),
  /** DER of the SubjectPublicKeyInfo in base64, as published in DNS. */
  dkim_public_key: hidden(text(Type.String(), {})),
  /** PEM, encrypted for `<tenant>/<domain>`. */
  dkim_private_key: hidden(text(Type.String(), { listed: false })),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    sending_domains: TableOf<typeof fields>;
  }
}

/** A stored sending domain. */
export type SendingDomain = RowOf<typeof fields>;
/** A sending domain in the email settings. */
export type SendingDomainItem = ViewOf<typeof fields>;

/** The domains that a tenant sends from. */
export const sendingDomains = defineResource({
  title: 'SendingDomainItem',
  table: 'sending_domains',
  key: pathKey('domain', (domain) => domain !== ''),
  notFound: NOT_FOUND,
  guard: requireDefaultAdmin,
  duplicates: { sending_domains_pkey: () => ruleBroken('domain', 'already exists') },
  fields,
});

/** A sending domain with the records to publish. */
export interface SendingDomainView extends SendingDomainItem {
  readonly dns_records: DnsRecord[];
}

/** The schema of `SendingDomainView`. */
export const SendingDomainReply = Type.Unsafe<SendingDomainView>(
  withMore(
    sendingDomains.reply,
    { dns_records: Type.Array(DnsRecord, { description: 'DNS records to publish.' }) },
    'SendingDomain',
  ),
);

function isDefaultBounceDomain(table: string): Expression<boolean> {
  const first = expressionBuilder<Tables>()
    .selectFrom('sending_domains as other')
    .select('other.domain')
    .where('other.bounces_since', 'is not', null)
    .orderBy('other.bounces_since')
    .orderBy('other.domain')
    .limit(1);
  return sql`${sql.ref(`${table}.domain`)} is not distinct from ${first}`;
}
