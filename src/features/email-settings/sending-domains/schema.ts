import Type, { type Static } from 'typebox';

const Check = Type.Enum(['pending', 'valid', 'invalid']);

const check = (description: string) => Type.Unsafe<CheckStatus>({ ...Check, description });

/** Results of the checks of a domain. */
export const DomainStatus = Type.Object(
  {
    dkim_status: check('The DKIM record has the signing key.'),
    spf_status: check('The only SPF record includes this installation.'),
    cname_status: check('The CNAME for bounces points to this installation.'),
    mx_status: check('The domain has MX records.'),
    dmarc_status: check('The domain or its parent has a DMARC policy.'),
    compliance_status: check('DKIM, SPF and DMARC together, as large mailbox providers require.'),
    abuse_at_status: check('Mail to abuse@ is read; set by an operator.'),
    postmaster_at_status: check('Mail to postmaster@ is read; set by an operator.'),
    verification_mailbox_status: check('A mailbox of the domain responds; set by an operator.'),
    ownership_verified: Type.Boolean({
      description: 'True if the domain may send: its DKIM record is valid, or an operator vouches for it.',
    }),
  },
  { title: 'DomainStatus', description: '`pending` until the record was found.' },
);

/** A record to publish. */
export const DnsRecord = Type.Object(
  {
    type: Type.Enum(['TXT', 'CNAME', 'MX']),
    name: Type.String({ description: 'Fully qualified, without trailing dot.' }),
    value: Type.String({ description: 'Split TXT values over 255 characters into several strings.' }),
    purpose: Type.String(),
    found: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Values that the check found in its place, at most 10. Only in the response to the check, and only if the DNS answered.',
      }),
    ),
  },
  { title: 'DnsRecord' },
);

/** Result of a DNS check. */
export type CheckStatus = Static<typeof Check>;
/** The status of each check of a sending domain. */
export type DomainStatus = Static<typeof DomainStatus>;
/** A DNS record that the tenant has to publish. */
export type DnsRecord = Static<typeof DnsRecord>;
