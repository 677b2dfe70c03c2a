import Type, { type Static } from 'typebox';
import { Limit, Page } from '../../../resources/paging.ts';

/** Why nothing is sent: bounces and complaints stop all mail, an unsubscribe what is not transactional. */
export const SuppressionType = Type.Enum(['bounce', 'complaint', 'unsubscribe']);

/** A recipient that is not sent to. */
export const Suppression = Type.Object(
  {
    recipient: Type.String({ description: 'Address in its normal form: trimmed and in lower case.' }),
    type: SuppressionType,
    description: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Suppression' },
);

/** One page of suppressions, newest first. */
export const SuppressionList = Type.Object(
  {
    results: Type.Array(Suppression),
    metadata: Type.Object({
      total: Type.Integer({ description: 'Suppressions that match, on all pages.' }),
      page: Type.Integer(),
      pageSize: Type.Integer(),
    }),
  },
  { title: 'SuppressionList' },
);

/** What narrows the list. */
export const SuppressionQuery = Type.Object({
  page: Type.Optional(Page),
  pageSize: Type.Optional(Limit),
  type: Type.Optional(SuppressionType),
});

/** Names a suppression. */
export const SuppressionParams = Type.Object({
  recipient: Type.String({ description: 'The address, whatever its case.' }),
});

/** Acknowledges a removal. */
export const RecipientReply = Type.Object({ recipient: Type.String() }, { title: 'RecipientReply' });

export type SuppressionType = Static<typeof SuppressionType>;
export type Suppression = Static<typeof Suppression>;
export type SuppressionQuery = Static<typeof SuppressionQuery>;
export type SuppressionList = Static<typeof SuppressionList>;
