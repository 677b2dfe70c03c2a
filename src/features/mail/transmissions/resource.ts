import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { JsonColumn, RowOf, TableOf } from '../../../resources/field-types.ts';
import { id, integer, moment, owner, text, time } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { FreeData, StoredContent, StoredOptions } from './tables.ts';

const momentOrNull = time(Type.String(), { nullable: true, writes: 'platform' });
const textOrNull = text(Type.String(), { nullable: true, writes: 'platform' });

const fields = {
  id,
  business_unit: owner,
  created_at: moment,
  /** Null to send at once. */
  scheduled_at: momentOrNull,
  generated_at: momentOrNull,
  cancelled_at: momentOrNull,
  description: textOrNull,
  campaign_id: textOrNull,
  recipients: integer(Type.Integer(), { writes: 'platform' }),
};

/** Transmissions without their content, which is large and read only for sending. */
export const transmissionResource = defineResource({
  table: 'transmissions',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
});

/** A transmission without its content. */
export type TransmissionHead = RowOf<typeof fields>;

/** A stored transmission. */
export interface TransmissionRow extends TableOf<typeof fields> {
  transactional: boolean;
  content: JsonColumn<StoredContent>;
  options: JsonColumn<StoredOptions>;
  /** Distinct tags of its recipients. */
  tags: JsonColumn<readonly string[]>;
  metadata: JsonColumn<FreeData> | null;
  substitution_data: JsonColumn<FreeData> | null;
  return_path: string | null;
  /** Approximate memory for building one of its messages, in bytes. */
  message_bytes: number;
  /** The transmission that this one retries: it has content but no messages of its own. */
  content_for: string | null;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    transmissions: TransmissionRow;
  }
}
