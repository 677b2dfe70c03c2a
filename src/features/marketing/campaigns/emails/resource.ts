import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf, ViewOf } from '../../../../resources/field-types.ts';
import {
  hidden,
  id,
  integer,
  json,
  moment,
  owner,
  text,
  time,
  uuid,
  version,
} from '../../../../resources/fields.ts';
import { uuidKey } from '../../../../resources/keys.ts';
import { defineResource } from '../../../../resources/resource.ts';
import { EMAIL_NOT_FOUND } from '../errors.ts';

/** Status of an email (docs/specification/campaigns.md#states). */
export const EmailStatus = Type.Enum(['Draft', 'Ready', 'Scheduled', 'Sending', 'Sent', 'Cancelled']);
/** Status of an email. */
export type EmailStatus = Static<typeof EmailStatus>;

const Part = Type.Optional(nullable(Type.String()));

/** Content of an email: its own texts, or a template. */
export const EmailContent = Type.Object(
  {
    html: Part,
    text: Part,
    template_id: Type.Optional(
      nullable(Type.String({ description: 'Sends the version that is active when sending starts.' })),
    ),
  },
  { title: 'CampaignEmailContent' },
);
/** Content of an email. */
export type EmailContent = Static<typeof EmailContent>;

/** Largest number of lists, and of audiences, of one email. */
const MAX_GROUPS = 100;
const GroupIds = Type.Array(Type.String(), { maxItems: MAX_GROUPS });

const fields = {
  id,
  campaign_code: text(Type.String(), { writes: 'platform', filter: true }),
  name: text(Type.String({ minLength: 1, maxLength: 500 }), { filter: true, search: true }),
  description: text(Type.String({ maxLength: 2000 }), { nullable: true }),
  subject: text(Type.String({ minLength: 1, maxLength: 2000, description: "Default: the template's." }), {}),
  target_subscribers_count: integer(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), { nullable: true }),
  status: text(EmailStatus, { default: 'Draft', keeps: true }),
  sent_date: time(Type.String({ description: 'Planned or actual send time: ISO 8601 date or time.' }), {
    nullable: true,
    keeps: true,
  }),
  content: json(EmailContent, { nullable: true, whenNull: {}, declared: true, listed: false }),
  from_email: text(Type.String({ description: "On a verified domain. Default: the template's." }), {
    nullable: true,
  }),
  from_name: text(Type.String({ maxLength: 200, pattern: '^[^\\r\\n]*$' }), { nullable: true }),
  list_ids: json(GroupIds, { default: [], declared: true }),
  audience_ids: json(GroupIds, { default: [], declared: true }),
  subscription_type_id: text(Type.String(), { nullable: true }),
  cancel_reason: text(Type.String(), {
    nullable: true,
    writes: 'platform',
  }),
  business_unit: owner,
  version,
  created_at: moment,
  updated_at: moment,
  job_id: hidden(uuid(Type.String(), { writes: 'platform' })),
};

const jobFields = {
  id,
  marketing_email_id: uuid(Type.String(), { writes: 'platform' }),
  status: text(Type.Enum(['freezing', 'sending', 'sent', 'cancelled']), { writes: 'platform' }),
  recipients: integer(Type.Integer({ description: 'Messages written so far.' }), { writes: 'platform' }),
  business_unit: owner,
  version,
  created_at: moment,
  updated_at: moment,
  /** Ids of the lists and audiences when sending began. */
  groups: hidden(json(GroupIds, { declared: true, writes: 'platform' })),
  /** Id of the last processed subscriber; null before the first batch. */
  frozen_to: hidden(uuid(Type.String(), { nullable: true, writes: 'platform' })),
  /** Messages before this position have ended. */
  ended_to: hidden(integer(Type.Integer(), { writes: 'platform' })),
};

declare module '../../../../db/tables.ts' {
  interface Tables {
    marketing_emails: TableOf<typeof fields>;
    marketing_email_sending_jobs: TableOf<typeof jobFields>;
  }
}

/** A row of `marketing_emails`. */
export type EmailRow = RowOf<typeof fields>;
/** An email as the API returns it, without its figures. */
export type EmailView = ViewOf<typeof fields>;
/** Validated body of a create. */
export type EmailCreate = CreateOf<typeof fields>;
/** Validated body of a replace. */
export type EmailReplace = ReplaceOf<typeof fields>;
/** A row of `marketing_email_sending_jobs`. */
export type SendingJobRow = RowOf<typeof jobFields>;

/** Emails of campaigns; they belong to their campaign's unit. */
export const emails = defineResource({
  title: 'CampaignEmail',
  entityType: 'marketing_email',
  table: 'marketing_emails',
  key: uuidKey('id'),
  notFound: EMAIL_NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['name', 'updated_at'],
});

/** The sending of an email, from the audience snapshot to the last message. */
export const sendingJobs = defineResource({
  entityType: 'marketing_email_sending_job',
  table: 'marketing_email_sending_jobs',
  key: uuidKey('id'),
  notFound: EMAIL_NOT_FOUND,
  ownedByParent: true,
  fields: jobFields,
});
