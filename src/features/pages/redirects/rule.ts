/** The fields of a redirect that the matcher needs. */
export interface Rule {
  readonly id: string;
  readonly source_domain: string;
  readonly rule_type: 'static' | 'prefix' | 'regex';
  /** A path for a static rule, otherwise a pattern. */
  readonly source: string;
  readonly target: string;
  readonly redirect_type: RedirectType;
  readonly priority: number;
  readonly created_at: string;
}

/** A changed rule. Only active rules redirect. */
export interface ChangedRule extends Rule {
  readonly is_active: boolean;
  /** Program size of a regular expression. */
  readonly program_size: number;
}

/** HTTP status of the redirect: permanent, temporary, or permanent with the same method. */
export type RedirectType = '301' | '302' | '308';

/** The result of a match. */
export interface Redirection {
  readonly redirect_type: RedirectType;
  readonly target_url: string;
  readonly is_external: boolean;
}
