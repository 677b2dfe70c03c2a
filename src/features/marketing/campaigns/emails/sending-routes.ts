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
import { cancelEmail, checkForSending, convertToDraft, processEmail } from './operations.ts';
import { describeRecipient, EmailRecipientStory } from './recipient-report.ts';
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
import { prepareTest, sendTestEmail } from './send-test.ts';

const area = { tag: 'Campaign e-mails', invalid: INVALID_CAMPAIGN } as const;
const absent = [CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND];
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
    summary: 'Sends an e-mail, or schedules it',
    access: 'editor',
    errors: [...absent, FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT],
    params: EmailParams,
    reply: ProcessReply,
    // The check renders the content in a thread, which a transaction must not wait for.
    prepare: (ctx, { params }) => checkForSending(ctx, params.campaign_code, params.id),
    write: (ctx, { params }, read) => processEmail(ctx, params.campaign_code, params.id, read),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.cancel',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/cancel',
    summary: 'Stops an e-mail that waits or goes out',
    access: 'editor',
    errors: [...absent, FORBIDDEN, INVALID_STATUS],
    params: CodeParams,
    reply: StatusChangeReply,
    write: (ctx, { params }) => cancelEmail(ctx, params.code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.convert_to_draft',
    method: 'GET',
    path: '/api/campaigns/{campaign_code}/emails/{id}/convert-to-draft',
    summary: 'Makes a draft of an e-mail that waits',
    access: 'editor',
    errors: [...absent, FORBIDDEN, INVALID_STATUS],
    params: EmailParams,
    reply: StatusChangeReply,
    write: (ctx, { params }) => convertToDraft(ctx, params.campaign_code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.test',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/test',
    summary: 'Sends an e-mail as it is to a few addresses, counted nowhere',
    description:
      'With the data of the oldest person it would reach, and `[Test]` before the subject. The answer has the problems and warnings of a preflight.',
    access: 'editor',
    rateLimit: RENDERINGS,
    errors: [...absent, FORBIDDEN, VERSION_CONFLICT],
    params: CodeParams,
    body: TestBody,
    checks: [
      checkEach('to', (address: string, place) =>
        isAddress(sendableAddress(address))
          ? []
          : [{ field: place, message: 'must be a valid email address' }],
      ),
    ],
    reply: TestReply,
    prepare: (ctx, { params }) => prepareTest(ctx, params.code, params.id),
    write: (ctx, { params, body }, read) => sendTestEmail(ctx, params.code, params.id, body.to, read),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.retry_failed',
    method: 'POST',
    path: '/api/campaigns/{code}/emails/{id}/retry-failed',
    summary: 'Sends an e-mail again to those whose messages could not be made',
    description:
      'Repair its content first. Whoever got the e-mail never gets it again. At most 50,000 messages in one call.',
    access: 'editor',
    errors: [...absent, FORBIDDEN, INVALID_STATUS, VERSION_CONFLICT],
    params: CodeParams,
    reply: RetryReply,
    prepare: (ctx, { params }) => prepareRetry(ctx, params.code, params.id),
    write: (ctx, { params }, read) => retryFailed(ctx, params.code, params.id, read),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.preflight',
    method: 'GET',
    path: '/api/campaigns/{code}/emails/{id}/preflight',
    summary: 'Counts whom an e-mail would reach, and lists what blocks sending it, without sending it',
    description: 'Renders it for a sample of its recipients. Problems block sending, warnings do not.',
    access: 'viewer',
    rateLimit: RENDERINGS,
    errors: absent,
    params: CodeParams,
    reply: PreflightReply,
    handler: (ctx, { params }) => preflight(ctx, params.code, params.id),
  }),
  defineRoute({
    ...area,
    id: 'campaign_emails.tell_story',
    method: 'GET',
    path: '/api/campaigns/{code}/emails/{id}/recipients/{recipient}',
    summary: 'Tells step by step what happened to the e-mail to one address',
    access: 'member',
    errors: [...absent, NOT_FOUND],
    params: EmailRecipientParams,
    reply: EmailRecipientStory,
    handler: (ctx, { params }) => describeRecipient(ctx, params.code, params.id, params.recipient),
  }),
];
