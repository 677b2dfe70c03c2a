import Type from 'typebox';
import { defineActionType } from '../../../../flows/action-type.ts';
import { moveRecord } from '../service.ts';
import {
  asResult,
  EntityName,
  hasNoJsonFields,
  prepareAction,
  RecordId,
  runDry,
  withRecords,
} from './action-records.ts';

/** Moves a record along the workflow of its entity. */
export const moveWorkflowAction = defineActionType({
  key: 'moveWorkflow',
  name: 'Move a record along its workflow',
  description: 'Moves a record to another state of its workflow. Result: the updated record.',
  params: Type.Object({
    entity: EntityName,
    id: RecordId,
    to: Type.String({ description: 'The target state.' }),
  }),
  prepare: (ctx) => prepareAction(ctx),
  writesInOneStatement: hasNoJsonFields,
  write: async (ctx, { entity, id, to }, prepared) =>
    asResult(
      await withRecords(ctx, { entity, id }, prepared, (records) => moveRecord(records, id ?? '', to)),
    ),
  preview: async (ctx, { entity, id, to }) =>
    asResult(await runDry(ctx, { entity, id }, (records) => moveRecord(records, id ?? '', to))),
});
