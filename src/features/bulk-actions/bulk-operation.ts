/** The long operations that apply actions part by part, one for each kind of record. */
import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import { defineOperation } from '../../long-operations/define-operation.ts';
import type { PartedOperation } from '../../long-operations/operation-kind.ts';
import { nextKeys } from '../../resources/selected-keys.ts';
import { applyAction } from './apply-action.ts';
import { type BulkRevert, changesOf } from './reverting.ts';
import type { RunnableRule } from './runnable-rules.ts';
import { Selection, selectionOf } from './selection.ts';

/** Records of a part. A part is one transaction, and the embedded database has one connection. */
const PART_SIZE = 50;

const Texts = Type.Array(Type.String());

const Params = Type.Object({
  action: Type.String(),
  members: Type.Record(Type.String(), Type.Unknown()),
  selection: Selection,
});

const State = Type.Object({ after: Type.Union([Texts, Type.Null()]) });

/** The operation that runs the actions on records of a kind. */
export type BulkOperation = PartedOperation<typeof Params>;

/** Defines the operation that runs the actions of a rule. */
export function bulkOperation({ rule, actions }: RunnableRule, revert?: BulkRevert): BulkOperation {
  return defineOperation({
    kind: `${rule.id}_bulk`,
    params: Params,
    state: State,
    initialState: { after: null },
    role: 'editor',
    ...(revert && { revert: revert.definition }),
    isRace: (error) => error instanceof AppError && error.definition === VERSION_CONFLICT,
    part: async ({ params, state }, ctx) => {
      const action = actions.get(params.action);
      if (!action) throw new Error(`Unknown action: ${rule.id} ${params.action}.`);
      const selection = await selectionOf(ctx, rule, params.selection);
      const keys = await nextKeys(ctx.db, rule.resource, selection, { after: state.after, limit: PART_SIZE });
      const { changed, unchanged, written, refused } = await applyAction(
        ctx,
        rule,
        action,
        params.members,
        keys.map(({ key }) => key),
      );
      return {
        state: { after: [...(keys.at(-1)?.position ?? [])] },
        isLast: keys.length < PART_SIZE,
        done: keys.length,
        counts: { changed, unchanged, refused: refused.length },
        problems: refused,
        ...(revert?.covers(action.action) && {
          changes: await changesOf(ctx.db, revert, action.action, written),
        }),
      };
    },
  });
}
