import { searchOf } from '../../../resources/record-search.ts';
import { entityDefinitions } from '../../automations/api.ts';
import type { Feature } from '../../feature.ts';
import { DUPLICATE_ENTITY, ENTITY_BUSY, ENTITY_IN_USE, WOULD_LOSE_DATA } from './errors.ts';
import { examples } from './examples.ts';
import { entityExists, raiseRevision } from './queries.ts';
import { entityResource } from './resource.ts';
import { routes } from './routes.ts';
import { dropStagings } from './staging.ts';

export { currentRevision, entityModels } from './cached-models.ts';
export type { EntityModel, EntityModels, Relation, Workflow } from './models.ts';
export { isText } from './models.ts';
export { columnTypeOf } from './plan.ts';
export { raiseRevision, readDefinitions } from './queries.ts';
export type { FieldType } from './schema.ts';
export { searchQuery } from './search-words.ts';
export type { StoredField } from './stored-field.ts';
export { entityTables } from './stored-tables.ts';
export { type Reader, ROUNDED, readerOf, readText } from './values.ts';

/** Entities that a tenant defines, and the tables of their records. */
export const entities: Feature = {
  name: 'entities',
  examples,
  tags: { Entities: 'Record types that you define: fields, relations, workflow.' },
  routes,
  searches: [searchOf(entityResource)],
  restores: [
    {
      resource: entityResource,
      createdBy: 'entities.create',
      notRestored:
        'Only the definition is restored, without records. Its automations stay inactive, and webhooks must subscribe again.',
    },
  ],
  jobs: [dropStagings],
  extensions: [entityDefinitions.with({ raiseRevision, exists: entityExists })],
  errors: [DUPLICATE_ENTITY, ENTITY_IN_USE, ENTITY_BUSY, WOULD_LOSE_DATA],
};
