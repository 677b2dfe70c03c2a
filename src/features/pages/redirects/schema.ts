import Type from 'typebox';

/** Longer addresses are not supported everywhere. */
const MAX_URL_CHARS = 2048;
/** RE2 accepts longer patterns, but compiling them to learn their size takes time. */
const MAX_PATTERN_CHARS = 1000;
/** A DNS name has at most 253 characters, plus an optional port. */
const Domain = Type.String({ minLength: 1, maxLength: 260 });

export const SourceDomain = Type.String({
  title: 'RedirectDomain',
  ...Domain,
  description: "One of the project's `redirect_config.source_domains`; kept in small letters.",
});
export const RuleType = Type.Enum(['static', 'prefix', 'regex']);
export const SourcePath = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'Of a static rule: the path, without a query.',
});
export const TargetUrl = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'Of a static rule: a path of the same domain, or a web address.',
});
export const SourcePattern = Type.String({
  maxLength: MAX_PATTERN_CHARS,
  description: 'Of a prefix rule: the first segments of a path. Of a regex rule: an expression of RE2.',
});
export const TargetPattern = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'As `target_url`; of a regex rule `$1`, `$2` stand for what the groups have captured.',
});
export const RedirectTypeName = Type.Enum(['301', '302', '308']);
export const Priority = Type.Number({ description: 'Pattern rules of higher priority are tried first.' });

/** Body of the check that a website makes for each request. */
export const CheckBody = Type.Object(
  {
    source_domain: Domain,
    source_url_path: Type.String({
      description: 'The path that is asked for, with its query if it has one.',
    }),
  },
  { title: 'RedirectTest' },
);

/** The target of the request. */
export const CheckReply = Type.Object(
  {
    redirect: Type.Boolean(),
    redirect_type: Type.Optional(RedirectTypeName),
    target_url: Type.Optional(Type.String({ description: 'Fit for a `Location` header.' })),
    is_external: Type.Optional(Type.Boolean()),
  },
  { title: 'RedirectCheck' },
);

/** Path parameters of a project. */
export const InProject = Type.Object({ project_id: Type.String() });
