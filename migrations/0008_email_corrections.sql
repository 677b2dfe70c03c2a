-- A domain takes bounces only when it has shown to be the tenant's, which its bounce name alone does not.
update sending_domains set bounces_since = null where status ->> 'ownership_verified' is distinct from 'true';
