/** The long operation that applies an action part by part. */
import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import { defineOperation } from '../../long-operations/define-operation.ts';
import type { PartedOperation } from '../../long-operations/operation-kind.ts';
import { nextKeys } from '../../resources/selected-keys.ts';
import { applyAction } from './apply-action.ts';
import type { RunnableRule } from './runnable-rules.ts';
import { Selection, selectionOf } from './selection.ts';

/** Records of a part. A part is one transaction, and the embedded database has one connection. */
const PART_SIZE = 50;

const Texts = Type.Array(Type.String());

const Params = Type.Object({
  /** The id of the rule. */
  records: Type.String(),
  action: Type.String(),
  members: Type.Record(Type.String(), Type.Unknown()),
  selection: Selection,
});

const State = Type.Object({ after: Type.Union([Texts, Type.Null()]) });

/** The operation that runs the actions of these rules. */
export type BulkOperation = PartedOperation<typeof Params>;

/** Defines the operation that runs the actions of these rules. */
export function bulkOperation(rules: readonly RunnableRule[]): BulkOperation {
  const byId = new Map(rules.map((each) => [each.rule.id, each]));
  return defineOperation({
    kind: 'bulk_action',
    params: Params,
    state: State,
    initialState: { after: null },
    role: 'editor',
    isRace: (error) => error instanceof AppError && error.definition === VERSION_CONFLICT,
    part: async ({ params, state }, ctx) => {
      const runnable = byId.get(params.records);
      const action = runnable?.actions.get(params.action);
      if (!runnable || !action) throw new Error(`Unknown action: ${params.records} ${params.action}.`);
      const { rule } = runnable;
      const selection = await selectionOf(ctx, rule, params.selection);
      const keys = await nextKeys(ctx.db, rule.resource, selection, { after: state.after, limit: PART_SIZE });
      const outcome = await applyAction(
        ctx,
        rule,
        action,
        params.members,
        keys.map(({ key }) => key),
      );
      const { changed, unchanged, refused } = outcome;
      return {
        state: { after: [...(keys.at(-1)?.position ?? [])] },
        isLast: keys.length < PART_SIZE,
        done: keys.length,
        counts: { changed, unchanged, refused: refused.length },
        problems: refused,
      };
    },
  });
}
