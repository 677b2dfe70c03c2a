import Type, { type TSchema } from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { IdReply } from '../../http/schemas.ts';
import { deleteOptions, readOptions, writeOptions } from './area.ts';
import { DUPLICATE_SENDER_IDENTITY, INVALID_SENDER_IDENTITY, SENDER_IDENTITY_NOT_FOUND } from './errors.ts';
import { settings } from './resource.ts';
import { SenderIdentity, SubscriptionType } from './schema.ts';
import {
  deleteSenderIdentity,
  findVisibleSettings,
  prepareReplace,
  readSettings,
  readSettingsForUpdate,
  readSubscriptionType,
  replaceSettings,
  SETTINGS_CHECKS,
} from './service.ts';

/** Routes for a tenant's email settings and their collections. */
export const settingsRoutes: readonly Route[] = [
  defineRoute({
    ...readOptions,
    id: 'email_settings.get',
    method: 'GET',
    path: '/api/email_settings',
    summary: 'Reads the email settings',
    errors: [NOT_FOUND],
    reply: settings.reply,
    handler: (ctx) => readSettings(ctx),
  }),
  defineRoute({
    ...writeOptions,
    id: 'email_settings.replace',
    method: 'PUT',
    path: '/api/email_settings',
    summary: 'Replaces the email settings',
    description:
      'Omitted `sandbox_mode` and `event_webhooks` keep their values. Requires the admin role on Default.',
    errors: [
      FORBIDDEN,
      INVALID_SENDER_IDENTITY,
      DUPLICATE_SENDER_IDENTITY,
      VALIDATION_ERROR,
      VERSION_CONFLICT,
    ],
    updates: {
      current: (ctx) => readSettingsForUpdate(ctx),
      keeps: ['event_webhooks', 'sandbox_mode'],
      replacesWhole: true,
      unchanged: () => ({ id: 'email_settings' }),
    },
    body: settings.replaceBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: SETTINGS_CHECKS,
    reply: IdReply,
    prepare: (ctx, { body }) => prepareReplace(ctx, body),
    write: (ctx, _input, body) => replaceSettings(ctx, body),
  }),
  defineRoute({
    ...readOptions,
    id: 'subscription_types.list',
    method: 'GET',
    path: '/api/email_settings/subscription_types',
    summary: 'Lists the subscription types',
    reply: listOf(SubscriptionType, 'SubscriptionTypeList'),
    handler: async (ctx) => ({ results: (await findVisibleSettings(ctx))?.subscription_types ?? [] }),
  }),
  defineRoute({
    ...readOptions,
    id: 'subscription_types.get',
    method: 'GET',
    path: '/api/email_settings/subscription_types/{id}',
    summary: 'Reads a subscription type',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: SubscriptionType,
    handler: (ctx, { params }) => readSubscriptionType(ctx, params.id),
  }),
  defineRoute({
    ...readOptions,
    id: 'sender_identities.list',
    method: 'GET',
    path: '/api/email_settings/sender_identities',
    summary: 'Lists the sender identities',
    reply: listOf(SenderIdentity, 'SenderIdentityList'),
    handler: async (ctx) => ({ results: (await findVisibleSettings(ctx))?.sender_identities ?? [] }),
  }),
  defineRoute({
    ...deleteOptions,
    id: 'sender_identities.delete',
    method: 'DELETE',
    path: '/api/email_settings/sender_identities/{from_email_address}',
    summary: 'Removes a sender identity',
    description: 'Requires the admin role on Default.',
    errors: [FORBIDDEN, SENDER_IDENTITY_NOT_FOUND],
    params: Type.Object({ from_email_address: Type.String() }),
    reply: Type.Object({ from_email_address: Type.String() }, { title: 'SenderIdentityReply' }),
    write: (ctx, { params }) => deleteSenderIdentity(ctx, params.from_email_address),
  }),
];

/** Returns the reply schema of a collection. */
function listOf<T extends TSchema>(item: T, title: string) {
  return Type.Object({ results: Type.Array(item) }, { title });
}
