/** References of a journey to other resources: checks that they exist, and lists those that must not be deleted. */

import { AppError, type Issue } from '../../../errors/app-error.ts';
import { sendableAddress } from '../../../mail/address.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  additionalFields,
  flatFiltersOf,
  lockVisibleGroups,
  readAudienceFilters,
} from '../../contacts/api.ts';
import { type EmailSettings, getEmailSettings, isVerifiedSender } from '../../email-settings/api.ts';
import { lockForms } from '../../forms/api.ts';
import { lockTemplates } from '../../mail/api.ts';
import type { JourneyReplace } from '../resource.ts';
import type { Step } from '../schema.ts';

type Definition = Pick<JourneyReplace, 'trigger' | 'steps'>;

/** A reference in a journey, with the field that contains it. */
interface Reference {
  readonly kind: 'form' | 'list' | 'audience' | 'template' | 'type' | 'sender';
  readonly id: string;
  readonly field: string;
}

const MESSAGES: Readonly<Record<Reference['kind'], string>> = {
  form: 'must reference an existing form',
  list: 'must reference an existing list',
  audience: 'must reference an existing audience',
  template: 'must reference an existing template',
  type: 'must reference an existing subscription type',
  sender: 'must be on a verified sending domain',
};

/** Finds invalid references and values. Locks the referenced forms, groups and templates until the transaction ends. */
export async function findReferenceIssues(tx: ScopedDb, definition: Definition): Promise<Issue[]> {
  const settings = await getEmailSettings(tx);
  const definitions = settings.subscriber_additional_fields;
  const issues = definition.steps.flatMap((step, index) =>
    findStepValueIssues(step, `steps[${index}]`, definitions),
  );
  const references = referencesOf(definition);
  const existing = await findExisting(tx, references, settings);
  for (const { kind, id, field } of references)
    if (!existing[kind].has(id)) issues.push({ field, message: MESSAGES[kind] });
  return issues;
}

/**
 * Keys of the resources that cannot be deleted while the journey is active: `form:<code>`, `template:<id>`,
 * `group:<id>`.
 */
export function usesOf(definition: Definition): string[] {
  const uses = referencesOf(definition).flatMap(({ kind, id }) => {
    if (kind === 'form' || kind === 'template') return [`${kind}:${id}`];
    return kind === 'list' || kind === 'audience' ? [`group:${id}`] : [];
  });
  return [...new Set(uses)];
}

function referencesOf({ trigger, steps }: Definition): Reference[] {
  const ofTrigger: Reference[] = [];
  if (trigger.type === 'form_submission')
    ofTrigger.push({ kind: 'form', id: trigger.form_code, field: 'trigger.form_code' });
  if (trigger.type === 'list_joined')
    ofTrigger.push({ kind: 'list', id: trigger.list_id, field: 'trigger.list_id' });
  if (trigger.type === 'audience_entered')
    ofTrigger.push({ kind: 'audience', id: trigger.audience_id, field: 'trigger.audience_id' });
  if (trigger.type === 'subscribed')
    ofTrigger.push({ kind: 'type', id: trigger.subscription_type_id, field: 'trigger.subscription_type_id' });
  return [...ofTrigger, ...steps.flatMap((step, index) => referencesOfStep(step, `steps[${index}]`))];
}

function referencesOfStep(step: Step, path: string): Reference[] {
  const referenceTo = (kind: Reference['kind'], name: string, id: string | undefined): Reference[] =>
    id === undefined ? [] : [{ kind, id, field: `${path}.${name}` }];
  switch (step.type) {
    case 'send_email':
      return [
        ...referenceTo('template', 'template_id', step.template_id),
        ...referenceTo('type', 'subscription_type_id', step.subscription_type_id),
        ...referenceTo('sender', 'from_email', step.from_email),
      ];
    case 'wait_for':
      return referenceTo('form', 'form_code', step.form_code);
    case 'update_subscriber':
      return [
        ...(step.add_lists ?? []).flatMap((id, index) => referenceTo('list', `add_lists[${index}]`, id)),
        ...(step.remove_lists ?? []).flatMap((id, index) =>
          referenceTo('list', `remove_lists[${index}]`, id),
        ),
        ...(step.subscription_updates ?? []).flatMap((update, index) =>
          referenceTo(
            'type',
            `subscription_updates[${index}].subscription_type_id`,
            update.subscription_type_id,
          ),
        ),
      ];
    case 'branch':
      return flatFiltersOf(step.filters).flatMap(({ path, filters: { lists, audiences } }) => [
        ...idsIn(lists).flatMap((id) => referenceTo('list', `${path}.lists.value`, id)),
        ...idsIn(audiences).flatMap((id) => referenceTo('audience', `${path}.audiences.value`, id)),
      ]);
    default:
      return [];
  }
}

/** Returns the ids in the value of a filter. */
function idsIn(filter: unknown): string[] {
  if (typeof filter !== 'object' || filter === null) return [];
  const values: unknown[] = 'operation' in filter ? [Reflect.get(filter, 'value')] : Object.values(filter);
  return values.flat().filter((id): id is string => typeof id === 'string');
}

/** Returns the existing ids by kind, with one query for each kind. */
async function findExisting(
  tx: ScopedDb,
  references: readonly Reference[],
  settings: EmailSettings,
): Promise<Readonly<Record<Reference['kind'], ReadonlySet<string>>>> {
  const byKind = Map.groupBy(references, ({ kind }) => kind);
  const idsOf = (kind: Reference['kind']) => [...new Set((byKind.get(kind) ?? []).map(({ id }) => id))];
  const groups = await lockVisibleGroups(tx, { lists: idsOf('list'), audiences: idsOf('audience') });
  return {
    form: new Set(await lockForms(tx, idsOf('form'))),
    list: new Set(groups.lists),
    audience: new Set(groups.audiences),
    template: new Set(await lockTemplates(tx, idsOf('template'))),
    type: new Set(settings.subscription_types.map(({ id }) => id)),
    sender: new Set(idsOf('sender').filter((id) => isVerifiedSender(settings, sendableAddress(id)))),
  };
}

/** Finds invalid filters, and values that do not match the definitions of their fields. */
function findStepValueIssues(step: Step, path: string, definitions: additionalFields.Definitions): Issue[] {
  if (step.type === 'update_subscriber') {
    const literals = Object.entries(step.additional_fields_data ?? {}).filter(
      ([, value]) => typeof value !== 'string' || !value.includes('{{'),
    );
    const templated = Object.keys(step.additional_fields_data ?? {}).filter(
      (name) => !literals.some(([each]) => each === name),
    );
    const issues = [
      ...additionalFields.findNameIssues(templated),
      ...additionalFields.findValueIssues(Object.fromEntries(literals), definitions),
    ];
    return issues.map((issue) => withPrefix(path, issue));
  }
  if (step.type !== 'branch') return [];
  try {
    readAudienceFilters(step.filters, definitions, false);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error;
    return error.issues.map((issue) => withPrefix(path, issue));
  }
}

function withPrefix(path: string, { field, message }: Issue): Issue {
  return { field: field === undefined ? path : `${path}.${field}`, message };
}
