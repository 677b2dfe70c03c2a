import Type, { type Static } from 'typebox';

const Check = Type.Enum(['pending', 'valid', 'invalid']);

const check = (description: string) =>
  Type.Unsafe<CheckStatus>({ ...Check, description: `${description} \`pending\` until it was found.` });

/** Results of the checks of a domain. */
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

export type CheckStatus = Static<typeof Check>;
export type DomainStatus = Static<typeof DomainStatus>;
export type DnsRecord = Static<typeof DnsRecord>;
