/** Actions on many subscribers (docs/specification/bulk-actions.md#run). */
import Type from 'typebox';
import { mergeWritten, selectWritten } from '../../../db/written-json.ts';
import { type BulkRule, bulkChange, textsIn } from '../../../resources/bulk-rules.ts';
import { subscribers } from './resource.ts';
import { AdditionalChanges, GroupIds, SubscriptionUpdates } from './schema.ts';
import { additionalFilters } from './service.ts';
import { undoChanges } from './undo-changes.ts';

const update = { role: 'editor', updatedBy: 'subscribers.replace' } as const;

/** Actions on many subscribers. Their members have the names of the subscriber's members. */
export const subscriberBulk: BulkRule = {
  resource: subscribers,
  path: '/api/subscribers',
  id: 'subscribers',
  tag: 'Subscribers',
  noun: 'subscribers',
  title: 'email',
  example: (name) => ({ action: 'add_lists', lists: [name('list')] }),
  fields: additionalFilters,
  undo: (changes, ctx) => undoChanges(changes, ctx, 'editor'),
  actions: [
    bulkChange({
      ...update,
      name: 'add_lists',
      summary: 'adds them to lists.',
      members: Type.Object({ lists: GroupIds }),
      patch: (record, { lists }) => ({ lists: [...new Set([...textsIn(record.lists), ...lists])] }),
    }),
    bulkChange({
      ...update,
      name: 'remove_lists',
      summary: 'removes them from lists.',
      members: Type.Object({ lists: GroupIds }),
      patch: (record, { lists }) => ({ lists: textsIn(record.lists).filter((id) => !lists.includes(id)) }),
    }),
    bulkChange({
      ...update,
      name: 'set_active',
      summary: 'sets whether they get marketing mail.',
      members: Type.Object({
        active: Type.Boolean(),
        inactive_reason: Type.Optional(
          Type.String({ minLength: 1, maxLength: 500, description: 'Required when `active` is false.' }),
        ),
      }),
      check: ({ active, inactive_reason }) =>
        active === false && inactive_reason === undefined
          ? [{ field: 'inactive_reason', message: 'is required when active is false' }]
          : [],
      patch: (_record, { active, inactive_reason = null }) => ({
        active,
        inactive_reason: active ? null : inactive_reason,
      }),
      // An inactive subscriber may have another reason.
      unchanged: ({ active }) => (active ? { active: { eq: true } } : null),
    }),
    bulkChange({
      ...update,
      name: 'set_fields',
      summary: 'sets values of additional fields.',
      members: Type.Object({ additional_fields_data: AdditionalChanges }),
      patch: (record, { additional_fields_data: changes }) => ({
        additional_fields_data: selectWritten(
          mergeWritten(Object(record.additional_fields_data), changes),
          (_name, value) => value !== null,
        ),
      }),
    }),
    bulkChange({
      ...update,
      name: 'set_subscription',
      summary: 'subscribes them to subscription types or unsubscribes them.',
      members: Type.Object({ subscription_updates: SubscriptionUpdates }),
      patch: (_record, { subscription_updates }) => ({ subscription_updates }),
      isFinal: true,
    }),
    {
      name: 'erase',
      summary: 'permanently erases them with history and mails of their unit.',
      role: 'admin',
      deletedBy: 'subscribers.delete',
      needsConfirmation: true,
    },
  ],
};
