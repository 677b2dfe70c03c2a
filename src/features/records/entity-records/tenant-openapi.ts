/** The OpenAPI document of a tenant's entities. */

import { bearerSurface } from '../../../http/bearer-surface.ts';
import { ERROR_SHAPES } from '../../../http/error-shapes.ts';
import type { Route } from '../../../http/route.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../../resources/paging.ts';
import { version } from '../../../version.ts';
import type { EntityModel, EntityModels } from '../entities/index.ts';
import { operatorsOf } from './conditions.ts';
import { bodySchema, fieldSchema, recordSchema } from './field-schema.ts';
import { shownFields } from './shown-fields.ts';

type Json = Readonly<Record<string, unknown>>;

const documents = new WeakMap<EntityModels, string>();

/** Returns the document as JSON: `routes`, repeated for each entity with its fields. */
export function tenantOpenApi(models: EntityModels, routes: readonly Route[]): string {
  const known = documents.get(models) ?? JSON.stringify(makeDocument(models, routes));
  documents.set(models, known);
  return known;
}

function makeDocument(models: EntityModels, routes: readonly Route[]): Json {
  const entities = models.all();
  const paths: Record<string, Record<string, Json>> = {};
  for (const model of entities)
    for (const route of routes) {
      if (!route.path.startsWith('/api/{entity}') || !applies(route, model)) continue;
      const path = route.path.replace('{entity}', model.name);
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, model) };
    }
  const schemas = entities.flatMap((model) => [
    [model.name, recordSchema(model)],
    [`${model.name}.create`, bodySchema(model, true)],
    [`${model.name}.update`, bodySchema(model, false)],
  ]);
  const { security } = bearerSurface;
  return {
    openapi: '3.1.0',
    info: {
      title: 'Entity records',
      version,
      description: `Revision ${models.revision} of the definitions.`,
    },
    tags: entities.map(({ name }) => ({ name })),
    paths,
    components: {
      schemas: { ...Object.fromEntries(schemas), [ERROR_SHAPES.entity.name]: ERROR_SHAPES.entity.schema },
      securitySchemes: security === null ? {} : { [security.name]: security.scheme },
    },
  };
}

/** Only a workflow has moves, and only a workflow with an owner field has owners. */
function applies({ id }: Route, { workflow }: EntityModel): boolean {
  if (id === 'records.move') return workflow !== null;
  return id !== 'records.take' || workflow?.ownerField != null;
}

function operationOf(route: Route, model: EntityModel): Json {
  const { id, summary, access, params } = route;
  const { name } = model;
  const body = requestOf(id, model);
  const parameters = [
    ...(params && 'id' in params.properties
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
      : []),
    ...queryOf(id, model),
    ...bearerSurface.headers.map((header) => ({ ...header, in: 'header', schema: { type: 'string' } })),
  ];
  return {
    operationId: `${name}.${id.replace(/^records\./, '')}`,
    summary,
    tags: [name],
    security: bearerSurface.security === null ? [] : [{ [bearerSurface.security.name]: [] }],
    'x-access': access,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: jsonOf(body) } } : {}),
    responses: {
      200: { description: 'OK', content: jsonOf(replyOf(route, model)) },
      default: { description: 'An error.', content: jsonOf(refer(ERROR_SHAPES.entity.name)) },
    },
  };
}

function requestOf(id: string, { name, workflow }: EntityModel): Json | null {
  switch (id) {
    case 'records.create':
      return refer(`${name}.create`);
    case 'records.update':
    case 'records.patch':
      return refer(`${name}.update`);
    case 'records.create_many':
      return only({
        records: { type: 'array', minItems: 1, maxItems: 1000, items: refer(`${name}.create`) },
      });
    case 'records.update_many':
      return only({ filter: { type: 'object', minProperties: 1 }, update: refer(`${name}.update`) });
    case 'records.delete_many':
      return only({
        ids: { type: 'array', minItems: 1, maxItems: 1000, items: { type: 'string', format: 'uuid' } },
      });
    case 'records.move':
      return only({ to: { type: 'string', enum: workflow?.states ?? [] } });
    default:
      return null;
  }
}

function replyOf({ id, reply }: Route, { name }: EntityModel): Json {
  const one = refer(name);
  if (id === 'records.list')
    return only({
      data: { type: 'array', items: one },
      pagination: only({
        page: { type: 'integer' },
        per_page: { type: 'integer' },
        total: { type: 'integer' },
        total_pages: { type: 'integer' },
      }),
    });
  const isOfOne = ['get', 'create', 'update', 'patch', 'move', 'take'].includes(id.replace(/^records\./, ''));
  return isOfOne ? one : { ...reply };
}

function queryOf(id: string, model: EntityModel): Json[] {
  if (!['records.list', 'records.get', 'records.count'].includes(id)) return [];
  const text = (name: string, description: string) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  });
  const relations = [...model.relations.keys()];
  const shown = [
    text('fields', 'Comma-separated fields to return; `id` is always included.'),
    ...(relations.length > 0
      ? [text('include', `Comma-separated relations to load, nested with dots: ${relations.join(', ')}.`)]
      : []),
  ];
  if (id === 'records.get') return shown;
  const isSearched = [...model.fields.values()].some(({ searchable }) => searchable);
  const searched = isSearched ? [text('search', 'All words must occur; the last is a prefix.')] : [];
  if (id === 'records.count')
    return [
      { ...text('by', 'Field to count by.'), required: true },
      text('sum', 'Number field to sum per value.'),
      ...searched,
      ...filtersOf(model),
    ];
  return [
    { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, default: 1 } },
    {
      name: 'per_page',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    },
    text('sort', 'Comma-separated fields; `-` before a field means descending. Nulls last.'),
    ...shown,
    ...searched,
    ...filtersOf(model),
  ];
}

/** Returns one parameter per field and operator. Only equality has the field's own type. */
function filtersOf(model: EntityModel): Json[] {
  return [...shownFields(model).values()].flatMap(({ name, type }) =>
    operatorsOf(type).map((operator) => {
      const field = model.fields.get(name);
      const own =
        operator === '' && field ? { ...fieldSchema({ ...field, required: true }) } : { type: 'string' };
      const schema = operator === 'null' ? { type: 'boolean' } : own;
      return { name: operator === '' ? name : `${name}__${operator}`, in: 'query', schema };
    }),
  );
}

function only(properties: Json): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function refer(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } };
}
