import Type from 'typebox';
import { ownerOption } from '../../resources/body.ts';
import { warningsOption } from '../../resources/route-parts.ts';
import { CONTENT_ID } from './keys.ts';

/** The most projects of a tenant: they are listed in one answer. */
export const MAX_PROJECTS = 1000;
/** The most domains of a project, and their lengths together. */
const MAX_DOMAINS = 100;
/** A name of the domain name system has at most 253 characters; a port may follow. */
const Domain = Type.String({ minLength: 1, maxLength: 260 });

/** The id of another project. */
export const ProjectId = Type.String({ pattern: CONTENT_ID });
/** Names and descriptions, bounded as all projects are told in one answer. */
export const Name = Type.String({ minLength: 1, maxLength: 200 });
export const Description = Type.String({ maxLength: 1000 });

/** Which domains redirects may be for. */
export const RedirectConfig = Type.Object(
  {
    source_domains: Type.Array(Domain, {
      maxItems: MAX_DOMAINS,
      description: 'The domains whose redirects the project keeps.',
    }),
  },
  { title: 'RedirectConfig' },
);

/** Where an editor finds the site for previews. */
export const PreviewConfig = Type.Object(
  {
    domain: Type.String({ maxLength: 2000, description: 'The domain, or address, that shows previews.' }),
  },
  { title: 'PreviewConfig' },
);

/** A request for a copy. */
export const DuplicateBody = Type.Object(
  {
    name: Name,
    business_unit_id: ownerOption.business_unit,
  },
  { title: 'PageProjectDuplicate' },
);

/** The answer of a sync. */
export const SyncReply = Type.Object(
  {
    id: Type.String(),
    synced_template_version: Type.Integer(),
    warnings: warningsOption,
  },
  { title: 'PageProjectSynced' },
);
