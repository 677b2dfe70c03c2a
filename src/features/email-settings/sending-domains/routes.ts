import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { deleteOptions, readOptions, writeOptions } from '../area.ts';
import { SendingDomainReply } from './resource.ts';
import {
  createSendingDomain,
  deleteSendingDomain,
  listSendingDomains,
  lookUpDomain,
  prepareDomain,
  prepareVouch,
  verifySendingDomain,
  vouchForDomain,
} from './service.ts';

const params = Type.Object({ domain: Type.String() });
const DomainReply = Type.Object({ domain: Type.String() }, { title: 'DomainReply' });

/** Routes for sending domains, and for operators who vouch for them. */
export const domainRoutes: readonly Route[] = [
  defineRoute({
    ...readOptions,
    id: 'sending_domains.list',
    method: 'GET',
    path: '/api/email_settings/sending_domains',
    summary: 'Lists the sending domains, oldest first',
    reply: Type.Array(SendingDomainReply, { title: 'SendingDomainList' }),
    handler: (ctx) => listSendingDomains(ctx),
  }),
  defineRoute({
    ...writeOptions,
    id: 'sending_domains.create',
    method: 'POST',
    path: '/api/email_settings/sending_domains',
    summary: 'Adds a sending domain and creates its DKIM key',
    description:
      'Publish `dns_records`, then call verify. Without DNS, an operator can vouch for the domain. Requires the admin role on Default.',
    errors: [FORBIDDEN, VALIDATION_ERROR],
    body: Type.Object(
      { domain: Type.String({ description: 'Domain name, in Unicode or Punycode.' }) },
      { title: 'DomainCreate' },
    ),
    reply: SendingDomainReply,
    // Creating the key takes too long for a transaction.
    prepare: (ctx, { body }) => prepareDomain(ctx, body.domain),
    oneStatement: true,
    write: (ctx, _input, dkim) => createSendingDomain(ctx, dkim),
  }),
  defineRoute({
    ...writeOptions,
    id: 'sending_domains.verify',
    method: 'POST',
    path: '/api/email_settings/sending_domains/{domain}/verify',
    summary: 'Checks the DNS records of a sending domain',
    description:
      'A record whose DNS lookup takes over 5 s keeps its status. Requires the admin role on Default.',
    errors: [FORBIDDEN, NOT_FOUND],
    params,
    reply: SendingDomainReply,
    prepare: (ctx, { params }) => lookUpDomain(ctx, params.domain),
    write: (ctx, _input, checked) => verifySendingDomain(ctx, checked),
  }),
  defineRoute({
    ...deleteOptions,
    id: 'sending_domains.delete',
    method: 'DELETE',
    path: '/api/email_settings/sending_domains/{domain}',
    needsConfirmation: true,
    summary: 'Deletes a sending domain and its DKIM key',
    description: 'Requires the admin role on Default.',
    errors: [FORBIDDEN, NOT_FOUND],
    params,
    reply: DomainReply,
    oneStatement: true,
    write: (ctx, { params }) => deleteSendingDomain(ctx, params.domain),
  }),
  defineRoute({
    id: 'sending_domains.vouch',
    method: 'POST',
    path: '/admin/tenants/{code}/sending-domains',
    summary: "Vouches for a tenant's sending domain, or revokes that",
    description: 'Adds a missing domain. Vouching sets all checks to `valid`.',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND, VALIDATION_ERROR],
    params: Type.Object({ code: Type.String() }),
    body: Type.Object(
      {
        domain: Type.String(),
        verified: Type.Boolean({
          description: 'True: the operator vouches for the domain. False: resets all checks.',
        }),
      },
      { title: 'DomainVouch' },
    ),
    reply: DomainReply,
    prepare: (ctx, { params, body }) => prepareVouch(ctx, params.code, body),
    write: (ctx, _input, prepared) => vouchForDomain(ctx, prepared),
  }),
];
