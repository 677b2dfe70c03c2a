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
  description: '`/`, or a path such as `/a/b`.',
});

/** Alternative text of an image. */
export const Alt = Type.String({ maxLength: 2000 });

/** Tags of an asset, by which lists can be filtered. */
export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 });

const formFields = {
  name: Type.Optional(Name),
  folder: Type.Optional(Folder),
  alt: Type.Optional(Alt),
  tags: Type.Optional(Tags),
};

/** The form of an upload after its file was read. */
export const UploadForm = Type.Object({ file: Type.Literal(true), ...formFields });

/** The form of an upload as clients send it. */
export const ShownForm = Type.Object(
  { file: Type.String({ format: 'binary' }), ...formFields },
  { title: 'AssetUpload' },
);

/** The form of an upload after its file was read. */
export type UploadForm = Static<typeof UploadForm>;

/** Formats of image variants. */
export const IMAGE_FORMATS = ['webp', 'avif', 'jpeg', 'png'] as const;

/** One of `IMAGE_FORMATS`. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Maximum width and height of an image variant, in pixels. */
export const MAX_SIDE = 4096;

const Side = Type.Integer({ minimum: 1, maximum: MAX_SIDE });

/** Query of an image variant; `fit` and `q` alone keep the original size. */
export const VariantQuery = Type.Object({
  w: Type.Optional(Side),
  h: Type.Optional(Side),
  fit: Type.Optional(
    Type.Enum(['cover', 'contain'], {
      description: 'With both sides: fill and crop, or fit inside. Default: cover.',
    }),
  ),
  format: Type.Optional(
    Type.Enum([...IMAGE_FORMATS], { description: "Default: the image's format, or webp." }),
  ),
  q: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Quality. Default: 80.' })),
});

/** Query of an image variant. */
export type VariantQuery = Static<typeof VariantQuery>;
