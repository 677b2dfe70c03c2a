import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { SettingsBody, SettingsReply } from './schema.ts';
import { getSettings, getSettingsForUpdate, putSettings, SETTINGS_CHECKS, settingsOf } from './service.ts';

const tag = 'Pages: site settings';
const path = '/api/pages/{project_id}/site-settings';
const params = Type.Object({ project_id: Type.String() });

/** The settings of sites (docs/specification/pages.md#site-settings). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'site_settings.get',
    method: 'GET',
    path,
    summary: 'Reads the settings of a site',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params,
    conditional: true,
    reply: SettingsReply,
    handler: (ctx, { params: { project_id } }) => getSettings(ctx, project_id),
  }),
  defineRoute({
    id: 'site_settings.replace',
    method: 'PUT',
    path,
    summary: 'Replaces the settings of a site',
    description: 'Unknown fields are stored unchanged.',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN, VERSION_CONFLICT],
    params,
    updates: {
      current: (ctx, { params: { project_id } }) => getSettingsForUpdate(ctx, project_id),
      replacesWhole: true,
      contentOf: settingsOf,
    },
    body: SettingsBody,
    checks: SETTINGS_CHECKS,
    reply: IdReply,
    write: (ctx, { params: { project_id }, body }) => putSettings(ctx, project_id, body),
  }),
];
