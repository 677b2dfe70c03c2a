import Type from 'typebox';

/** Longer addresses are not supported everywhere. */
const MAX_URL_CHARS = 2048;
/** RE2 accepts longer patterns, but compiling them to learn their size takes time. */
const MAX_PATTERN_CHARS = 1000;
/** A DNS name has at most 253 characters, plus an optional port. */
const Domain = Type.String({ minLength: 1, maxLength: 260 });

/** Domain of the requests that a rule redirects. */
export const SourceDomain = Type.String({
  title: 'RedirectDomain',
  ...Domain,
  description: "One of the project's `redirect_config.source_domains`; stored in lower case.",
});
/** Type of a rule: an exact path, a prefix or a regular expression. */
export const RuleType = Type.Enum(['static', 'prefix', 'regex']);
/** Path that a static rule redirects. */
export const SourcePath = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'Static rules: path without query.',
});
/** Target of a static rule. */
export const TargetUrl = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'Static rules: path on the same domain, or URL.',
});
/** Pattern of the paths that a prefix or regex rule redirects. */
export const SourcePattern = Type.String({
  maxLength: MAX_PATTERN_CHARS,
  description: 'Prefix rules: first path segments. Regex rules: RE2 expression.',
});
/** Target of a prefix or regex rule. */
export const TargetPattern = Type.String({
  maxLength: MAX_URL_CHARS,
  description: 'As `target_url`; regex rules may use groups: `$1`, `$2`.',
});
/** HTTP status of a redirect. */
export const RedirectTypeName = Type.Enum(['301', '302', '308']);
/** Priority of a prefix or regex rule. */
export const Priority = Type.Number({ description: 'Higher priority is tried first.' });

/** Body of the lookup that a website calls for each of its requests. */
export const CheckBody = Type.Object(
  {
    source_domain: Domain,
    source_url_path: Type.String({
      description: 'Requested path with query.',
    }),
  },
  { title: 'RedirectTest' },
);

/** The target of the request. */
export const CheckReply = Type.Object(
  {
    redirect: Type.Boolean(),
    redirect_type: Type.Optional(RedirectTypeName),
    target_url: Type.Optional(Type.String({ description: 'Valid as `Location` header.' })),
    is_external: Type.Optional(Type.Boolean()),
  },
  { title: 'RedirectCheck' },
);

/** Path parameters of a project. */
export const ProjectParams = Type.Object({ project_id: Type.String() });
