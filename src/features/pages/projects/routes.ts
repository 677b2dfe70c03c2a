import Type from 'typebox';
import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  IMMUTABLE_FIELD,
  NOT_FOUND,
  OWNER_IMMUTABLE,
  VALIDATION_ERROR,
  VERSION_CONFLICT,
} from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { listParameters } from '../../../resources/list-queries.ts';
import { orderedPage, type PageReply, Search } from '../../../resources/paging.ts';
import { getRoute } from '../../../resources/routes.ts';
import { updatesOf } from '../../../resources/updates.ts';
import { abandonCopy, type CopyDependencies, copyContentsOf, createCopiedProject } from './duplicate.ts';
import { COPY_OVERTAKEN, COPY_TOOK_TOO_LONG, PROJECT_BEING_DELETED } from './errors.ts';
import { type ProjectView, projects } from './resource.ts';
import { DuplicateBody, SyncReply } from './schema.ts';
import { clearLeftovers, deleteProject, listProjects, putProject } from './service.ts';
import { syncTemplate } from './sync.ts';

const tag = 'Pages: projects';
const path = '/api/pages/project_metadata';
const family = { path, id: 'projects', tag, noun: 'project' };
const params = Type.Object({ id: Type.String() });

/** Routes of projects. `copying` lists the kinds of records in a project, which are copied and deleted with it. */
export function projectRoutes(copying: CopyDependencies): readonly Route[] {
  return [listOfProjects, getRoute(projects, family), ...writeRoutes(copying), ...copyRoutes(copying)];
}

const listOfProjects = defineRoute({
  id: 'projects.list',
  method: 'GET',
  path: `${path}/list`,
  summary: 'Lists projects, newest first',
  description:
    'Returns an array of all; with `page`, `limit` or sort options a page. `name` matches exactly, `search` partially.',
  tag,
  access: 'member',
  query: Type.Object({
    name: Type.Optional(Type.String()),
    search: Type.Optional(Search),
    ...listParameters,
  }),
  ...listFacts(projects),
  reply: Type.Unsafe<PageReply<ProjectView> | ProjectView[]>(
    Type.Union(
      [Type.Array(projects.listReply, { title: 'PageProjectList' }), orderedPage(projects.listReply)],
      { title: 'PageProjects' },
    ),
  ),
  handler: (ctx, { query }) => listProjects(ctx, query),
});

function writeRoutes(copying: CopyDependencies): readonly Route[] {
  return [
    defineRoute({
      id: 'projects.replace',
      method: 'PUT',
      path: `${path}/{id}`,
      summary: 'Creates or updates a project',
      tag,
      access: 'editor',
      errors: [
        NOT_FOUND,
        FORBIDDEN,
        BUSINESS_UNIT_REQUIRED,
        OWNER_IMMUTABLE,
        IMMUTABLE_FIELD,
        VERSION_CONFLICT,
        PROJECT_BEING_DELETED,
        VALIDATION_ERROR,
      ],
      params,
      updates: updatesOf(projects),
      body: projects.replaceBody,
      reply: IdReply,
      prepare: (ctx, { params: { id } }) => clearLeftovers(ctx, copying.contents, id),
      write: (ctx, { params: { id }, body }) => putProject(ctx, id, body),
    }),
    defineRoute({
      id: 'projects.delete',
      method: 'DELETE',
      path: `${path}/{id}`,
      summary: 'Deletes a project with its content; history stays readable',
      tag,
      access: 'admin',
      errors: [NOT_FOUND, FORBIDDEN],
      params,
      reply: IdReply,
      write: (ctx, { params: { id } }) => deleteProject(ctx, copying, id),
    }),
  ];
}

function copyRoutes(copying: CopyDependencies): readonly Route[] {
  return [
    defineRoute({
      id: 'projects.duplicate',
      method: 'POST',
      path: `${path}/{id}/duplicate`,
      summary: 'Copies a project with its content',
      description:
        'The copy is complete when the request returns. A copy of a template stays linked to that template.',
      tag,
      access: 'editor',
      errors: [
        NOT_FOUND,
        FORBIDDEN,
        BUSINESS_UNIT_REQUIRED,
        VALIDATION_ERROR,
        COPY_TOOK_TOO_LONG,
        COPY_OVERTAKEN,
      ],
      params,
      body: DuplicateBody,
      reply: IdReply,
      prepare: (ctx, { params: { id }, body }) => copyContentsOf(ctx, copying, id, body),
      write: (ctx, { body }, copy) => createCopiedProject(ctx, copy, body),
      abandon: (ctx, _input, copy) => abandonCopy(ctx, copying, copy),
    }),
    defineRoute({
      id: 'projects.sync_template',
      method: 'POST',
      path: `${path}/{id}/sync-template`,
      summary: "Syncs new and changed models from the project's template",
      description: 'Models changed or deleted in the project stay, with a warning.',
      tag,
      access: 'editor',
      errors: [NOT_FOUND, FORBIDDEN, VALIDATION_ERROR],
      params,
      ignoresBody: true,
      reply: SyncReply,
      write: (ctx, { params: { id } }) => syncTemplate(ctx, copying.contents, id),
    }),
  ];
}
