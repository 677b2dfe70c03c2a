import type { Contents } from '../../resources/contents.ts';
import type { Feature } from '../feature.ts';
import { COPY_OVERTAKEN, COPY_TOOK_TOO_LONG, PROJECT_BEING_DELETED } from './errors.ts';
import { reference } from './reference.ts';
import { remainsJob } from './remains.ts';
import { projectRoutes } from './routes.ts';

export { CONTENT_ID, contentIdOf, isContentId, projectKey } from './keys.ts';
export { changeModels, holdProject, type ProjectFacts, requireProject } from './reach.ts';

/** Projects of sites, over what lives in them. */
export function projects(contents: readonly Contents[]): Feature {
  const job = remainsJob(contents);
  return {
    name: 'projects',
    reference,
    routes: projectRoutes({ contents, job }),
    jobs: [job],
    errors: [PROJECT_BEING_DELETED, COPY_TOOK_TOO_LONG, COPY_OVERTAKEN],
  };
}
