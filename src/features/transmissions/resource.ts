import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { JsonColumn, RowOf, TableOf } from '../../resources/field-types.ts';
import { id, integer, moment, owner, text, time } from '../../resources/fields.ts';
import { uuidKey } from '../../resources/keys.ts';
import { defineResource } from '../../resources/resource.ts';
import type { FreeData, StoredContent, StoredOptions } from './tables.ts';

const momentOrNull = time(Type.String(), { nullable: true, writes: 'platform' });
const textOrNull = text(Type.String(), { nullable: true, writes: 'platform' });

const fields = {
  id,
  business_unit: owner,
  created_at: moment,
  /** Null: at once. */
  scheduled_at: momentOrNull,
  generated_at: momentOrNull,
  cancelled_at: momentOrNull,
  description: textOrNull,
  campaign_id: textOrNull,
  recipients: integer(Type.Integer(), { writes: 'platform' }),
};

/** Transmissions without what they send, which is large and read by the sender alone. */
export const transmissionResource = defineResource({
  table: 'transmissions',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
});

/** A transmission without what it sends. */
export type TransmissionHead = RowOf<typeof fields>;

/** A transmission as it is stored. */
export interface TransmissionRow extends TableOf<typeof fields> {
  transactional: boolean;
  content: JsonColumn<StoredContent>;
  options: JsonColumn<StoredOptions>;
  /** All that its recipients have, each once. */
  tags: JsonColumn<readonly string[]>;
  metadata: JsonColumn<FreeData> | null;
  substitution_data: JsonColumn<FreeData> | null;
  return_path: string | null;
  /** What one of its messages takes in memory while it is made, about. */
  message_bytes: number;
  /** Set if it has no messages, but the content of a retry of this transmission. */
  content_for: string | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    transmissions: TransmissionRow;
  }
}
