/** What the matcher needs of a redirect. */
export interface Rule {
  readonly id: string;
  readonly source_domain: string;
  readonly rule_type: 'static' | 'prefix' | 'regex';
  /** The path of a static rule, the pattern of another. */
  readonly source: string;
  readonly target: string;
  readonly redirect_type: RedirectType;
  readonly priority: number;
  readonly created_at: string;
}

/** A rule as it is now: only an active one leads anywhere. */
export interface ChangedRule extends Rule {
  readonly is_active: boolean;
  /** Of a regular expression, the size of its program. */
  readonly program_size: number;
}

/** The status that a website answers with: for good, for now, for good with the method kept. */
export type RedirectType = '301' | '302' | '308';

/** Where somebody is to be led. */
export interface Redirection {
  readonly redirect_type: RedirectType;
  readonly target_url: string;
  readonly is_external: boolean;
}
