/** Projects with documents, created through the API. */
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from './client.ts';

/** A project whose documents a test writes. */
export interface TestProject {
  readonly id: string;
  /** The path of the project's documents. */
  readonly path: string;
  /** Creates or changes a document model. */
  putModel(id: string, more?: object): Promise<void>;
  /** Writes a document of the model `page` unless `more` says otherwise. */
  putDocument(id: string, more?: object, status?: number): Promise<Answer>;
  /** Searches for documents to link to and returns the response. */
  search(search: string, more?: object): Promise<Answer>;
  /** Lists documents and returns the response. */
  list(more?: object, status?: number): Promise<Answer>;
}

/** Returns the body of a document. */
export function documentBody(id: string, more: object = {}): object {
  return { document_model_id: 'page', uid: id, name: `Document ${id}`, status: 'draft', data: '{}', ...more };
}

/** Creates a project with a repeatable model `page`. */
export async function createProject(api: Client, more: object = {}): Promise<TestProject> {
  const id = `site-${randomUUID()}`;
  await api.put(`/api/pages/project_metadata/${id}`, { name: 'Site', description: 'A site', ...more });
  const project = projectOf(api, id);
  await project.putModel('page');
  return project;
}

/** Returns the functions of an existing project; they call the API with this client. */
export function projectOf(api: Client, id: string): TestProject {
  const path = `/api/pages/${id}/document`;
  const model = { label: 'Model', format: 'page', repeatable: true, status: true, json: { Main: {} } };
  return {
    id,
    path,
    putModel: async (modelId, more = {}) => {
      await api.put(`/api/pages/${id}/document-model`, { ...model, id: modelId, ...more });
    },
    putDocument: (documentId, more = {}, status = 200) =>
      api.put(`${path}/${documentId}`, documentBody(documentId, more), status),
    search: (search, more = {}) => api.post(`/api/projects/${id}/pages/document/search`, { search, ...more }),
    list: (more = {}, status = 200) => api.post(`${path}/list`, { page: 1, limit: 20, ...more }, status),
  };
}
