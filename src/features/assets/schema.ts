import Type, { type Static } from 'typebox';

/** Name of an asset. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'Without control characters.',
});

/** Folder of an asset (docs/specification/assets.md#asset). */
export const Folder = Type.String({
  maxLength: 1024,
  pattern: '^/([^/]+(/[^/]+)*)?$',
  description: '`/`, or names with `/` before each.',
});

/** Alternative text of a picture. */
export const Alt = Type.String({ maxLength: 2000 });

/** Words by which assets are found. */
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 });

const formFields = {
  name: Type.Optional(Name),
  folder: Type.Optional(Folder),
  alt: Type.Optional(Alt),
  tags: Type.Optional(Tags),
};

/** The form of an upload; its file has been read. */
export const UploadForm = Type.Object({ file: Type.Literal(true), ...formFields });

/** The same as clients send it. */
export const ShownForm = Type.Object(
  { file: Type.String({ format: 'binary' }), ...formFields },
  { title: 'AssetUpload' },
);

/** The same as a type. */
export type UploadForm = Static<typeof UploadForm>;

/** The formats in which pictures can be asked for. */
export const PICTURE_FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;

/** One of them. */
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** The most pixels that a side of another size has. */
export const MAX_SIDE = 4096;

const Side = Type.Integer({ minimum: 1, maximum: MAX_SIDE });

/** Query of a picture variant; `fit` and `q` alone keep the original size. */
export const VariantQuery = Type.Object({
  w: Type.Optional(Side),
  h: Type.Optional(Side),
  fit: Type.Optional(
    Type.Enum(['cover', 'contain'], {
      description: 'With both sides: fill them and cut off what stands over, or lie within. Default: cover.',
    }),
  ),
  format: Type.Optional(Type.Enum([...PICTURE_FORMATS], { description: 'Default: its own, or webp.' })),
  q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Quality. Default: 80.' })),
});

/** The same as a type. */
export type VariantQuery = Static<typeof VariantQuery>;
