import type { Contents } from '../../../resources/contents.ts';
import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { COPY_OVERTAKEN, COPY_TOOK_TOO_LONG, PROJECT_BEING_DELETED } from './errors.ts';
import { examples } from './examples.ts';
import { deleteLeftoversJob } from './leftovers.ts';
import { projects as projectRecords } from './resource.ts';
import { projectRoutes } from './routes.ts';

export {
  lockForModelChange,
  type ProjectInfo,
  requireProject,
  shareLockProject,
} from './access.ts';
export { CONTENT_ID, contentIdOf, isContentId, projectKey } from './keys.ts';

/** Projects of sites, with the given kinds of contents. */
export function projects(contents: readonly Contents[]): Feature {
  const job = deleteLeftoversJob(contents);
  return {
    name: 'projects',
    examples,
    tags: {
      'Pages: projects': 'Sites with their models, documents, redirects and settings.',
    },
    routes: projectRoutes({ contents, job }),
    searches: [searchOf(projectRecords)],
    restores: [
      {
        resource: projectRecords,
        createdBy: 'projects.replace',
        notRestored:
          'The project is empty: restore its models, documents, redirects and site settings one by one, models first.',
      },
    ],
    jobs: [job],
    errors: [PROJECT_BEING_DELETED, COPY_TOOK_TOO_LONG, COPY_OVERTAKEN],
  };
}
