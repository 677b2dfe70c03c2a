/** Surveys of Formbricks, as its management API and its exports have them. */
import Type, { type Static, type TSchema } from 'typebox';

const Text = Type.String();
const orNull = <S extends TSchema>(schema: S) => Type.Optional(Type.Union([schema, Type.Null()]));
const Flag = orNull(Type.Boolean());
const Count = orNull(Type.Number());

/** A text, or texts by language, of which `default` is the one of the survey's own. */
export const LocalText = Type.Union([Text, Type.Record(Text, Text)]);
/** A text of a survey: one string, or one for each language. */
export type LocalText = Static<typeof LocalText>;
const Label = orNull(LocalText);

const Part = orNull(Type.Object({ show: Flag, required: Flag, placeholder: Label }));
const Choice = Type.Object({ id: Type.Optional(Text), label: Label, imageUrl: orNull(Text) });

/** A row or column of a matrix. */
export const MatrixLine = Type.Object({ id: Text, label: Type.Record(Text, Text) });
/** In older surveys a row is only a text. */
const AnyMatrixLine = Type.Union([MatrixLine, LocalText]);

/** A rule for answers. */
export const FormbricksRule = Type.Object({
  type: Text,
  params: Type.Object({
    min: Count,
    max: Count,
    date: orNull(Text),
    pattern: orNull(Text),
    flags: orNull(Text),
  }),
});
/** A validation rule of a question. */
export type FormbricksRule = Static<typeof FormbricksRule>;

/** A question with the properties of all types. */
export const FormbricksQuestion = Type.Object({
  id: Text,
  type: Text,
  headline: Label,
  subheader: Label,
  html: Label,
  label: Label,
  required: Flag,
  placeholder: Label,
  longAnswer: Flag,
  inputType: orNull(Text),
  charLimit: orNull(Type.Object({ enabled: Flag, min: Count, max: Count })),
  choices: orNull(Type.Array(Choice)),
  otherOptionPlaceholder: Label,
  shuffleOption: orNull(Text),
  displayType: orNull(Text),
  scale: orNull(Text),
  range: Count,
  lowerLabel: Label,
  upperLabel: Label,
  buttonExternal: Flag,
  buttonUrl: orNull(Text),
  buttonLabel: Label,
  ctaButtonLabel: Label,
  allowMulti: Flag,
  allowMultipleFiles: Flag,
  maxSizeInMB: Count,
  allowedFileExtensions: orNull(Type.Array(Text)),
  rows: orNull(Type.Array(AnyMatrixLine)),
  columns: orNull(Type.Array(AnyMatrixLine)),
  imageUrl: orNull(Text),
  videoUrl: orNull(Text),
  addressLine1: Part,
  addressLine2: Part,
  city: Part,
  state: Part,
  zip: Part,
  country: Part,
  firstName: Part,
  lastName: Part,
  email: Part,
  phone: Part,
  company: Part,
  logic: orNull(Type.Array(Type.Unknown())),
  validation: orNull(Type.Object({ rules: Type.Array(FormbricksRule), logic: orNull(Text) })),
});
/** A question of any type; each type uses some of the properties. */
export type FormbricksQuestion = Static<typeof FormbricksQuestion>;

const Block = Type.Object({
  elements: Type.Array(Type.Unknown()),
  logic: orNull(Type.Array(Type.Unknown())),
});

const Ending = Type.Object({
  type: Text,
  headline: Label,
  subheader: Label,
  buttonLabel: Label,
  buttonLink: orNull(Text),
  url: orNull(Text),
});
/** An ending of a survey. */
export type FormbricksEnding = Static<typeof Ending>;

/** A survey. Questions are in blocks, or in older versions in a list. */
export const FormbricksSurvey = Type.Object({
  id: Type.Optional(Text),
  name: Text,
  status: orNull(Text),
  type: orNull(Text),
  welcomeCard: orNull(Type.Object({ enabled: Flag, headline: Label, subheader: Label, html: Label })),
  questions: orNull(Type.Array(Type.Unknown())),
  blocks: orNull(Type.Array(Block)),
  endings: orNull(Type.Array(Ending)),
  thankYouCard: orNull(Type.Object({ enabled: Flag, headline: Label, subheader: Label })),
  hiddenFields: orNull(Type.Object({ fieldIds: orNull(Type.Array(Text)) })),
  variables: orNull(Type.Array(Type.Object({ name: Text }))),
  followUps: orNull(Type.Array(Type.Unknown())),
  triggers: orNull(Type.Array(Type.Unknown())),
  languages: orNull(
    Type.Array(
      Type.Object({
        default: Flag,
        code: Type.Optional(Text),
        language: Type.Optional(Type.Object({ code: Text })),
      }),
    ),
  ),
  pin: orNull(Text),
  singleUse: orNull(Type.Object({ enabled: Flag })),
  recaptcha: orNull(Type.Object({ enabled: Flag })),
  segment: orNull(Type.Object({ filters: orNull(Type.Array(Type.Unknown())) })),
  autoComplete: Count,
  isVerifyEmailEnabled: Flag,
  isSingleResponsePerEmailEnabled: Flag,
  styling: orNull(Type.Object({ overwriteThemeStyling: Flag })),
  publishOn: orNull(Text),
  closeOn: orNull(Text),
  runOnDate: orNull(Text),
  closeOnDate: orNull(Text),
});
/** A survey, as Formbricks exports it. */
export type FormbricksSurvey = Static<typeof FormbricksSurvey>;
