import Type, { type Static } from 'typebox';
import { ownerOption } from '../../../resources/body.ts';
import { listParameters } from '../../../resources/list-queries.ts';

/** Same limit as for transmissions. */
const MAX_ATTACHMENTS = 50;

/** Any JSON object, stored unchanged. */
export const FreeObject = Type.Object({}, { additionalProperties: true });
/** A text that becomes part of a header: a line break would begin another one. */
export const HeaderText = Type.String({ maxLength: 500, pattern: '^[^\\r\\n]*$' });

const Attachment = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^[^\\r\\n]*$',
        description: "Required without `asset_id`. Default: the asset's.",
      }),
    ),
    type: Type.Optional(
      Type.String({
        maxLength: 255,
        pattern: '^[^\\r\\n]*$',
        description: "Media type. Required without `asset_id`. Default: the asset's.",
      }),
    ),
    url: Type.Optional(Type.String({ maxLength: 2048, description: 'http or https; fetched when sending.' })),
    asset_id: Type.Optional(Type.String({ format: 'uuid', description: 'An asset of the tenant.' })),
  },
  { title: 'TemplateAttachment', description: 'Exactly one of `url` and `asset_id`.' },
);

/** Attachments of every message. */
export const Attachments = Type.Array(Attachment, { maxItems: MAX_ATTACHMENTS });

/** A page of versions. */
export const VersionQuery = Type.Object(listParameters);

/** A message to render without storing it. */
export const PreviewBody = Type.Object(
  {
    substitution_data: Type.Optional(FreeObject),
    content: Type.Object(
      {
        from: Type.Union([
          Type.String(),
          Type.Object(
            { email: Type.String(), name: Type.Optional(Type.String()) },
            { title: 'PreviewSender' },
          ),
        ]),
        subject: Type.Optional(Type.String()),
        html: Type.String(),
        text: Type.Optional(Type.String()),
      },
      { title: 'PreviewContent' },
    ),
  },
  { title: 'TemplatePreview' },
);

/** The rendered message. */
export const PreviewReply = Type.Object(
  {
    subject: Type.String(),
    html: Type.String(),
    text: Type.Optional(Type.String({ description: 'Only if `content.text` was sent.' })),
  },
  { title: 'TemplateRendered' },
);

/** The template to copy, and the name of the copy. */
export const CloneBody = Type.Object(
  {
    template_id: Type.String({ format: 'uuid' }),
    name: Type.String({ minLength: 1, maxLength: 500 }),
    ...ownerOption,
  },
  { title: 'TemplateClone' },
);

/** The copy. */
export const CloneReply = Type.Object(
  {
    id: Type.String(),
    version_id: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Null if the template had no active version.',
    }),
  },
  { title: 'TemplateCloned' },
);

/** The template of the versions. */
export const VersionsParams = Type.Object({ template_id: Type.String() });
/** The template and the version. */
export const VersionParams = Type.Object({ template_id: Type.String(), id: Type.String() });
/** Acknowledges a write of a version. */
export const VersionReply = Type.Object(
  { id: Type.String(), version: Type.Integer() },
  { title: 'IdVersionReply' },
);

/** Page and order of the list of a template's versions. */
export type VersionQuery = Static<typeof VersionQuery>;
/** A message to render without storing it. */
export type PreviewBody = Static<typeof PreviewBody>;
/** A rendered message. */
export type PreviewReply = Static<typeof PreviewReply>;
/** The template to copy, and the name of the copy. */
export type CloneBody = Static<typeof CloneBody>;
