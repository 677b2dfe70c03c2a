import { AppError } from '../../../errors/app-error.ts';
import { isZone } from '../../../flows/time-zones.ts';
import type { Brand } from '../../../http/brand.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { findTenantBrand } from '../../../http/tenant-brand.ts';
import type { Platform } from '../../../platform.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  asSuspicious,
  type CheckedSubmission,
  checkSubmission,
  type SubmissionInput,
  storeSubmission,
} from '../form-submissions/index.ts';
import { findEmbeddedTheme } from '../form-themes/index.ts';
import {
  countUp,
  FORM_NOT_FOUND,
  type FormOfPage,
  findEmailQuestion,
  findEmbeddedForm,
  findFormOfPage,
  originsOf,
  type PostSubmitActionJson,
  tenantsOfForms,
} from '../forms/index.ts';
import { requireSolved } from './challenge.ts';
import { type EmbedPageData, isRecord } from './page-data.ts';
import { useChallenge } from './used-challenges.ts';

/** Maximum number of questions in a form that only signs visitors up: email address, two names and consent. */
const MAX_SIGN_UP_QUESTIONS = 4;

/** An active form, and access to its tenant's rows. */
export interface FormAccess<Form> {
  readonly form: Form;
  readonly db: ScopedDb;
}

/** Finds an active form with the data of its page. Without such a form, returns the brand of the tenant, if known. */
export async function openPage(
  platform: Platform,
  publicCode: string,
): Promise<FormAccess<FormOfPage> | { readonly form: null; readonly brand: Brand | undefined }> {
  const tenantId = await tenantsOfForms(platform).find(publicCode);
  const access = await openForm(platform, tenantId, publicCode, findFormOfPage);
  return access ?? { form: null, brand: (await findTenantBrand(platform, tenantId))?.brand };
}

/** Finds an active form with `find`; null if there is none. */
async function openForm<Form>(
  platform: Platform,
  tenantId: string | null,
  publicCode: string,
  find: (db: ScopedDb, publicCode: string) => Promise<Form | null>,
): Promise<FormAccess<Form> | null> {
  if (tenantId === null || closedTenants(platform).has(tenantId)) return null;
  const db = platform.scoped(wholeTenant(tenantId));
  const form = await find(db, publicCode);
  return form === null ? null : { form, db };
}

/** Returns the path prefix of the service's public URL, without a trailing slash. */
export function assetBase(platform: Platform): string {
  return new URL(platform.publicUrl()).pathname.replace(/\/+$/, '');
}

/**
 * Returns the data of the embed page and counts the view. A `themeCode` that is not a theme of the form's unit is
 * ignored.
 */
export async function viewForm(
  ctx: RequestContext,
  { form, db }: FormAccess<FormOfPage>,
  themeCode: string | undefined,
): Promise<Omit<EmbedPageData, 'language'>> {
  const requestedTheme =
    themeCode === undefined ? null : await findEmbeddedTheme(db, themeCode, form.owner_bu_id);
  const theme =
    requestedTheme ?? (form.theme_code === null ? null : await findEmbeddedTheme(db, form.theme_code));
  if (ctx.method === 'GET') await db.raw((tenantId) => countUp(tenantId, form, 'views'));
  return {
    public_code: form.public_code,
    name: form.name,
    formBuilderOptions: form.formBuilderOptions,
    email_question: findEmailQuestion(form.formBuilderOptions, form.email_question ?? undefined),
    theme,
    challenge: form.challenge,
    assetBase: assetBase(ctx.platform),
    purpose: isForSubscribing(form) ? 'subscribe' : 'send',
  };
}

/** Returns true if the form only signs visitors up as subscribers. */
function isForSubscribing({ subscriber_mapping: mapping, formBuilderOptions }: FormOfPage): boolean {
  if (!mapping?.enabled) return false;
  const { pages } = formBuilderOptions;
  const elements = (Array.isArray(pages) ? pages : []).flatMap((page: unknown) => {
    const list: unknown = isRecord(page) ? page.elements : [];
    return Array.isArray(list) ? list : [];
  });
  return elements.length <= MAX_SIGN_UP_QUESTIONS;
}

/** Returns an active form by its public code, and access to its tenant's rows. @throws AppError FORM_NOT_FOUND. */
export async function requireForm({ platform }: RequestContext, publicCode: string) {
  const tenantId = await tenantsOfForms(platform).find(publicCode);
  const access = await openForm(platform, tenantId, publicCode, findEmbeddedForm);
  if (access === null) throw new AppError(FORM_NOT_FOUND);
  return access;
}

/** Returns the origins whose pages may submit a form. @throws AppError FORM_NOT_FOUND. */
export async function originsOfForm(ctx: RequestContext, publicCode: string): Promise<string[]> {
  const { form } = await requireForm(ctx, publicCode);
  return originsOf(form.allowed_origins);
}

/** A validated submission of a visitor. */
export interface CheckedVisitorSubmission {
  readonly tenantId: string;
  readonly submission: CheckedSubmission;
  readonly actions: PostSubmitActionJson[];
  /** Seed of the solved challenge, which storing the submission marks as used; null if the form requires none. */
  readonly challenge: string | null;
}

/**
 * Validates a visitor's submission; messages are in `locale`. `website` is the honeypot field.
 * @throws AppError FORM_NOT_FOUND, CHALLENGE_REQUIRED, and the errors of `checkSubmission`.
 */
export async function prepareVisitorSubmission(
  ctx: RequestContext,
  publicCode: string,
  input: SubmissionInput & { readonly website?: unknown },
  locale?: string,
): Promise<CheckedVisitorSubmission> {
  const { form, db } = await requireForm(ctx, publicCode);
  // Checked before the answers, because it is cheaper.
  const challenge = form.challenge ? requireSolved(ctx, publicCode) : null;
  // The browser sends the time zone, and visitors cannot correct it, so an unknown one is ignored.
  const { time_zone: timeZone, ...others } = input;
  const accepted = timeZone !== undefined && isZone(timeZone) ? { ...others, time_zone: timeZone } : others;
  const submission = await checkSubmission(ctx, db, form, accepted, locale);
  // The submission is stored anyway: a human visitor's browser may have filled in the honeypot field.
  const hasHoneypotValue = (input.website ?? '') !== '';
  return {
    tenantId: db.tenantId,
    submission: hasHoneypotValue ? asSuspicious(submission) : submission,
    actions: form.post_submit_actions ?? [],
    challenge,
  };
}

/**
 * Stores a visitor's submission and returns the response for the browser.
 * @throws AppError CHALLENGE_REQUIRED if the challenge was used before.
 */
export async function submitEmbedded(
  ctx: RequestContext & TenantContext,
  { submission, actions, challenge }: CheckedVisitorSubmission,
) {
  if (challenge === null) return { submission_id: await storeSubmission(ctx, submission), actions };
  return ctx.db.transaction(async (tx) => {
    await useChallenge(tx, challenge, ctx.now);
    return { submission_id: await storeSubmission({ ...ctx, db: tx }, submission), actions };
  });
}
