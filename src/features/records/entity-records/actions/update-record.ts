import Type from 'typebox';
import { defineActionType } from '../../../../flows/action-type.ts';
import { convertValues } from '../converted-values.ts';
import type { WriteBodies } from '../open-entity.ts';
import { type RecordBody, readGivenFields } from '../record-values.ts';
import { changeRecord } from '../service.ts';
import {
  asResult,
  EntityName,
  hasNoJsonFields,
  prepareAction,
  RecordId,
  recordData,
  runDry,
  withRecords,
} from './action-records.ts';

/** Changes a record of an entity. */
export const updateRecordAction = defineActionType({
  key: 'updateRecord',
  name: 'Change a record',
  description: 'Updates fields of a record. Result: the updated record.',
  params: Type.Object({
    entity: EntityName,
    id: RecordId,
    data: recordData('New field values by name; null clears a field. Other fields keep their values.'),
  }),
  prepare: (ctx, params) => prepareAction(ctx, bodiesOf(params)),
  writesInOneStatement: hasNoJsonFields,
  write: async (ctx, { entity, id, data }, prepared) =>
    asResult(
      await withRecords(ctx, { entity, id }, prepared, (records) =>
        changeRecord(records, id ?? '', convertValues(records.model, data)),
      ),
    ),
  preview: async (ctx, { entity, id, data }) =>
    asResult(
      await runDry(
        ctx,
        { entity, id },
        (records) => changeRecord(records, id ?? '', convertValues(records.model, data)),
        bodiesOf({ entity, data }),
      ),
    ),
});

function bodiesOf({ entity, data }: { readonly entity: string; readonly data: RecordBody }): WriteBodies {
  return { entity, read: (model, reading) => readGivenFields(model, convertValues(model, data), reading) };
}
