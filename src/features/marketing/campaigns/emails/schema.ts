import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';
import { listParameters } from '../../../../resources/list-queries.ts';
import { orderedPage, type PageReply } from '../../../../resources/paging.ts';
import { withMore } from '../../../../resources/view.ts';
import type { EmailFigures, Rates } from '../figures/metrics.ts';
import { PreflightEntry } from '../preflight/problems.ts';
import { EmailStatus, type EmailView, emails } from './resource.ts';

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer();
const OptionalRate = Type.Optional(Type.Number({ description: 'Only when reading one email.' }));

const Metrics = Type.Object(
  {
    delivered: Count,
    opened: Count,
    clicked: Count,
    unsubscribed: Count,
    bounced: Count,
    failed: Type.Integer({ description: 'Messages that could not be rendered.' }),
    open_rate: OptionalRate,
    click_rate: OptionalRate,
    unsubscribe_rate: OptionalRate,
  },
  { title: 'CampaignEmailMetrics' },
);

const SendingProblem = nullable(
  Type.String({
    description: 'Why messages wait or failed, such as a relay error; null if unknown.',
  }),
);

/** Reply to a create. */
export const EmailCreated = Type.Object(
  {
    id: Type.String(),
    campaign_code: Type.String(),
    created_at: Time,
  },
  { title: 'CampaignEmailCreated' },
);
/** Reply to a replace. */
export const EmailReplaced = Type.Object(
  { id: Type.String(), updated_at: Time },
  { title: 'CampaignEmailUpdated' },
);

/** An email with its figures. */
export type EmailWithMetrics = EmailView & {
  readonly metrics: EmailFigures & { readonly failed: number } & Partial<Rates>;
};

/** An email with its figures and its sending problem. */
export type EmailWithProblem = EmailWithMetrics & { readonly sending_problem: string | null };

/** An email with its content and figures. */
export const EmailReply = Type.Unsafe<EmailWithProblem>(
  withMore(emails.reply, { metrics: Metrics, sending_problem: SendingProblem }, 'CampaignEmailWithMetrics'),
);

/** Query of the emails of a campaign. */
export const EmailListQuery = Type.Object(listParameters);

/** Emails of a campaign: all of them, or a page. */
export const EmailList = Type.Unsafe<PageReply<object>>(
  orderedPage(withMore(emails.listReply, { metrics: Metrics }, 'CampaignEmailListItem')),
);

/** Target campaign of a clone. */
export const CloneBody = Type.Object(
  { target_campaign_code: Type.String() },
  { title: 'CampaignEmailClone' },
);
/** Reply to a clone. */
export const CloneReply = Type.Object(
  {
    id: Type.String(),
    campaign_code: Type.String(),
    name: Type.String(),
    status: EmailStatus,
    created_at: Time,
  },
  { title: 'CampaignEmailCloned' },
);

/** Reply to a change of the status. */
export const StatusChangeReply = Type.Object(
  {
    id: Type.String(),
    status: EmailStatus,
    previous_status: EmailStatus,
    updated_at: Time,
  },
  { title: 'CampaignEmailStatusChange' },
);
/** Reply to a process request. */
export const ProcessReply = Type.Object(
  {
    id: Type.String(),
    status: EmailStatus,
    job_id: Type.String(),
    estimated_completion: Time,
  },
  { title: 'CampaignEmailProcessed' },
);

/** Recipients of a test. */
export const TestBody = Type.Object(
  { to: Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'Email addresses.' }) },
  { title: 'CampaignEmailTest' },
);
/** Recipients of a test. */
export type TestBody = Static<typeof TestBody>;
const Entries = Type.Array(PreflightEntry);

/** Reply to a test. */
export const TestReply = Type.Object(
  {
    transactionId: Type.String(),
    problems: Entries,
    warnings: Entries,
  },
  { title: 'CampaignEmailTested' },
);
/** Reply to a retry. */
export const RetryReply = Type.Object(
  {
    id: Type.String(),
    recipients: Type.Integer({ description: 'Messages to retry.' }),
  },
  { title: 'CampaignEmailRetried' },
);

/** Result of a preflight. */
export const PreflightReply = Type.Object(
  {
    recipients: Count,
    excluded: Type.Object(
      {
        inactive: Count,
        unsubscribed: Count,
        suppressed: Count,
        sandbox: Count,
        duplicate: Count,
      },
      { title: 'PreflightExclusions' },
    ),
    problems: Entries,
    warnings: Entries,
  },
  { title: 'Preflight' },
);

/** Path of a recipient of an email. */
export const EmailRecipientParams = Type.Object({
  code: Type.String(),
  id: Type.String(),
  recipient: Type.String(),
});
