import type { Static } from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import { type BodyCheck, check, checkEach, overlongFaults } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { isAddress, sendableAddress } from '../../../mail/address.ts';
import { browserTargetFault } from '../../../outbound/target-policy.ts';
import type { TenantPattern } from '../../../patterns/tenant-patterns.ts';
import type { Columns } from '../../../resources/body.ts';
import { getRecord } from '../../../resources/records.ts';
import { shortCode } from '../../../secrets/codes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { signUps } from '../../contacts/api.ts';
import { findDefaultSender } from '../../email-settings/api.ts';
import { findThemeForRendering } from '../form-themes/index.ts';
import { isJourney } from './journeys.ts';
import { parseAllowedOrigin } from './origins.ts';
import { sumCounts } from './queries.ts';
import { type FormCreate, type FormReplace, type FormRow, forms } from './resource.ts';
import { isObject } from './rules/definition.ts';
import { checkDefinition } from './rules/definition-check.ts';
import { listPatterns } from './rules/definition-patterns.ts';
import type { FormFigures, PostSubmitActionJson } from './schema.ts';

/** Too long to guess. */
const PUBLIC_CODE_LENGTH = 22;

/** Size limit: the definition is part of the page that each visitor loads. */
const MAX_DEFINITION = 4 * 1024 * 1024;

/** Checks that need no database. */
export const FORM_CHECKS: readonly BodyCheck<FormReplace>[] = [
  checkEach('allowed_origins', checkOrigin),
  checkEach('post_submit_actions', checkAction),
  check(['notify'], ({ notify }) =>
    (notify?.emails ?? []).flatMap((email, index): Issue[] =>
      isAddress(sendableAddress(email))
        ? []
        : [{ field: `notify.emails[${index}]`, message: 'must be a valid email address' }],
    ),
  ),
  check(['formBuilderOptions'], ({ formBuilderOptions }) => {
    const overlong = overlongFaults('formBuilderOptions', formBuilderOptions, MAX_DEFINITION);
    return overlong.length > 0 ? overlong : checkDefinition(formBuilderOptions);
  }),
];

/** Lists the regular expressions of a form. */
export function patternsOf({ formBuilderOptions }: FormReplace): TenantPattern[] {
  return isObject(formBuilderOptions) ? listPatterns(formBuilderOptions) : [];
}

/**
 * Runs the checks that need a rendering thread. @throws AppError VALIDATION_ERROR for a template that cannot be used
 * for confirmation mails.
 */
export async function prepareForm(
  ctx: MemberContext,
  { subscriber_mapping: mapping }: FormReplace,
): Promise<void> {
  const templateId = mapping?.double_opt_in_template_id;
  if (templateId === undefined) return;
  await signUps.requireConfirmationTemplate(ctx, templateId, 'subscriber_mapping.double_opt_in_template_id');
}

/**
 * Returns the columns of a new form, including its public code. @throws AppError VALIDATION_ERROR for an unknown
 * theme, or notifications without a sender.
 */
export async function newFormColumns(
  ctx: MemberContext,
  { theme_code, notify, post_submit_actions }: FormCreate,
): Promise<Columns> {
  await requireTheme(ctx.db, theme_code);
  if (notify) await requireSender(ctx.db);
  await requireJourneys(ctx, post_submit_actions, []);
  return { public_code: shortCode(PUBLIC_CODE_LENGTH) };
}

/**
 * @throws AppError VALIDATION_ERROR as for a new form. A theme that was deleted after the form selected it does not
 * block saving.
 */
export async function replacedFormColumns(
  ctx: MemberContext,
  { theme_code, notify, post_submit_actions }: FormReplace,
  stored: FormRow,
): Promise<Columns> {
  if (theme_code !== stored.theme_code) await requireTheme(ctx.db, theme_code);
  if (notify) await requireSender(ctx.db);
  await requireJourneys(ctx, post_submit_actions, stored.post_submit_actions);
  return {};
}

/** Returns the counts that lists show with forms, in the order of `codes`. */
export async function figuresOf(
  { db }: MemberContext,
  codes: readonly string[],
): Promise<Static<typeof FormFigures>[]> {
  const counts = await sumCounts(db, codes);
  return codes.map((code) => {
    const { submissions, views } = counts.get(code) ?? { submissions: 0, views: 0 };
    return { submission_count: submissions, conversion_rate: views === 0 ? 0 : submissions / views };
  });
}

/** Returns the data to show a form: its definition and its theme (null if it has none). */
export async function getFormForRendering(ctx: MemberContext, code: string) {
  const row = await getRecord(ctx.db, forms, code);
  const theme = row.theme_code === null ? null : await findThemeForRendering(ctx.db, row.theme_code);
  return { form: row, theme };
}

async function requireTheme(db: ScopedDb, code: string | null = null): Promise<void> {
  if (code !== null && (await findThemeForRendering(db, code)) === null)
    throw ruleBroken('theme_code', 'There is no theme with this code.');
}

/** A journey that was deleted after the form selected it does not block saving. */
async function requireJourneys(
  { platform, db }: MemberContext,
  actions: readonly PostSubmitActionJson[] | undefined,
  stored: readonly PostSubmitActionJson[],
): Promise<void> {
  const known = new Set(journeysOf(stored).map(({ id }) => id));
  for (const { id, index } of journeysOf(actions ?? []))
    if (!known.has(id) && !(await isJourney(platform, db, id)))
      throw ruleBroken(`post_submit_actions[${index}].journey_id`, 'There is no journey with this id.');
}

function journeysOf(actions: readonly PostSubmitActionJson[]) {
  return actions.flatMap(({ type, journey_id: id }, index) =>
    type === 'trigger_journey' && id !== undefined ? [{ id, index }] : [],
  );
}

async function requireSender(db: ScopedDb): Promise<void> {
  if ((await findDefaultSender(db)) === null)
    throw ruleBroken('notify', 'needs a default sender: verify a sending domain first');
}

function checkOrigin(entry: string, field: string): Issue[] {
  if (parseAllowedOrigin(entry) !== null) return [];
  return [{ field, message: 'must be "*" or an origin such as https://example.com' }];
}

function checkAction(action: PostSubmitActionJson, at: string): Issue[] {
  if (action.type === 'redirect') {
    const message = action.url === undefined ? 'is required' : browserTargetFault(action.url);
    return message === null ? [] : [{ field: `${at}.url`, message }];
  }
  const needed = action.type === 'show_message' ? 'html' : 'journey_id';
  return action[needed] === undefined ? [{ field: `${at}.${needed}`, message: 'is required' }] : [];
}
