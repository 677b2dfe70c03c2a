import Type from 'typebox';
import { defineActionType } from '../../../../flows/action-type.ts';
import { deleteRecord } from '../service.ts';
import { EntityName, prepareAction, RecordId, runDry, withRecords } from './action-records.ts';

/** Deletes a record of an entity. */
export const deleteRecordAction = defineActionType({
  key: 'deleteRecord',
  name: 'Delete a record',
  description: 'Deletes a record. Result: `{success: true}`.',
  params: Type.Object({ entity: EntityName, id: RecordId }),
  prepare: (ctx) => prepareAction(ctx),
  write: async (ctx, { entity, id }, prepared) => {
    const { success } = await withRecords(ctx, { entity, id }, prepared, (records) =>
      deleteRecord(records, id ?? ''),
    );
    return { success };
  },
  preview: async (ctx, { entity, id }) => {
    const { success } = await runDry(ctx, { entity, id }, (records) => deleteRecord(records, id ?? ''));
    return { success };
  },
});
