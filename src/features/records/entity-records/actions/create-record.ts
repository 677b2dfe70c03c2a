import Type from 'typebox';
import { defineActionType } from '../../../../flows/action-type.ts';
import { convertValues } from '../converted-values.ts';
import type { WriteBodies } from '../open-entity.ts';
import { type RecordBody, readNewRecord } from '../record-values.ts';
import { createRecord } from '../service.ts';
import {
  asResult,
  EntityName,
  hasNoJsonFields,
  prepareAction,
  recordData,
  runDry,
  withRecords,
} from './action-records.ts';

/** Creates a record of an entity. */
export const createRecordAction = defineActionType({
  key: 'createRecord',
  name: 'Create a record',
  description: 'Creates a record of an entity. Result: the record.',
  params: Type.Object({
    entity: EntityName,
    data: recordData(
      'Field values by name. `business_unit` sets the owning unit; default: the Default unit.',
    ),
  }),
  prepare: (ctx, params) => prepareAction(ctx, bodiesOf(params)),
  writesInOneStatement: hasNoJsonFields,
  write: async (ctx, { entity, data }, prepared) =>
    asResult(
      await withRecords(ctx, { entity, id: null }, prepared, (records) =>
        createRecord(records, convertValues(records.model, data)),
      ),
    ),
  preview: async (ctx, { entity, data }) => {
    const record = await runDry(
      ctx,
      { entity, id: null },
      (records) => createRecord(records, convertValues(records.model, data)),
      bodiesOf({ entity, data }),
    );
    // A real run will generate another id.
    return { ...asResult(record), id: null };
  },
});

function bodiesOf({ entity, data }: { readonly entity: string; readonly data: RecordBody }): WriteBodies {
  return { entity, read: (model, reading) => readNewRecord(model, convertValues(model, data), reading) };
}
