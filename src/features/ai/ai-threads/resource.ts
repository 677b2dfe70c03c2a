import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { JsonColumn, TableOf } from '../../../resources/field-types.ts';
import {
  hidden,
  id,
  integer,
  moment,
  number,
  owner,
  text,
  uuid,
  version,
} from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { type Block, UserId } from './schema.ts';

const platform = { writes: 'platform' } as const;

const fields = {
  id,
  version,
  created_at: moment,
  updated_at: moment,
  assistant_id: uuid(Type.String(), platform),
  user_id: text(UserId, { ...platform, filter: true }),
  name: text(Type.String({ description: 'Start of the first text.' }), platform),
  business_unit: owner,
  message_count: hidden(integer(Type.Integer(), platform)),
  message_octets: hidden(number(Type.Number(), platform)),
  metadata_octets: hidden(number(Type.Number(), platform)),
};

interface MessageTable {
  tenant_id: string;
  thread_id: string;
  position: number;
  version: number;
  role: string;
  content: JsonColumn<readonly Block[]>;
  metadata: JsonColumn<object> | null;
  octets: number;
  tool_use_ids: string[] | null;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    ai_threads: TableOf<typeof fields>;
    ai_thread_messages: MessageTable;
  }
}

/** Threads without their messages. They belong to the units of their assistants. */
export const threads = defineResource({
  title: 'ThreadSummary',
  entityType: 'ai_thread',
  table: 'ai_threads',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['updated_at'],
});
