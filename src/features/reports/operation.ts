import { defineTrackedOperation } from '../../long-operations/define-operation.ts';
import { cancelExport } from './queries.ts';

/** An export, as an operation with its id; the job that writes it reports the progress. */
export const exportOperation = defineTrackedOperation('export', cancelExport);
