import Type from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { listPage, pageOptions } from '../../../resources/paging.ts';

/** Fields that lists and single reads of captured messages share. */
export const summary = {
  id: Type.String(),
  to: Type.String({ description: 'Recipient, in lower case.' }),
  from: Type.String({ description: 'From address.' }),
  subject: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

/** A captured message in a list. */
export const OutboxItem = Type.Object(
  {
    ...summary,
    raw_url: Type.String({
      description: 'URL of the raw message; operators only.',
    }),
  },
  { title: 'OutboxItem' },
);

/** One page of captured messages. */
export const OutboxList = listPage(OutboxItem);

/** A captured message, parsed. */
export const OutboxMessage = Type.Object(
  {
    ...summary,
    html: nullable(Type.String()),
    text: nullable(Type.String()),
    headers: Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]), {
      description: 'Unfolded header fields by lower-case name; a list if repeated.',
    }),
  },
  { title: 'OutboxMessage' },
);

/** Filters of the list. */
export const OutboxQuery = Type.Object({
  to: Type.Optional(Type.String({ description: 'Recipient address, in any letter case.' })),
  ...pageOptions,
});

/** Path of a captured message. */
export const OutboxParams = Type.Object({ id: Type.String() });
