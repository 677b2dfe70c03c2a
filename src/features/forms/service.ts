import type { Static } from 'typebox';
import type { Issue } from '../../errors/app-error.ts';
import { invalidRequest, ruleBroken } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import type { ListPage } from '../../resources/paging.ts';
import {
  type Columns,
  createRecord,
  deleteRecord,
  getRecord,
  type ListRequest,
  listRecords,
  type ReplaceOptions,
  replaceRecord,
} from '../../resources/records.ts';
import { shortCode } from '../../secrets/codes.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findThemeForRendering } from '../form-themes/index.ts';
import { parseAllowedOrigin } from './origins.ts';
import { sumCounts } from './queries.ts';
import { forms } from './resource.ts';
import { checkDefinition } from './rules/definition-check.ts';
import type { Form, FormBody, ListedForm, PostSubmitActionJson } from './schema.ts';

/** Long enough that nobody finds a form by guessing. */
const PUBLIC_CODE_LENGTH = 22;

type FormInput = Static<typeof FormBody>;

/** Creates a form that was checked. @throws AppError VALIDATION_ERROR for an unknown theme. */
export async function createForm(
  ctx: MemberContext,
  body: FormInput,
  businessUnit?: string,
): Promise<string> {
  await requireTheme(ctx.db, body.theme_code);
  const columns = { ...toColumns(body), public_code: shortCode(PUBLIC_CODE_LENGTH) };
  const row = await createRecord(ctx, forms, columns, businessUnit === undefined ? {} : { businessUnit });
  return row.code;
}

/** Replaces a form with one that was checked; submissions of earlier versions stay as they are. */
export async function replaceForm(
  ctx: MemberContext,
  code: string,
  body: FormInput,
  options: ReplaceOptions,
): Promise<void> {
  await replaceRecord(ctx, forms, code, options, async (current, tx) => {
    // A theme deleted since the form took it must not keep the form from being saved.
    if (body.theme_code !== current.theme_code) await requireTheme(tx, body.theme_code);
    return toColumns(body);
  });
}

/** Deletes a form. Its submissions and history stay; new submissions get FORM_NOT_FOUND. */
export async function deleteForm(ctx: MemberContext, code: string): Promise<void> {
  await deleteRecord(ctx, forms, code);
}

/** One page of forms with their counts. */
export async function listForms(
  ctx: MemberContext,
  request: ListRequest,
): Promise<ListPage<Static<typeof ListedForm>>> {
  const page = await listRecords(ctx.db, forms, request);
  const counts = await sumCounts(
    ctx.db,
    page.results.map((row) => row.code),
  );
  const results = page.results.map((row) => {
    const { submissions, views } = counts.get(row.code) ?? { submissions: 0, views: 0 };
    return {
      ...forms.view(row),
      submission_count: submissions,
      conversion_rate: views === 0 ? 0 : submissions / views,
    };
  });
  return { ...page, results };
}

/** A form as its GET shows it. */
export async function getForm(ctx: MemberContext, code: string): Promise<Static<typeof Form>> {
  return forms.view(await getRecord(ctx.db, forms, code));
}

/** What a page needs to show the form: its definition and its theme, null when it has none. */
export async function getFormForRendering(ctx: MemberContext, code: string) {
  const row = await getRecord(ctx.db, forms, code);
  const theme = row.theme_code === null ? null : await findThemeForRendering(ctx.db, row.theme_code);
  const { public_code, name, formBuilderOptions } = row;
  return { form: { code: row.code, public_code, name, formBuilderOptions }, theme };
}

function toColumns(body: FormInput): Columns {
  const actions = body.post_submit_actions ?? [];
  const mapping = body.subscriber_mapping ?? null;
  return {
    name: body.name,
    allowed_origins: JSON.stringify(body.allowed_origins),
    active: body.active,
    form_type: body.form_type,
    formBuilderOptions: JSON.stringify(body.formBuilderOptions),
    theme_code: body.theme_code ?? null,
    email_question: body.email_question ?? null,
    post_submit_actions: JSON.stringify(actions),
    subscriber_mapping: mapping === null ? null : JSON.stringify(mapping),
  };
}

async function requireTheme(tx: ScopedDb, code: string | null | undefined): Promise<void> {
  if (code === null || code === undefined) return;
  if ((await findThemeForRendering(tx, code)) === null)
    throw ruleBroken('theme_code', 'There is no theme with this code.');
}

/** @throws AppError INVALID_REQUEST naming all that the engine cannot read. */
export function checkForm(body: FormInput): void {
  const issues = [
    ...body.allowed_origins.flatMap(checkOrigin),
    ...(body.post_submit_actions ?? []).flatMap(checkAction),
    ...checkDefinition(body.formBuilderOptions),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
}

function checkOrigin(entry: string, index: number): Issue[] {
  if (parseAllowedOrigin(entry) !== null) return [];
  return [
    { field: `allowed_origins[${index}]`, message: 'must be "*" or an origin such as https://example.com' },
  ];
}

function checkAction(action: PostSubmitActionJson, index: number): Issue[] {
  const at = `post_submit_actions[${index}]`;
  switch (action.type) {
    case 'redirect':
      return isWebUrl(action.url) ? [] : [{ field: `${at}.url`, message: 'must be an http or https URL' }];
    case 'show_message':
      return action.html !== undefined ? [] : [{ field: `${at}.html`, message: 'is required' }];
    case 'trigger_journey':
      return action.journey_id !== undefined ? [] : [{ field: `${at}.journey_id`, message: 'is required' }];
  }
}

function isWebUrl(text: string | undefined): boolean {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
