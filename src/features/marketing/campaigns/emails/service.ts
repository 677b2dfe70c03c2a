import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../../errors/app-error.ts';
import { INVALID_STATUS } from '../../../../errors/platform-errors.ts';
import { type BodyCheck, check } from '../../../../http/body-checks.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { isAddress, sendableAddress } from '../../../../mail/address.ts';
import { type Columns, columnsOf } from '../../../../resources/body.ts';
import { isTime, readOperands } from '../../../../resources/filter-values.ts';
import { answerAllWithTotal, answerSortedPage } from '../../../../resources/large-lists.ts';
import { readListQuery, requestsPage } from '../../../../resources/list-queries.ts';
import { requireRole } from '../../../../resources/ownership.ts';
import {
  createRecord,
  deleteRecord,
  findRecord,
  getRecord,
  lockRecord,
  replaceRecord,
} from '../../../../resources/records.ts';
import { optionsOf } from '../../../../resources/route-parts.ts';
import { readForUpdate } from '../../../../resources/updates.ts';
import type { Role } from '../../../../tenancy/caller.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { findRecipientGroupIssues } from '../../../contacts/api.ts';
import { getEmailSettings } from '../../../email-settings/api.ts';
import { findTemplateToSend, sendingFigures, sendings } from '../../../mail/api.ts';
import { EMAIL_NOT_FOUND, invalidCampaign } from '../errors.ts';
import { type EmailFigures, NO_FIGURES, ratesOf } from '../figures/metrics.ts';
import { type CampaignRow, campaigns } from '../resource.ts';
import { findJobIds, lockCampaign } from './queries.ts';
import {
  type EmailCreate,
  type EmailReplace,
  type EmailRow,
  type EmailStatus,
  type EmailView,
  emails,
} from './resource.ts';
import type { EmailListQuery, EmailWithMetrics, EmailWithProblem } from './schema.ts';

/** Statuses that callers can set. */
const SETTABLE: ReadonlySet<string> = new Set(['Draft', 'Ready', 'Scheduled']);
/** Statuses in which an email can be changed. */
const WRITABLE: readonly EmailStatus[] = ['Draft', 'Ready', 'Scheduled'];
const DELETABLE: readonly EmailStatus[] = ['Draft', 'Ready', 'Cancelled'];

/** Checks of a body beyond its schema. */
export const EMAIL_CHECKS: readonly BodyCheck<EmailReplace>[] = [
  check(['sent_date'], ({ sent_date }) =>
    (sent_date ?? null) === null || isTime(sent_date)
      ? []
      : [{ field: 'sent_date', message: 'must be an ISO 8601 date or time' }],
  ),
  check(['from_email'], ({ from_email }) =>
    !from_email || isAddress(sendableAddress(from_email))
      ? []
      : [{ field: 'from_email', message: 'must be a valid email address' }],
  ),
];

/** An email with its campaign. */
export interface EmailInCampaign {
  readonly campaign: CampaignRow;
  readonly email: EmailRow;
}

/** Returns an email of a campaign. @throws AppError CAMPAIGN_NOT_FOUND, EMAIL_NOT_FOUND. */
export async function findEmail(
  { db }: Pick<MemberContext, 'db'>,
  code: string,
  id: string,
): Promise<EmailInCampaign> {
  const campaign = await getRecord(db, campaigns, code);
  const email = await findRecord(db, emails, id);
  if (email === null || email.campaign_code !== code) throw new AppError(EMAIL_NOT_FOUND);
  return { campaign, email };
}

/** Locks an email for a write that needs `role`. @throws AppError as `findEmail`, FORBIDDEN. */
export async function lockEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  role: Role,
): Promise<EmailInCampaign> {
  await getLockedCampaign(ctx.db, code);
  const { campaign } = await findEmail(ctx, code, id);
  return { campaign, email: await lockRecord(ctx, emails, id, role) };
}

/** Returns a campaign and share-locks it against deletion. @throws AppError CAMPAIGN_NOT_FOUND. */
async function getLockedCampaign(tx: ScopedDb, code: string): Promise<CampaignRow> {
  await lockCampaign(tx, code);
  return getRecord(tx, campaigns, code);
}

/** Creates a 409 with the current status and the `next` step. */
export function invalidStatus({ status }: Pick<EmailRow, 'status'>, next?: string): AppError {
  const fault = `The email has the status ${status}, which does not allow this.`;
  return new AppError(INVALID_STATUS, { message: next === undefined ? fault : `${fault} ${next}` });
}

/** Adds an email to a campaign. @throws AppError CAMPAIGN_NOT_FOUND, FORBIDDEN, INVALID_CAMPAIGN. */
export async function createEmail(
  ctx: MemberContext,
  code: string,
  body: EmailCreate,
): Promise<{ id: string; campaign_code: string; created_at: string }> {
  const campaign = await getLockedCampaign(ctx.db, code);
  requireRole(ctx.caller, campaign.owner_bu_id, 'editor');
  await requireValidReferences(ctx, body, null);
  const columns = {
    ...columnsOf(emails.fields, 'create', body),
    ...normalizedColumns(body),
    campaign_code: code,
    job_id: uuidv7(),
  };
  const { id, created_at } = await createRecord(ctx, emails, columns, { ownerId: campaign.owner_bu_id });
  return { id, campaign_code: code, created_at };
}

/** Returns the body that restores a deleted email: as a draft, unless it was Ready, so that nothing is sent twice. */
export function restorableEmail(
  version: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return version.status === 'Ready'
    ? version
    : { ...version, status: 'Draft', sent_date: null, cancel_reason: null };
}

/** Returns an email for an update. @throws AppError as `findEmail`, FORBIDDEN. */
export async function getEmailForUpdate(ctx: MemberContext, code: string, id: string): Promise<EmailView> {
  await findEmail(ctx, code, id);
  return readForUpdate(ctx, emails, id);
}

/**
 * Replaces an email. After a sending with failed messages, only its content can change.
 * @throws AppError as `lockEmail`, INVALID_CAMPAIGN, INVALID_STATUS, VERSION_CONFLICT.
 */
export async function replaceEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  body: EmailReplace,
): Promise<{ id: string; updated_at: string }> {
  const { email } = await lockEmail(ctx, code, id, 'editor');
  const isRepair = email.status === 'Sent' && (await isRepairable(ctx.db, email, body));
  if (body.status !== undefined && !SETTABLE.has(body.status) && !isRepair) {
    const message = `must be one of ${[...SETTABLE].join(', ')}; the platform sets other statuses`;
    throw invalidCampaign([{ field: 'status', message }]);
  }
  if (!WRITABLE.includes(email.status) && !isRepair) throw invalidStatus(email);
  await requireValidReferences(ctx, body, email);
  const columns = {
    ...columnsOf(emails.fields, 'replace', body),
    ...normalizedColumns(body),
    ...(isRepair ? { status: email.status, sent_date: email.sent_date } : {}),
  };
  const { updated_at } = await replaceRecord(ctx, emails, id, columns, optionsOf(emails, body));
  return { id, updated_at };
}

/**
 * Returns true if `body` may change a sent email: some messages could not be rendered, and its recipients do not
 * change.
 * @throws AppError INVALID_STATUS.
 */
async function isRepairable(db: ScopedDb, email: EmailRow, body: EmailReplace): Promise<boolean> {
  if (!(await sendings.countUnbuilt(db, [email.job_id])).has(email.job_id)) return false;
  const { status = 'Sent', list_ids = [], audience_ids = [], subscription_type_id = null } = body;
  const isSame = (requested: readonly string[], stored: readonly string[]) =>
    requested.join() === stored.join();
  if (
    status === 'Sent' &&
    isSame(list_ids, email.list_ids) &&
    isSame(audience_ids, email.audience_ids) &&
    subscription_type_id === email.subscription_type_id
  )
    return true;
  const message =
    'The email is Sent: only its texts, subject and sender can change, for the messages that could not be rendered.';
  throw new AppError(INVALID_STATUS, { message });
}

/** Deletes an email; its history stays. @throws AppError as `lockEmail`, INVALID_STATUS. */
export async function deleteEmail(ctx: MemberContext, code: string, id: string): Promise<{ id: string }> {
  const { email } = await lockEmail(ctx, code, id, 'admin');
  if (!DELETABLE.includes(email.status)) throw invalidStatus(email);
  await deleteRecord(ctx, emails, id);
  return { id };
}

/** Lists the emails of a campaign: all, newest first, or the requested page. @throws AppError CAMPAIGN_NOT_FOUND. */
export async function listEmails({ db }: MemberContext, code: string, query: Static<typeof EmailListQuery>) {
  await getRecord(db, campaigns, code);
  const filters = { campaign_code: { operation: 'eq', value: code } };
  if (!requestsPage(query))
    return answerAllWithTotal(db, emails, { filters }, async (rows) => {
      const metrics = await metricsOfSendings(
        db,
        rows.map(({ job_id }) => job_id),
      );
      return ({ job_id }) => ({ metrics: metrics(job_id) });
    });
  return answerSortedPage(
    db,
    emails,
    { ...readListQuery(query), filters },
    {
      names: ['metrics'],
      of: async (ids) => {
        const jobs = await findJobIds(db, ids);
        const metrics = await metricsOfSendings(db, [...jobs.values()]);
        return ids.map((id) => ({ metrics: metrics(jobs.get(id) ?? '') }));
      },
    },
  );
}

/** Reads the figures of sendings. */
async function metricsOfSendings(db: ScopedDb, jobIds: readonly string[]) {
  const figures = await sendingFigures.countSendings(db, jobIds);
  const failed = await sendings.countUnbuilt(db, jobIds);
  return (jobId: string): EmailWithMetrics['metrics'] => ({
    ...publicFigures(figures.get(jobId) ?? NO_FIGURES),
    failed: failed.get(jobId) ?? 0,
  });
}

/** Returns an email with its content, figures and rates. @throws AppError as `findEmail`. */
export async function getEmail(ctx: MemberContext, code: string, id: string): Promise<EmailWithProblem> {
  const { email } = await findEmail(ctx, code, id);
  const figures =
    (await sendingFigures.countSendings(ctx.db, [email.job_id])).get(email.job_id) ?? NO_FIGURES;
  const failed = (await sendings.countUnbuilt(ctx.db, [email.job_id])).get(email.job_id) ?? 0;
  return {
    ...emails.view(email),
    metrics: figuresWithRates(figures, failed),
    sending_problem: await problemOf(ctx.db, email),
  };
}

/** Figures and rates of a single email. */
export function figuresWithRates(figures: EmailFigures, failed: number): EmailWithMetrics['metrics'] {
  const { open_rate, click_rate, unsubscribe_rate } = ratesOf(figures);
  return { ...publicFigures(figures), failed, open_rate, click_rate, unsubscribe_rate };
}

/** Returns why messages of the email wait or have failed. */
function problemOf(db: ScopedDb, { status, job_id: jobId }: EmailRow): Promise<string | null> {
  const isBegun = status === 'Sending' || status === 'Sent';
  return isBegun ? sendings.findSendingProblem(db, jobId) : Promise.resolve(null);
}

/** Returns the figures of the API, without those that are only used for calculations. */
function publicFigures({ delivered, opened, clicked, unsubscribed, bounced }: EmailFigures): EmailFigures {
  return { delivered, opened, clicked, unsubscribed, bounced };
}

/** Copies an email as a draft into a campaign. @throws AppError as `findEmail`, FORBIDDEN, CAMPAIGN_NOT_FOUND. */
export async function cloneEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  targetCode: string,
): Promise<{ id: string; campaign_code: string; name: string; status: EmailStatus; created_at: string }> {
  const { email } = await findEmail(ctx, code, id);
  const target = await getLockedCampaign(ctx.db, targetCode);
  const columns = {
    ...columnsOf(emails.fields, 'create', email),
    status: 'Draft',
    sent_date: null,
    campaign_code: target.code,
    job_id: uuidv7(),
  };
  const copy = await createRecord(ctx, emails, columns, { ownerId: target.owner_bu_id });
  const { name, status, created_at } = copy;
  return { id: copy.id, campaign_code: target.code, name, status, created_at };
}

/** Columns that are stored in another form than in the body. */
function normalizedColumns({ sent_date, from_email, content }: EmailReplace): Columns {
  const read = typeof sent_date === 'string' ? readOperands('time', 'value', sent_date) : null;
  const { html = null, text = null, template_id = null } = content ?? {};
  return {
    ...(read !== null && 'operands' in read ? { sent_date: read.operands[0] } : {}),
    from_email: from_email ? sendableAddress(from_email) : null,
    content: { html, text, template_id },
  };
}

/** Checks the references of a body. @throws AppError INVALID_CAMPAIGN naming unknown groups, type and template. */
async function requireValidReferences(
  ctx: MemberContext,
  body: EmailReplace,
  stored: EmailRow | null,
): Promise<void> {
  const { list_ids = [], audience_ids = [], subscription_type_id: typeId, content } = body;
  const groups = await findRecipientGroupIssues(
    ctx.db,
    { lists: list_ids, audiences: audience_ids },
    { lists: stored?.list_ids ?? [], audiences: stored?.audience_ids ?? [] },
  );
  const issues: Issue[] = groups.map((issue) => ({ ...issue, field: groupField(issue.field ?? '') }));
  if (typeId) {
    const { subscription_types: types } = await getEmailSettings(ctx.db);
    if (!types.some(({ id }) => id === typeId))
      issues.push({ field: 'subscription_type_id', message: 'must reference an existing subscription type' });
  }
  const problem = content?.template_id ? await templateProblem(ctx, content.template_id) : null;
  if (problem !== null) issues.push({ field: 'content.template_id', message: problem });
  if (issues.length > 0) throw invalidCampaign(issues);
}

function groupField(field: string): string {
  return field.replace(/^lists/, 'list_ids').replace(/^audiences/, 'audience_ids');
}

async function templateProblem({ db }: MemberContext, templateId: string): Promise<string | null> {
  const found = await findTemplateToSend(db, templateId);
  if (found === null) return 'must reference an existing template';
  return found.template.transactional ? 'must not reference a transactional template' : null;
}
