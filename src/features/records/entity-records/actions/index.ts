import { createRecordAction } from './create-record.ts';
import { deleteRecordAction } from './delete-record.ts';
import { moveWorkflowAction } from './move-workflow.ts';
import { findRecordsAction, getRecordAction } from './read-records.ts';
import { updateRecordAction } from './update-record.ts';

/** Actions on records. */
export const recordActions = [
  createRecordAction,
  updateRecordAction,
  deleteRecordAction,
  moveWorkflowAction,
  getRecordAction,
  findRecordsAction,
] as const;
