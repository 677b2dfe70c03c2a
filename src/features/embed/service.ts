import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../errors/app-error.ts';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { type CheckedSubmission, checkSubmission, storeSubmission } from '../form-submissions/index.ts';
import { findEmbeddedTheme } from '../form-themes/index.ts';
import {
  countUp,
  FORM_NOT_FOUND,
  type FormOfPage,
  findEmailQuestion,
  findEmbeddedForm,
  findTenantOfPublicCode,
  originsOf,
  type PostSubmitActionJson,
} from '../forms/index.ts';
import type { EmbedPageData } from './page-data.ts';

/** An active form and the rows of its tenant. */
export interface FormAccess<Form> {
  readonly form: Form;
  readonly db: ScopedDb;
}

/** What a visitor's browser sends. */
export interface VisitorSubmission {
  readonly email_address: string;
  readonly form_data: Readonly<Record<string, unknown>>;
  /** A field that people do not see. */
  readonly website?: string;
}

/** What a visitor's browser is told. */
export interface VisitorAnswer {
  submission_id: string;
  actions: PostSubmitActionJson[];
}

/** The active form that a visitor names, read by `find`; null when there is none. */
export async function openForm<Form>(
  platform: Platform,
  publicCode: string,
  find: (db: ScopedDb, publicCode: string) => Promise<Form | null>,
): Promise<FormAccess<Form> | null> {
  const tenantId = await findTenantOfPublicCode(platform.database, publicCode);
  if (tenantId === null) return null;
  const db = platform.scoped(wholeTenant(tenantId));
  const form = await find(db, publicCode);
  return form === null ? null : { form, db };
}

/** What the embed page shows; counts the view. A `themeCode` of no theme of the form's unit is ignored. */
export async function viewForm(
  ctx: RequestContext,
  { form, db }: FormAccess<FormOfPage>,
  themeCode: string | undefined,
): Promise<EmbedPageData> {
  const asked = themeCode === undefined ? null : await findEmbeddedTheme(db, themeCode, form.owner_bu_id);
  const theme = asked ?? (form.theme_code === null ? null : await findEmbeddedTheme(db, form.theme_code));
  if (ctx.method === 'GET') await db.raw((tenantId) => countUp(tenantId, form, 'views'));
  return {
    public_code: form.public_code,
    name: form.name,
    formBuilderOptions: form.formBuilderOptions,
    email_question: findEmailQuestion(form.formBuilderOptions, form.email_question ?? undefined),
    theme,
    assetBase: new URL(ctx.platform.publicUrl()).pathname.replace(/\/+$/, ''),
  };
}

/** The origins whose pages may submit a form. @throws AppError FORM_NOT_FOUND. */
export async function originsOfForm({ platform }: RequestContext, publicCode: string): Promise<string[]> {
  const access = await openForm(platform, publicCode, findEmbeddedForm);
  if (access === null) throw new AppError(FORM_NOT_FOUND);
  return originsOf(access.form.allowed_origins);
}

/** A visitor's submission as it was checked, and what follows it. */
export interface CheckedVisit {
  readonly tenantId: string;
  /** Null for a program that filled in the hidden field: it is told the same, and nothing is stored. */
  readonly submission: CheckedSubmission | null;
  readonly actions: PostSubmitActionJson[];
}

/** Checks a visitor's submission. @throws AppError FORM_NOT_FOUND, or as `checkSubmission`. */
export async function prepareVisit(
  ctx: RequestContext,
  publicCode: string,
  input: VisitorSubmission,
): Promise<CheckedVisit> {
  const access = await openForm(ctx.platform, publicCode, findEmbeddedForm);
  if (access === null) throw new AppError(FORM_NOT_FOUND);
  const { form, db } = access;
  const isProgram = input.website !== undefined && input.website !== '';
  return {
    tenantId: db.tenantId,
    submission: isProgram ? null : await checkSubmission(ctx, db, form, input),
    actions: form.post_submit_actions ?? [],
  };
}

/** Accepts a visitor's submission. */
export async function submitEmbedded(
  ctx: RequestContext & TenantContext,
  { submission, actions }: CheckedVisit,
): Promise<VisitorAnswer> {
  const id = submission === null ? uuidv7() : await storeSubmission(ctx, submission);
  return { submission_id: id, actions };
}
