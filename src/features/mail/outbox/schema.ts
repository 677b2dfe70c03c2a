import Type from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { listPage, pageOptions } from '../../../resources/paging.ts';

/** Fields of a message in lists and in its own answer. */
export const summary = {
  id: Type.String(),
  to: Type.String({ description: 'Address that the message was for, in lower case.' }),
  from: Type.String({ description: 'Address of the From field.' }),
  subject: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
};

/** A captured message in a list. */
export const OutboxItem = Type.Object(
  {
    ...summary,
    raw_url: Type.String({
      description: 'Where the message is read as it would have been sent; operators only.',
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
      description: 'Header fields by lower-case name, unfolded; a list when a field occurs more than once.',
    }),
  },
  { title: 'OutboxMessage' },
);

/** Filters of the list. */
export const OutboxQuery = Type.Object({
  to: Type.Optional(Type.String({ description: 'Messages to this address only, whatever its case.' })),
  ...pageOptions,
});

/** Path of a captured message. */
export const OutboxParams = Type.Object({ id: Type.String() });
