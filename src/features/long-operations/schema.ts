import Type, { type Static } from 'typebox';
import { nullable } from '../../http/schemas.ts';
import { operations } from '../../long-operations/operations.ts';
import { listMembers } from '../../resources/list-queries.ts';
import { Filters, orderedPage, type PageReply } from '../../resources/paging.ts';
import { withMore } from '../../resources/view.ts';

/** Most operations that the list of running ones shows. */
export const MAX_RUNNING = 100;

/** Members of an operation that are not stored in its row. */
export const OperationMore = Type.Object({
  started_by: Type.Object(
    {
      membership_id: Type.String(),
      name: nullable(Type.String({ description: 'Null if the member has left.' })),
    },
    { title: 'OperationStarter' },
  ),
  can_cancel: Type.Boolean({ description: 'True if the caller may cancel it now.' }),
  can_revert: Type.Boolean({ description: 'True if the caller may revert it now.' }),
});
/** Members of an operation that are not stored in its row. */
export type OperationMore = Static<typeof OperationMore>;

/** An operation in lists. */
export const ListedOperation = withMore(operations.listReply, OperationMore.properties, 'OperationListItem');
/** An operation. */
export const Operation = withMore(operations.reply, OperationMore.properties, 'OperationDetail');

/** Body of the list. */
export const OperationListQuery = Type.Object(
  { ...listMembers, filters: Type.Optional(Filters) },
  { title: 'OperationListQuery' },
);
/** Body of the list. */
export type OperationListQuery = Static<typeof OperationListQuery>;

/** A page of operations. */
export const OperationPage = Type.Unsafe<PageReply<object>>(orderedPage(ListedOperation));

/** Operations that have not ended. */
export const RunningOperations = Type.Object(
  { results: Type.Array(ListedOperation, { description: `The newest ${MAX_RUNNING}.` }) },
  { title: 'RunningOperations' },
);

/** Path parameters of an operation. */
export const OperationParams = Type.Object({ id: Type.String() });

/** Body of a revert. */
export const RevertBody = Type.Object(
  { dry_run: Type.Optional(Type.Boolean({ description: 'Only counts.' })) },
  { title: 'OperationRevert' },
);

/** Reply to a revert: the operation that reverts, or the counts of a dry run. */
export const RevertReply = Type.Object(
  {
    operation_id: Type.Optional(
      Type.String({ description: 'The operation that reverts. Not in a dry run.' }),
    ),
    removed: Type.Optional(Type.Integer({ description: 'Only in a dry run: records that were created.' })),
    restored: Type.Optional(Type.Integer({ description: 'Only in a dry run: records that were changed.' })),
    skipped: Type.Optional(
      Type.Array(
        Type.Object(
          {
            reason: Type.Enum(['changed', 'unavailable', 'invalid'], {
              description:
                '`changed`: changed since. `unavailable`: deleted, or the caller may not delete it. `invalid`: the earlier values are no longer valid.',
            }),
            count: Type.Integer(),
          },
          { title: 'OperationSkipped' },
        ),
        { description: 'Only in a dry run: records that stay as they are.' },
      ),
    ),
  },
  { title: 'OperationRevertReply' },
);
/** Reply to a revert. */
export type RevertReply = Static<typeof RevertReply>;
