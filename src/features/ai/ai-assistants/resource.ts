import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { id, json, number, recordFields, text } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { Knowledge, LlmConfiguration, TokenBudget } from './schema.ts';

const fields = {
  id,
  name: text(Type.String({ minLength: 1, maxLength: 500 }), {}),
  description: text(Type.String({ maxLength: 10_000 }), {}),
  llmConfiguration: json(LlmConfiguration, { column: 'llm_configuration', listed: false }),
  knowledge: json(Knowledge, { default: [], keeps: true, listed: false }),
  monthly_token_budget: number(TokenBudget, { nullable: true, keeps: true, listed: false }),
  ...recordFields,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    ai_assistants: TableOf<typeof fields>;
  }
}

/** Assistants, owned by business units. */
export const assistants = defineResource({
  title: 'Assistant',
  entityType: 'ai_assistant',
  table: 'ai_assistants',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
});
