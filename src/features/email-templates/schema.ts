import Type, { type Static } from 'typebox';
import { Limit, listReply, Page, Search } from '../../resources/paging.ts';

/** As many as a transmission may have. */
const MAX_ATTACHMENTS = 50;

/** Any JSON object; kept as it is. */
const FreeObject = Type.Object({}, { additionalProperties: true });
/** Leaves as it was stored: a declared shape would drop what it does not know. */
const StoredJson = <T>(description: string) => Type.Unsafe<T>(Type.Unknown({ description }));

const NullableText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
/** A text that becomes part of a header: a line break would begin another one. */
const HeaderText = Type.String({ maxLength: 500, pattern: '^[^\\r\\n]*$' });
const OptionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** What callers write of a template. */
export const TemplateBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 500 }),
  from_email: Type.String({ description: 'The sender; on a verified sending domain.' }),
  from_name: Type.Optional(Type.Union([HeaderText, Type.Null()])),
  reply_to: OptionalText,
  description: OptionalText,
  type: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'A category, for grouping.' })),
  transactional: Type.Boolean({ description: 'Transactional mail is sent despite unsubscribes.' }),
  open_tracking: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  click_tracking: Type.Optional(Type.Boolean({ description: 'Default: false.' })),
  shared: Type.Optional(
    Type.Boolean({
      description: 'Readable by every business unit; set and changed by owners. Default: false.',
    }),
  ),
});

/** A template as it is read. */
export const Template = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  name: Type.String(),
  from_email: Type.String(),
  from_name: NullableText,
  reply_to: NullableText,
  description: NullableText,
  type: NullableText,
  transactional: Type.Boolean(),
  open_tracking: Type.Boolean(),
  click_tracking: Type.Boolean(),
  shared: Type.Boolean(),
  business_unit: Type.String(),
});

/** Narrows the list of templates. */
export const TemplateQuery = Type.Object({
  name: Type.Optional(Type.String({ description: 'Part of the name.' })),
  type: Type.Optional(Type.String({ description: 'Exactly this type.' })),
  search: Type.Optional(Search),
  page: Type.Optional(Page),
  limit: Type.Optional(Limit),
});

/** One page of templates. */
export const TemplateList = listReply(Template);

const Attachment = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n]*$' }),
  type: Type.String({ maxLength: 255, pattern: '^[^\\r\\n]*$', description: 'Media type.' }),
  url: Type.String({ maxLength: 2048, description: 'http or https; fetched when messages are sent.' }),
});

/** What callers write of a version. */
export const VersionBody = Type.Object({
  active: Type.Boolean({ description: 'True makes it the only active version of its template.' }),
  subject: Type.String({ maxLength: 2000 }),
  html_content: Type.String(),
  plain_content: OptionalText,
  generate_plain_content: Type.Optional(
    Type.Boolean({ description: 'Derive the plain text from the HTML. Default: false.' }),
  ),
  template_builder_content: Type.Optional(Type.Union([FreeObject, Type.Null()])),
  test_data: Type.Optional(Type.Union([FreeObject, Type.Null()])),
  data_fields_schema: Type.Optional(Type.Union([Type.Array(Type.Unknown()), Type.Null()])),
  attachments: Type.Optional(
    Type.Union([Type.Array(Attachment, { maxItems: MAX_ATTACHMENTS }), Type.Null()]),
  ),
});

/** A version as it is read. */
export const Version = Type.Object({
  id: Type.String(),
  template_id: Type.String(),
  version: Type.Integer({ description: 'Counts the versions of its template from 1.' }),
  active: Type.Boolean(),
  subject: Type.String(),
  html_content: Type.String(),
  plain_content: NullableText,
  generate_plain_content: Type.Boolean(),
  template_builder_content: StoredJson<object | null>('As it was written.'),
  test_data: StoredJson<object | null>('As it was written.'),
  data_fields_schema: StoredJson<unknown[]>('As it was written.'),
  attachments: Type.Array(Attachment),
  created_at: Type.String(),
  updated_at: Type.String(),
});

/** A page of versions. */
export const PageQuery = Type.Object({ page: Type.Optional(Page), limit: Type.Optional(Limit) });
/** One page of versions. */
export const VersionList = listReply(Version);

/** A message to render without storing it. */
export const PreviewBody = Type.Object({
  substitution_data: Type.Optional(FreeObject),
  content: Type.Object({
    from: Type.Union([
      Type.String(),
      Type.Object({ email: Type.String(), name: Type.Optional(Type.String()) }),
    ]),
    subject: Type.Optional(Type.String()),
    html: Type.String(),
    text: Type.Optional(Type.String()),
  }),
});

/** The rendered message. */
export const PreviewReply = Type.Object({
  subject: Type.String(),
  html: Type.String(),
  text: Type.Optional(Type.String({ description: 'Only when `content.text` was given.' })),
});

/** Which template to copy, and the name of the copy. */
export const CloneBody = Type.Object({
  template_id: Type.String({ format: 'uuid' }),
  name: Type.String({ minLength: 1, maxLength: 500 }),
});

/** The copy. */
export const CloneReply = Type.Object({
  id: Type.String(),
  version_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Null when the template had no active version.',
  }),
});

/** Names a template. */
export const TemplateParams = Type.Object({ id: Type.String() });
/** Names the template whose versions are meant. */
export const VersionsParams = Type.Object({ template_id: Type.String() });
/** Names a version. */
export const VersionParams = Type.Object({ template_id: Type.String(), id: Type.String() });
/** Acknowledges a write. */
export const IdReply = Type.Object({ id: Type.String() });
/** Acknowledges a write of a version. */
export const VersionReply = Type.Object({ id: Type.String(), version: Type.Integer() });

export type TemplateBody = Static<typeof TemplateBody>;
export type Template = Static<typeof Template>;
export type TemplateQuery = Static<typeof TemplateQuery>;
export type VersionBody = Static<typeof VersionBody>;
export type Version = Static<typeof Version>;
export type PageQuery = Static<typeof PageQuery>;
export type PreviewBody = Static<typeof PreviewBody>;
export type PreviewReply = Static<typeof PreviewReply>;
export type CloneBody = Static<typeof CloneBody>;
