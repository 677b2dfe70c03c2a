/** Redirects of a site that has moved: rules of each type, and matching requests. */
import type pg from 'pg';
import type { ChangedRule } from '../../src/features/pages/redirects/rule.ts';

/** Domain of the rules. */
export const DOMAIN = 'www.acme.example';
/** Project of the rules. */
export const PROJECT = 'site';

const STATICS = 10_000;
const PREFIXES = 1000;
const REGEXES = 200;
const CREATED = '2026-01-01T00:00:00.000Z';

type Facts = Pick<ChangedRule, 'rule_type' | 'source' | 'target' | 'program_size'>;

/** Returns all rules of the site. */
export function sampleRules(): ChangedRule[] {
  const statics = numbers(STATICS, (n) => ({
    rule_type: 'static',
    source: `/old/section-${n % 100}/page-${n}`,
    target: `/new/page-${n}`,
    program_size: 0,
  }));
  const prefixes = numbers(PREFIXES, (n) => ({
    rule_type: 'prefix',
    source: `/archive/${n % 10}/topic-${n}`,
    target: `/topics/${n}`,
    program_size: 0,
  }));
  const regexes = numbers(REGEXES, (n) => ({
    rule_type: 'regex',
    source: `^/shop/category-${n}/item-(\\d+)(?:-[a-z]+)?$`,
    target: `/store/${n}/$1`,
    program_size: 36,
  }));
  return [...statics, ...prefixes, ...regexes].map((facts, place) => ({
    ...facts,
    id: `019a0000-0000-7000-8000-${String(place).padStart(12, '0')}`,
    source_domain: DOMAIN,
    redirect_type: '301',
    priority: 0,
    created_at: CREATED,
    is_active: true,
  }));
}

function numbers(count: number, make: (n: number) => Facts): Facts[] {
  return Array.from({ length: count }, (_none, n) => make(n));
}

/** Request paths by the type of the matching rule; `none` has no matching rule. */
export const SAMPLE_PATHS: Readonly<Record<'static' | 'prefix' | 'regex' | 'none', (n: number) => string>> = {
  static: (n) => `/old/section-${n % 100}/page-${n % STATICS}?from=mail`,
  prefix: (n) => `/archive/${n % 10}/topic-${n % PREFIXES}/a/b`,
  regex: (n) => `/shop/category-${n % REGEXES}/item-${n}-red`,
  none: (n) => `/news/2026/article-${n}`,
};

/** Inserts the rules into the tenant's project, as separate changes would have. */
export async function seedRedirects(
  client: pg.PoolClient,
  { tenantId, unitId }: { readonly tenantId: string; readonly unitId: string },
): Promise<void> {
  const rules = sampleRules();
  await client.query(
    `insert into page_redirects
       (tenant_id, project_id, id, owner_bu_id, source_domain, rule_type, source_url_path, target_url, source_pattern, target_pattern,
        redirect_type, priority, is_active, is_external, source_digest, program_size, octets, changed_in, version, created_at,
        updated_at)
     select $1::uuid, $2, id, $3::uuid, source_domain, rule_type, case when is_static then source end,
       case when is_static then target end, case when not is_static then source end, case when not is_static then target end,
       redirect_type, 0, true, false, case when is_static then source end, program_size, 400, 1, 1, created_at, created_at
     from (select *, rule_type = 'static' as is_static from json_to_recordset($4::json) rule(
       id uuid, source_domain text, rule_type text, source text, target text, redirect_type text, program_size int,
       created_at timestamptz)) rules`,
    [tenantId, PROJECT, unitId, JSON.stringify(rules)],
  );
  await client.query(
    `insert into page_redirect_sets (tenant_id, project_id, epoch, changes, removed_in, rules, program_size, octets)
     values ($1, $2, gen_random_uuid(), 1, 0, $3, 7200, $4)`,
    [tenantId, PROJECT, rules.length, rules.length * 400],
  );
  await client.query('vacuum analyze');
}
