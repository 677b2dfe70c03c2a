import Type from 'typebox';
import {
  FORBIDDEN,
  INVALID_STATUS,
  NOT_FOUND,
  VERSION_CONFLICT,
} from '../../../../errors/platform-errors.ts';
import { checkEach } from '../../../../http/body-checks.ts';
import { RENDERINGS_PER_MINUTE } from '../../../../http/request-deadline.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { isAddress, sendableAddress } from '../../../../mail/address.ts';

import { CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND, INVALID_CAMPAIGN } from '../errors.ts';
import { preflight } from '../preflight/preflight.ts';
import { EmailParams } from '../schema.ts';
import { describeRecipient, EmailRecipientDetails } from './recipient-report.ts';
import { prepareRetry, retryFailed } from './retry.ts';
import {
  EmailRecipientParams,
  PreflightReply,
  ProcessReply,
  RetryReply,
  StatusChangeReply,
  TestBody,
  TestReply,
} from './schema.ts';
import { cancelEmail, checkForSending, convertToDraft, processEmail } from './status-changes.ts';
import { prepareTest, sendTestEmail } from './test-sending.ts';

const area = { tag: 'Campaign emails', invalid: INVALID_CAMPAIGN } as const;
const notFound = [CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND];
/** Rate limit of routes that render the email for many subscribers. */
const RENDERINGS = { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' } as const;
const CodeParams = Type.Object({ code: Type.String(), id: Type.String() });

/** Routes that send an email, cancel it, and report on it (docs/specification/campaigns.md#states). */
export const sendingRoutes: readonly Route[] = [
  defineRoute({
    ...area,
    id: 'campaign_emails.process',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails/{id}/process',
    summary: 'Sends or schedules an email',
    access: 'editor',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT],
    params: EmailParams,
    reply: ProcessReply,
    // The check renders the content in a thread, which a transaction must not wait for.
    prepare: (ctx, { params }) => checkForSending(ctx, params.campaign_code, params.id),
    write: (ctx, { params }, prepared) => processEmail(ctx, params.campaign_code, params.id, prepared),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.cancel',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/cancel',
    summary: 'Cancels a scheduled email or one being sent',
    access: 'editor',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS],
    params: CodeParams,
    reply: StatusChangeReply,
    write: (ctx, { params }) => cancelEmail(ctx, params.code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.convert_to_draft',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails/{id}/convert-to-draft',
    summary: 'Turns a scheduled email into a draft',
    access: 'editor',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS],
    params: EmailParams,
    reply: StatusChangeReply,
    write: (ctx, { params }) => convertToDraft(ctx, params.campaign_code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.test',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/test',
    summary: 'Sends a test email; not counted in figures',
    description:
      'Uses the data of its oldest recipient; the subject starts with `[Test]`. Returns preflight problems and warnings.',
    access: 'editor',
    rateLimit: RENDERINGS,
    errors: [...notFound, FORBIDDEN, VERSION_CONFLICT],
    params: CodeParams,
    body: TestBody,
    checks: [
      checkEach('to', (address: string, path) =>
        isAddress(sendableAddress(address))
          ? []
          : [{ field: path, message: 'must be a valid email address' }],
      ),
    ],
    reply: TestReply,
    prepare: (ctx, { params }) => prepareTest(ctx, params.code, params.id),
    write: (ctx, { params, body }, prepared) => sendTestEmail(ctx, params.code, params.id, body.to, prepared),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.retry_failed',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/retry-failed',
    summary: 'Retries messages that could not be rendered',
    description:
      'Fix the content first. No recipient gets the email twice. At most 50,000 messages per call.',
    access: 'editor',
    errors: [...notFound, FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT],
    params: CodeParams,
    reply: RetryReply,
    prepare: (ctx, { params }) => prepareRetry(ctx, params.code, params.id),
    write: (ctx, { params }, prepared) => retryFailed(ctx, params.code, params.id, prepared),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.preflight',
    method: 'GET',
    path: '/api/campaigns/{code}/emails/{id}/preflight',
    summary: 'Counts recipients and lists problems without sending',
    description: 'Renders the email for sample recipients. Problems block sending, warnings do not.',
    access: 'viewer',
    rateLimit: RENDERINGS,
    errors: notFound,
    params: CodeParams,
    reply: PreflightReply,
    handler: (ctx, { params }) => preflight(ctx, params.code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.tell_story',
    method: 'GET',
    path: '/api/campaigns/{code}/emails/{id}/recipients/{recipient}',
    summary: 'Reads the history of the email to one address',
    access: 'member',
    errors: [...notFound, NOT_FOUND],
    params: EmailRecipientParams,
    reply: EmailRecipientDetails,
    handler: (ctx, { params }) => describeRecipient(ctx, params.code, params.id, params.recipient),
  }),
];
