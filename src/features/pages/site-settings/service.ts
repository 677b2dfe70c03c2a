import type { Static } from 'typebox';
import { selectWritten } from '../../../db/written-json.ts';
import { check } from '../../../http/body-checks.ts';
import { TaggedResponse } from '../../../http/conditional-reads.ts';
import type { MemberContext } from '../../../http/context.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { findRecord, putRecord } from '../../../resources/records.ts';
import { requireProject, shareLockProject } from '../projects/index.ts';
import { SETTINGS_ID, siteSettings } from './resource.ts';
import { MAX_SETTINGS_BYTES, RECORD_FIELDS, type SettingsBody } from './schema.ts';

/** Limits on settings, which are read with every page of a site. */
export const SETTINGS_CHECKS = [
  check<object>([], (body) =>
    Buffer.byteLength(JSON.stringify(settingsOf(body))) <= MAX_SETTINGS_BYTES
      ? []
      : [{ message: `settings must be at most ${MAX_SETTINGS_BYTES} bytes as JSON` }],
  ),
];

/** Returns the settings of a project; if it has none, only their id. @throws AppError NOT_FOUND for the project. */
export async function getSettings({ db }: MemberContext, projectId: string) {
  await requireProject(db, projectId);
  const row = await findRecord(db, siteSettings, [projectId]);
  if (row === null) return new TaggedResponse(SETTINGS_ID, { id: SETTINGS_ID });
  const { version, updated_at } = row;
  return new TaggedResponse(`${SETTINGS_ID}.${version}.${Date.parse(updated_at)}`, siteSettings.view(row));
}

/** Returns the settings for an update. @throws AppError NOT_FOUND for the project, FORBIDDEN. */
export async function getSettingsForUpdate(ctx: MemberContext, projectId: string): Promise<object> {
  const { owner_bu_id: ownerId } = await requireProject(ctx.db, projectId);
  requireRole(ctx.caller, ownerId, 'editor');
  return (await getSettings(ctx, projectId)).body ?? {};
}

/** Replaces the settings of a project. @throws AppError NOT_FOUND for the project, FORBIDDEN, VERSION_CONFLICT. */
export async function putSettings(
  ctx: MemberContext,
  projectId: string,
  body: Static<typeof SettingsBody>,
): Promise<{ id: string }> {
  const { owner_bu_id: ownerId } = await shareLockProject(ctx.db, projectId);
  const options = body.version === undefined ? { ownerId } : { ownerId, version: body.version };
  await putRecord(ctx, siteSettings, [projectId], { settings: settingsOf(body) }, options);
  return { id: SETTINGS_ID };
}

/** Returns the body that restores the settings of a version. */
export function settingsBodyOf(version: object): Readonly<Record<string, unknown>> {
  return settingsOf(version);
}

/** Returns the settings in a body or reply, without the common fields. */
export function settingsOf(body: object): Readonly<Record<string, unknown>> {
  return selectWritten(body, (name) => !RECORD_FIELDS.includes(name));
}
