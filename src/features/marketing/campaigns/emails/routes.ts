import { FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT } from '../../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { IdReply } from '../../../../http/schemas.ts';
import { listFacts } from '../../../../resources/list-order.ts';
import { keptMembers } from '../../../../resources/updates.ts';

import { CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND, INVALID_CAMPAIGN } from '../errors.ts';
import { EmailParams, InCampaignParams, MarketingEmailParams } from '../schema.ts';
import { emails } from './resource.ts';
import {
  CloneBody,
  CloneReply,
  EmailCreated,
  EmailList,
  EmailListQuery,
  EmailReplaced,
  EmailReply,
} from './schema.ts';
import {
  cloneEmail,
  createEmail,
  deleteEmail,
  EMAIL_CHECKS,
  getEmail,
  getEmailForUpdate,
  listEmails,
  replaceEmail,
} from './service.ts';

const area = { tag: 'Campaign emails', invalid: INVALID_CAMPAIGN } as const;
const notFound = [CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND];

/** Routes of the emails of a campaign (docs/specification/campaigns.md#campaign-email). */
export const emailRoutes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'campaign_emails.create',
    method: 'POST',
    path: '/api/campaigns/{campaign_code}/emails',
    summary: 'Adds an email to a campaign',
    access: 'editor',
    errors: [CAMPAIGN_NOT_FOUND, FORBIDDEN],
    params: InCampaignParams,
    body: emails.createBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: EMAIL_CHECKS,
    reply: EmailCreated,
    write: (ctx, { params, body }) => createEmail(ctx, params.campaign_code, body),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.list',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails',
    summary: 'Lists the emails of a campaign with figures, newest first',
    access: 'member',
    errors: [CAMPAIGN_NOT_FOUND],
    params: InCampaignParams,
    query: EmailListQuery,
    ...listFacts(emails),
    reply: EmailList,
    handler: (ctx, { params, query }) => listEmails(ctx, params.campaign_code, query),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.get',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails/{id}',
    summary: 'Reads an email with content and figures',
    access: 'member',
    errors: notFound,
    params: EmailParams,
    reply: EmailReply,
    handler: (ctx, { params }) => getEmail(ctx, params.campaign_code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.replace',
    method: 'PUT',
    path: '/api/campaigns/{campaign_code}/emails/{id}',
    summary: 'Updates an email before it is sent',
    access: 'editor',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT],
    params: EmailParams,
    updates: {
      current: (ctx, { params }) => getEmailForUpdate(ctx, params.campaign_code, params.id),
      keeps: keptMembers(emails),
    },
    body: emails.replaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: EMAIL_CHECKS,
    reply: EmailReplaced,
    write: (ctx, { params, body }) => replaceEmail(ctx, params.campaign_code, params.id, body),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.delete',
    method: 'DELETE',
    path: '/api/campaigns/{campaign_code}/emails/{id}',
    summary: 'Deletes an unsent email; its history stays readable',
    access: 'admin',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS],
    params: EmailParams,
    reply: IdReply,
    write: (ctx, { params }) => deleteEmail(ctx, params.campaign_code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.clone',
    method: 'POST',
    path: '/api/campaigns/{campaign_code}/emails/{marketing_email_id}/clone',
    summary: 'Copies an email into a campaign as a draft',
    access: 'editor',
    errors: [...notFound, FORBIDDEN],
    params: MarketingEmailParams,
    body: CloneBody,
    reply: CloneReply,
    write: (ctx, { params, body }) =>
      cloneEmail(ctx, params.campaign_code, params.marketing_email_id, body.target_campaign_code),
  }),
];
