import Type from 'typebox';
import { ownerOption } from '../../../resources/body.ts';
import { warningsOption } from '../../../resources/route-parts.ts';
import { CONTENT_ID } from './keys.ts';

/** Maximum number of projects of a tenant, which one response lists. */
export const MAX_PROJECTS = 1000;
/** Maximum number of domains of a project. */
const MAX_DOMAINS = 100;
/** A domain: a DNS name has at most 253 characters, plus an optional port. */
const Domain = Type.String({ minLength: 1, maxLength: 260 });

/** The id of another project. */
export const ProjectId = Type.String({ pattern: CONTENT_ID });
/** A name; limited because one response lists all projects. */
export const Name = Type.String({ minLength: 1, maxLength: 200 });
/** A description; limited because one response lists all projects. */
export const Description = Type.String({ maxLength: 1000 });

/** Source domains of redirects. */
export const RedirectConfig = Type.Object(
  {
    source_domains: Type.Array(Domain, {
      maxItems: MAX_DOMAINS,
      description: 'Domains with redirects in this project.',
    }),
  },
  { title: 'RedirectConfig' },
);

/** Address of the site for an editor's previews. */
export const PreviewConfig = Type.Object(
  {
    domain: Type.String({ maxLength: 2000, description: 'Domain or URL that shows previews.' }),
  },
  { title: 'PreviewConfig' },
);

/** Body of a request that copies a project. */
export const DuplicateBody = Type.Object(
  {
    name: Name,
    business_unit_id: ownerOption.business_unit,
  },
  { title: 'PageProjectDuplicate' },
);

/** Reply of a sync. */
export const SyncReply = Type.Object(
  {
    id: Type.String(),
    synced_template_version: Type.Integer(),
    warnings: warningsOption,
  },
  { title: 'PageProjectSynced' },
);
