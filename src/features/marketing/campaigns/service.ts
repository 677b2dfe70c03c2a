import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../../errors/app-error.ts';
import { type BodyCheck, check } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { type Columns, columnsOf } from '../../../resources/body.ts';
import { withMembersOnly } from '../../../resources/chosen-members.ts';
import { isTime, readOperands } from '../../../resources/filter-values.ts';
import { addToDeleted, lastVersionOf } from '../../../resources/history.ts';
import { listOrdered, readWhole } from '../../../resources/lists.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  lockRecord,
  replaceRecord,
} from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { describeUses } from '../../../resources/uses.ts';
import { deleteEmailsOf } from './emails/deletion.ts';
import { findActiveEmails } from './emails/queries.ts';
import { CAMPAIGN_HAS_ACTIVE_EMAILS } from './errors.ts';
import { metricsOf } from './figures/metrics.ts';
import { type CampaignCreate, type CampaignReplace, type CampaignView, campaigns } from './resource.ts';
import type { CampaignList, CampaignMetrics, CampaignQuery } from './schema.ts';

/** Checks of a body beyond its schema. */
export const CAMPAIGN_CHECKS: readonly BodyCheck<CampaignReplace>[] = [
  check(['start_date'], ({ start_date }) => timeIssues('start_date', start_date)),
  check(['end_date'], ({ end_date }) => timeIssues('end_date', end_date)),
  check(['start_date', 'end_date'], ({ start_date, end_date }) =>
    isTime(start_date) && isTime(end_date) && momentOf(end_date ?? '') < momentOf(start_date)
      ? [{ field: 'end_date', message: 'must not be before start_date' }]
      : [],
  ),
];

function timeIssues(field: string, value: string | null | undefined): Issue[] {
  return (value ?? null) === null || isTime(value)
    ? []
    : [{ field, message: 'must be an ISO 8601 date or time' }];
}

/** Returns a validated time in UTC. */
function momentOf(text: string): string {
  const read = readOperands('time', 'value', text);
  return 'operands' in read ? String(read.operands[0]) : '';
}

/** Creates a campaign. @throws AppError DUPLICATE_CAMPAIGN_CODE, FORBIDDEN, BUSINESS_UNIT_REQUIRED. */
export async function createCampaign(
  ctx: MemberContext,
  body: CampaignCreate,
): Promise<{ code: string; id: string; created_at: string }> {
  const firstVersion = (await lastVersionOf(ctx.db, 'marketing_campaign', body.code)) + 1;
  const columns = {
    ...columnsOf(campaigns.fields, 'create', body),
    ...timeColumns(body),
    id: uuidv7(),
  };
  const { code, id, created_at } = await createRecord(ctx, campaigns, columns, {
    key: body.code,
    firstVersion,
    ...optionsOf(campaigns, body),
  });
  return { code, id, created_at };
}

/**
 * Replaces a campaign. @throws AppError CAMPAIGN_NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, OWNER_IMMUTABLE or
 * VERSION_CONFLICT.
 */
export async function replaceCampaign(
  ctx: MemberContext,
  code: string,
  body: CampaignReplace & { readonly code?: unknown },
): Promise<{ code: string; updated_at: string }> {
  const columns = { ...columnsOf(campaigns.fields, 'replace', body), ...timeColumns(body) };
  const setOnce = typeof body.code === 'string' ? { code: body.code } : {};
  const options = { ...optionsOf(campaigns, body), setOnce };
  const { updated_at } = await replaceRecord(ctx, campaigns, code, columns, options);
  return { code, updated_at };
}

function timeColumns({ start_date, end_date }: CampaignReplace): Columns {
  return { starts_at: momentOf(start_date), ends_at: end_date ? momentOf(end_date) : null };
}

/** Returns a campaign with its figures. @throws AppError CAMPAIGN_NOT_FOUND. */
export async function getCampaign(
  { db }: MemberContext,
  code: string,
): Promise<CampaignView & { metrics: CampaignMetrics }> {
  const campaign = await getRecord(db, campaigns, code);
  return { ...campaigns.view(campaign), metrics: await metricsOf(db, campaign) };
}

/**
 * Deletes a campaign with its emails. History keeps their last figures.
 * @throws AppError CAMPAIGN_NOT_FOUND, FORBIDDEN or CAMPAIGN_HAS_ACTIVE_EMAILS.
 */
export async function deleteCampaign(
  ctx: MemberContext,
  code: string,
): Promise<{ code: string; deleted: boolean }> {
  const campaign = await lockRecord(ctx, campaigns, code, 'admin');
  const active = await findActiveEmails(ctx.db, code);
  if (active.total > 0)
    throw new AppError(CAMPAIGN_HAS_ACTIVE_EMAILS, {
      message: `${CAMPAIGN_HAS_ACTIVE_EMAILS.message} In use by: ${describeUses(ctx.db, active)}.`,
    });
  const metrics = await metricsOf(ctx.db, campaign);
  await deleteEmailsOf(ctx, code);
  await deleteRecord(ctx, campaigns, code);
  await addToDeleted(ctx, 'marketing_campaign', 'metrics', new Map([[code, metrics]]));
  return { code, deleted: true };
}

/** Returns one page of campaigns, newest first. @throws AppError INVALID_REQUEST for unknown filters. */
export async function listCampaigns(
  { db }: MemberContext,
  { page = 1, fields: members, ...query }: CampaignQuery,
): Promise<Static<typeof CampaignList> | JsonText> {
  const { limit } = query;
  const shown = members === undefined ? campaigns : withMembersOnly(campaigns, members, []);
  const { rows, total, next } = await listOrdered(db, shown, { ...query, page, members }, readWhole);
  const metadata = {
    ...{ page, limit },
    ...(total === undefined ? {} : { total, total_pages: Math.ceil(total / limit) }),
    ...(next === undefined ? {} : { next }),
  };
  const answer = { results: rows.map(shown.listView), metadata };
  // The reply's schema requires what the request left out.
  return members === undefined ? answer : new JsonText(JSON.stringify(answer));
}
