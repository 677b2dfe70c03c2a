import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { shownWithoutSecrets } from '../../../flows/secret-headers.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, json, moment, text, time, uuid, version } from '../../../resources/fields.ts';
import { bodyKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { SealedColumn } from '../../../secrets/sealed-columns.ts';
import { DUPLICATE_AUTOMATION } from './errors.ts';
import {
  Action,
  ConditionalAction,
  isToken,
  Label,
  MAX_ACTIONS,
  Token,
  TriggerParams,
  TriggerType,
} from './schema.ts';

const Actions = Type.Array(Action, { maxItems: MAX_ACTIONS });
const ConditionalActions = Type.Array(ConditionalAction, { maxItems: MAX_ACTIONS });
const OnFailure = Type.Array(Action, {
  maxItems: MAX_ACTIONS,
  description:
    'Runs once after a run has finally failed. Expressions can also use `run.id`, `run.error` and `failed.action`.',
});

const fields = {
  key: text(Token, { writes: 'once', filter: true, search: true }),
  name: text(Label, { filter: true, search: true }),
  app: text(Label, { filter: true }),
  module: text(Label, { nullable: true, filter: true }),
  entityKey: text(Token, { column: 'entity_key', nullable: true, filter: true }),
  triggerType: text(TriggerType, { column: 'trigger_type', filter: true }),
  triggerParams: json(TriggerParams, { column: 'trigger_params' }),
  actions: json(Actions, { default: [], shown: shownWithoutSecrets(Actions) }),
  conditionalActions: json(ConditionalActions, {
    column: 'conditional_actions',
    default: [],
    shown: shownWithoutSecrets(ConditionalActions),
  }),
  on_failure: json(OnFailure, { default: [], shown: shownWithoutSecrets(OnFailure) }),
  active: boolean(Type.Boolean({ description: 'True if its trigger starts runs.' }), {
    default: true,
    keeps: true,
    filter: true,
  }),
  version,
  created_at: time(Type.String(), { writes: 'platform', filter: true }),
  updated_at: moment,
  /** Runs refer to this id, so a new automation with the same key is a different one. */
  id: hidden(uuid(Type.String(), { writes: 'platform' })),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    automations: TableOf<typeof fields>;
  }
}

/** An automation as stored. */
export type AutomationRow = RowOf<typeof fields>;
/** A checked body of a create. */
export type AutomationCreate = CreateOf<typeof fields>;
/** A checked body of a replace. */
export type AutomationReplace = ReplaceOf<typeof fields>;

/** Automations belong to the tenant; owners write them. */
export const automationResource = defineResource({
  title: 'Automation',
  entityType: 'automation',
  table: 'automations',
  key: bodyKey('key', isToken),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: { automations_pkey: DUPLICATE_AUTOMATION },
  guard: ({ isTenantAdmin }) => {
    if (!isTenantAdmin) throw new AppError(FORBIDDEN);
  },
});

const sealedAutomation = {
  table: 'automations',
  key: { key: 'text', id: 'uuid' },
  sealedUnder: ({ id = '' }: Readonly<Record<string, string>>) => id,
  type: 'json',
} as const;

/** Columns with sealed values of secret headers. */
export const sealedDefinitions: readonly SealedColumn[] = [
  { ...sealedAutomation, column: 'actions' },
  { ...sealedAutomation, column: 'conditional_actions' },
  { ...sealedAutomation, column: 'on_failure' },
  {
    ...{ table: 'automation_versions', column: 'definition', type: 'json' },
    key: { automation_id: 'uuid', version: 'int' },
    sealedUnder: ({ automation_id = '' }) => automation_id,
  },
];
