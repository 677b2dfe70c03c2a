import Type, { type Static } from 'typebox';

const Check = Type.Enum(['pending', 'valid', 'invalid']);

const check = (description: string) =>
  Type.Unsafe<CheckStatus>({ ...Check, description: `${description} \`pending\` until it was found.` });

/** What the checks of a domain have shown. */
export const DomainStatus = Type.Object(
  {
    dkim_status: check('The DKIM record holds the key that mail is signed with.'),
    spf_status: check('The one SPF record names this installation.'),
    cname_status: check('The bounce name leads here.'),
    mx_status: check('The domain receives mail.'),
    dmarc_status: check('The domain, or the one it belongs to, has a DMARC policy.'),
    compliance_status: check('DKIM, SPF and DMARC together, which large mailbox providers ask for.'),
    abuse_at_status: check('Mail to abuse@ reaches somebody; only an operator can tell.'),
    postmaster_at_status: check('Mail to postmaster@ reaches somebody; only an operator can tell.'),
    verification_mailbox_status: check('A mailbox of the domain answers; only an operator can tell.'),
    ownership_verified: Type.Boolean({
      description: 'Whether the domain may send: its DKIM record is valid, or an operator vouches for it.',
    }),
  },
  { title: 'DomainStatus' },
);

const domainFields = {
  creation_time: Type.String({ format: 'date-time' }),
  domain: Type.String(),
  is_default_bounce_domain: Type.Boolean({
    description:
      'Whether bounces come back here: of the verified domains whose bounce name leads here, the first.',
  }),
  status: DomainStatus,
};

/** A sending domain as the settings show it. */
export const SendingDomainItem = Type.Object(domainFields, { title: 'SendingDomainItem' });

/** A record to publish. */
export const DnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT', 'CNAME', 'MX']),
    name: Type.String({ description: 'Fully qualified, without a dot at the end.' }),
    value: Type.String({ description: 'A TXT value over 255 characters is published in several strings.' }),
    purpose: Type.String(),
  },
  { title: 'DnsRecord' },
);

/** A sending domain with what its owner has to publish. */
export const SendingDomain = Type.Object(
  {
    ...domainFields,
    dns_records: Type.Array(DnsRecord, { description: 'What to publish in the DNS.' }),
  },
  { title: 'SendingDomain' },
);

/** All sending domains, the oldest first. */
export const SendingDomainList = Type.Array(SendingDomain);

/** The body of a create. */
export const DomainCreate = Type.Object(
  {
    domain: Type.String({ description: 'Domain name; an international one in either form.' }),
  },
  { title: 'DomainCreate' },
);

/** The body of the operator's create. */
export const DomainVouch = Type.Object(
  {
    domain: Type.String(),
    verified: Type.Boolean({
      description:
        'Whether the operator vouches for the domain; false takes it back and all checks begin anew.',
    }),
  },
  { title: 'DomainVouch' },
);

/** Names a sending domain. */
export const DomainParams = Type.Object({ domain: Type.String() });
/** Acknowledges a write. */
export const DomainReply = Type.Object({ domain: Type.String() }, { title: 'DomainReply' });

export type CheckStatus = Static<typeof Check>;
export type DomainStatus = Static<typeof DomainStatus>;
export type SendingDomainItem = Static<typeof SendingDomainItem>;
export type SendingDomainView = Static<typeof SendingDomain>;
export type DnsRecord = Static<typeof DnsRecord>;
