import { randomUUID } from 'node:crypto';
import type { Maker, Makers } from '../record-maker.ts';

const projectPath = (id: string) => `/api/pages/project_metadata/${id}`;

const project: Maker = async ({ tenant, body }) =>
  (await tenant.api.put(projectPath(`site-${randomUUID()}`), await body('projects.replace'))).body.id;

/** Projects and what is in them. */
export const pageRecords: Makers = {
  project,
  spare_project: project,
  // Made from a template with a model.
  derived_project: async ({ tenant: { api }, body }) => {
    const template = `template-${randomUUID()}`;
    await api.put(projectPath(template), { ...(await body('projects.replace')), is_template: true });
    await api.put(`/api/pages/${template}/document-model`, await body('document_models.put'));
    const copy = await body('projects.duplicate');
    return (await api.post(`${projectPath(template)}/duplicate`, copy)).body.id;
  },
  site_settings: async ({ tenant, record, body }) => {
    const path = `/api/pages/${await record('project')}/site-settings`;
    return (await tenant.api.put(path, await body('site_settings.replace'))).body.id;
  },
  asset: async ({ tenant }) => {
    const parts = [
      '--part',
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      '',
      'A',
      '--part--',
    ];
    const headers = { 'content-type': 'multipart/form-data; boundary=part' };
    const rawBody = `${parts.join('\r\n')}\r\n`;
    return (await tenant.api.send('POST', '/api/assets', { rawBody, headers })).body.id;
  },
};
