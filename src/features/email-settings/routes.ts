import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { IdReply } from '../../http/schemas.ts';
import { deleting, reading, writing } from './area.ts';
import { DUPLICATE_SENDER_IDENTITY, INVALID_SENDER_IDENTITY, SENDER_IDENTITY_NOT_FOUND } from './errors.ts';
import {
  SenderIdentityList,
  SenderIdentityParams,
  SenderIdentityReply,
  Settings,
  SettingsReplace,
  SubscriptionType,
  SubscriptionTypeList,
  SubscriptionTypeParams,
} from './schema.ts';
import {
  deleteSenderIdentity,
  listSenderIdentities,
  listSubscriptionTypes,
  prepareReplace,
  readSettings,
  readSubscriptionType,
  replaceSettings,
  SETTINGS_CHECKS,
} from './service.ts';

/** The one record of a tenant's e-mail settings, and its parts. */
export const settingsRoutes: readonly Route[] = [
  defineRoute({
    ...reading,
    id: 'email_settings.get',
    method: 'GET',
    path: '/api/email_settings',
    summary: 'Reads the e-mail settings',
    errors: [NOT_FOUND],
    reply: Settings,
    handler: (ctx) => readSettings(ctx),
  }),
  defineRoute({
    ...writing,
    id: 'email_settings.replace',
    method: 'PUT',
    path: '/api/email_settings',
    summary: 'Replaces the collections of the e-mail settings',
    description:
      '`sandbox_mode` and `event_webhooks` keep what they are when left out. Needs the admin role on Default.',
    errors: [
      FORBIDDEN,
      INVALID_SENDER_IDENTITY,
      DUPLICATE_SENDER_IDENTITY,
      VALIDATION_ERROR,
      VERSION_CONFLICT,
    ],
    body: SettingsReplace,
    checks: SETTINGS_CHECKS,
    reply: IdReply,
    prepare: (ctx, { body }) => prepareReplace(ctx, body),
    write: (ctx, { body }, collections) => replaceSettings(ctx, body, collections),
  }),
  defineRoute({
    ...reading,
    id: 'subscription_types.list',
    method: 'GET',
    path: '/api/email_settings/subscription_types',
    summary: 'Lists the subscription types',
    reply: SubscriptionTypeList,
    handler: async (ctx) => ({ results: await listSubscriptionTypes(ctx) }),
  }),
  defineRoute({
    ...reading,
    id: 'subscription_types.get',
    method: 'GET',
    path: '/api/email_settings/subscription_types/{id}',
    summary: 'Reads a subscription type',
    errors: [NOT_FOUND],
    params: SubscriptionTypeParams,
    reply: SubscriptionType,
    handler: (ctx, { params }) => readSubscriptionType(ctx, params.id),
  }),
  defineRoute({
    ...reading,
    id: 'sender_identities.list',
    method: 'GET',
    path: '/api/email_settings/sender_identities',
    summary: 'Lists the sender identities',
    reply: SenderIdentityList,
    handler: async (ctx) => ({ results: await listSenderIdentities(ctx) }),
  }),
  defineRoute({
    ...deleting,
    id: 'sender_identities.delete',
    method: 'DELETE',
    path: '/api/email_settings/sender_identities/{from_email_address}',
    summary: 'Removes a sender identity',
    description: 'Needs the admin role on Default.',
    errors: [FORBIDDEN, SENDER_IDENTITY_NOT_FOUND],
    params: SenderIdentityParams,
    reply: SenderIdentityReply,
    write: (ctx, { params }) => deleteSenderIdentity(ctx, params.from_email_address),
  }),
];
