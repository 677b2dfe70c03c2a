/** The functions, values and types that other areas use. */
export { entityTables } from './entities/index.ts';
export { readRelatedRecords } from './entity-records/index.ts';
